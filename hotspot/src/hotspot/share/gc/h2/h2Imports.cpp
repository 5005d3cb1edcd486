/*
 * Copyright (c) 2026, the ZTera authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation. The ZTera authors designate
 * this particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

#include "gc/h2/h2Imports.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"

#if defined(LINUX) && defined(AMD64)

#include <link.h>
#include <sys/mman.h>

// A loaded library, as far as it says what it imports (System V ABI, AMD64 supplement).
class H2LoadedLibrary {
  const dl_phdr_info* const _info;
  const ElfW(Dyn)*          _dynamic;
  address                   _end;         // of its last segment
  address                   _relro_start; // read-only after the linker has filled it in
  address                   _relro_end;

  address base() const { return (address)_info->dlpi_addr; }

  size_t value(ElfW(Sxword) tag) const {
    for (const ElfW(Dyn)* entry = _dynamic; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == tag) {
        return entry->d_un.d_val;
      }
    }
    return 0;
  }

  // Some linkers make an address of the offset that the file has, others leave it as it is.
  address table(ElfW(Sxword) tag) const {
    const size_t at = value(tag);
    return at < (size_t)base() ? base() + at : (address)at;
  }

  void write(void** slot, void* value) const {
    const bool is_protected = (address)slot >= _relro_start && (address)slot < _relro_end;
    void* const page = align_down((void*)slot, os::vm_page_size());
    if (is_protected && ::mprotect(page, os::vm_page_size(), PROT_READ | PROT_WRITE) != 0) {
      return;
    }
    *(void* volatile*)slot = value;
    if (is_protected) {
      ::mprotect(page, os::vm_page_size(), PROT_READ);
    }
  }

  // Its calls go by this slot to the real function; or to code of its own, which looks for that at the first call.
  bool leads_to(void* const* slot, const void* real) const {
    return *slot == real || (*slot >= base() && *slot < _end);
  }

  void replace_one(const ElfW(Rela)& entry, const H2Imports::Function& function) const {
    const size_t type = ELF64_R_TYPE(entry.r_info);
    void** const slot = (void**)(base() + entry.r_offset);
    if (type == R_X86_64_JUMP_SLOT ? leads_to(slot, function._real) : type == R_X86_64_GLOB_DAT && *slot == function._real) {
      write(slot, function._ours);
    }
  }

 public:
  explicit H2LoadedLibrary(const dl_phdr_info* info) :
    _info(info), _dynamic(nullptr), _end(nullptr), _relro_start(nullptr), _relro_end(nullptr) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr)& header = info->dlpi_phdr[i];
      const address start = base() + header.p_vaddr;
      if (header.p_type == PT_DYNAMIC) {
        _dynamic = (const ElfW(Dyn)*)start;
      } else if (header.p_type == PT_LOAD) {
        _end = start + header.p_memsz;
      } else if (header.p_type == PT_GNU_RELRO) {
        _relro_start = align_down(start, os::vm_page_size());
        _relro_end = align_down(start + header.p_memsz, os::vm_page_size());
      }
    }
  }

  bool is_known() const                    { return _dynamic != nullptr && value(DT_SYMTAB) != 0 && value(DT_STRTAB) != 0; }
  bool contains(const void* address) const { return address >= base() && address < _end; }

  // The entries of one of its tables that name one of the functions.
  void replace(ElfW(Sxword) tag, ElfW(Sxword) tag_of_bytes, const H2Imports::Function* functions, size_t count) const {
    const ElfW(Sym)* const symbols = (const ElfW(Sym)*)table(DT_SYMTAB);
    const char* const names = (const char*)table(DT_STRTAB);
    const ElfW(Rela)* const entries = (const ElfW(Rela)*)table(tag);
    const size_t length = value(tag) == 0 ? 0 : value(tag_of_bytes) / sizeof(ElfW(Rela));
    for (size_t i = 0; i < length; i++) {
      const ElfW(Sym)& symbol = symbols[ELF64_R_SYM(entries[i].r_info)];
      for (size_t f = 0; f < count && symbol.st_name != 0 && symbol.st_shndx == SHN_UNDEF; f++) {
        if (strcmp(names + symbol.st_name, functions[f]._name) == 0) {
          replace_one(entries[i], functions[f]);
        }
      }
    }
  }
};

struct H2Replacements {
  const H2Imports::Function* _functions;
  size_t                     _count;
};

// The linker unloads no library meanwhile.
static int replace_in(dl_phdr_info* info, size_t, void* data) {
  const H2LoadedLibrary library(info);
  if (library.is_known() && !library.contains((const void*)&replace_in)) {
    const H2Replacements* const all = (const H2Replacements*)data;
    library.replace(DT_JMPREL, DT_PLTRELSZ, all->_functions, all->_count);
    library.replace(DT_RELA, DT_RELASZ, all->_functions, all->_count);
  }
  return 0;
}

void H2Imports::replace(const Function* functions, size_t count) {
  H2Replacements all = { functions, count };
  ::dl_iterate_phdr(&replace_in, &all);
}

static int read_loaded(dl_phdr_info* info, size_t, void* data) {
  *(unsigned long long*)data = info->dlpi_adds;
  return 1;
}

unsigned long long H2Imports::loaded() {
  unsigned long long adds = 0;
  ::dl_iterate_phdr(&read_loaded, &adds);
  return adds;
}

#else

void H2Imports::replace(const Function*, size_t)  {}
unsigned long long H2Imports::loaded()            { return 0; }

#endif
