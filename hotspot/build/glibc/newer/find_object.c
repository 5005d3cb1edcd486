// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
//
// glibc 2.35 gave the unwinder of libgcc a quick way to find the tables of the object at an address. This is the way
// that it went before.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>

#ifdef DLFO_STRUCT_HAS_EH_DBASE
struct search {
    ElfW(Addr) address;
    struct dl_find_object *result;
};

static int look(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    struct search *search = data;
    const ElfW(Phdr) *code = 0, *tables = 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_GNU_EH_FRAME) tables = part;
        if (part->p_type == PT_LOAD && search->address - (object->dlpi_addr + part->p_vaddr) < part->p_memsz) code = part;
    }
    if (!code || !tables) return 0;
    search->result->dlfo_map_start = (void *)(object->dlpi_addr + code->p_vaddr);
    search->result->dlfo_map_end = (char *)search->result->dlfo_map_start + code->p_memsz;
    search->result->dlfo_link_map = 0;
    search->result->dlfo_eh_frame = (void *)(object->dlpi_addr + tables->p_vaddr);
    return 1;
}

int _dl_find_object(void *address, struct dl_find_object *result) {
    struct search search = {(ElfW(Addr))address, result};
    return dl_iterate_phdr(look, &search) ? 0 : -1;
}
#endif
