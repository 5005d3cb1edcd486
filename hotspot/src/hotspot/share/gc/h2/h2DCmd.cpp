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

#include "classfile/vmSymbols.hpp"
#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2DCmd.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Liveness.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2Returner.hpp"
#include "gc/h2/h2Stats.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "memory/resourceArea.hpp"
#include "memory/universe.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"
#include "utilities/exceptions.hpp"
#include "utilities/formatBuffer.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/ostream.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* const OffMessage = "H2 is off. Start the VM with -XX:H2Size=<bytes> to have it.";

void H2DCmd::parse(CmdLine* line, char delim, TRAPS) {
  DCmdWithParser::parse(line, delim, CHECK);
  work(CHECK);
}

H2InfoDCmd::H2InfoDCmd(outputStream* output, bool heap) :
  H2DCmd(output, heap),
  _format("format", "text, or json for one JSON object", "STRING", false, "text"),
  _regions("-regions", "each region by itself too", "BOOLEAN", false, "false"),
  _labels("-labels", "each label; takes longer the more H2 holds", "BOOLEAN", false, "true") {
  _dcmdparser.add_dcmd_argument(&_format);
  _dcmdparser.add_dcmd_option(&_regions);
  _dcmdparser.add_dcmd_option(&_labels);
}

void H2InfoDCmd::work(TRAPS) {
  if (!is_json() && strcmp(_format.value(), "text") != 0) {
    THROW_MSG(vmSymbols::java_lang_IllegalArgumentException(),
              err_msg("GC.h2_info: unknown format '%s'; use text or json", _format.value()));
  }
}

void H2InfoDCmd::execute(DCmdSource source, TRAPS) {
  // The region table changes in a GC only.
  MutexLocker ml(THREAD, Heap_lock);
  if (is_json()) {
    H2Stats::print_json(output(), _labels.value(), _regions.value());
  } else {
    H2Stats::print_text(output(), _labels.value(), _regions.value());
  }
}

H2WritebackDCmd::H2WritebackDCmd(outputStream* output, bool heap) :
  DCmdWithParser(output, heap),
  _label("label", "the label whose pages are meant; all if it is left out", "JLONG", false),
  _idle("-idle", "only pages that were not touched for H2IdleEpochs collections", "BOOLEAN", false, "false") {
  _dcmdparser.add_dcmd_argument(&_label);
  _dcmdparser.add_dcmd_option(&_idle);
}

struct H2Extent {
  size_t _offset;
  size_t _bytes;

  // Whole units.
  static H2Extent of(HeapWord* start, HeapWord* end) {
    const size_t unit = H2Heap::backend()->unit_bytes();
    HeapWord* const from = align_down(start, unit);
    return H2Extent{pointer_delta(from, H2Heap::start(), 1), pointer_delta(align_up(end, unit), from, 1)};
  }
};

// The parts of H2 that hold objects, of one label or all.
static void collect_extents(GrowableArray<H2Extent>* extents, const jlong* label) {
  // The region table changes in a GC only.
  MutexLocker ml(Heap_lock);
  const H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->limit(); i++) {
    const H2Region* const region = regions->at(i);
    if (!region->is_in_use()) {
      continue;
    }
    if (label == nullptr) {
      extents->append(H2Extent::of(region->bottom(), region->top()));
      continue;
    }
    region->each_label([&](jlong other, HeapWord* start, HeapWord* end, size_t) {
      if (other == *label) {
        extents->append(H2Extent::of(start, end));
      }
    });
  }
}

void H2WritebackDCmd::execute(DCmdSource source, TRAPS) {
  if (!H2Heap::is_enabled()) {
    output()->print_cr("%s", OffMessage);
    return;
  }
  ResourceMark rm(THREAD);
  GrowableArray<H2Extent> extents;
  const jlong label = _label.value();
  collect_extents(&extents, _label.is_set() ? &label : nullptr);
  size_t moved = 0;
  int error = 0;
  // A region that dies meanwhile has nothing left to write.
  for (int i = 0; i < extents.length() && error == 0; i++) {
    // The disk may take its time, which no safepoint waits for.
    ThreadToNativeFromVM native(THREAD);
    error = H2Heap::backend()->write_back(extents.at(i)._offset, extents.at(i)._bytes, _idle.value(), &moved);
  }
  output()->print_cr("%d regions, %zuK written to SSD (before compression)", extents.length(), moved / K);
  if (error != 0) {
    output()->print_cr("GC.h2_writeback stopped: %s", error == EINVAL ? "there is no SSD tier; start the VM with -XX:H2Path=<directory>"
                                                                      : os::strerror(error));
  }
}

H2DumpDCmd::H2DumpDCmd(outputStream* output, bool heap) :
  H2DCmd(output, heap),
  _file("file", "the file, which must not exist; a name without a directory is in the VM's, not in jcmd's", "STRING", true),
  _label("label", "the label whose pages are meant; all if it is left out", "JLONG", false),
  _regions(0),
  _bytes(0) {
  _dcmdparser.add_dcmd_argument(&_file);
  _dcmdparser.add_dcmd_argument(&_label);
}

// jcmd does not say in which directory it runs, so the answer has to say which one it was.
void H2DumpDCmd::find_path() {
  char directory[JVM_MAXPATHLEN];
  const char* const file = _file.value();
  const bool is_whole = file[0] == '/' || os::get_current_directory(directory, sizeof(directory)) == nullptr;
  jio_snprintf(_path, sizeof(_path), "%s%s%s", is_whole ? "" : directory, is_whole ? "" : "/", file);
}

// Null, or what went wrong.
const char* H2DumpDCmd::write(int fd, const GrowableArray<H2Extent>& extents) {
  const size_t chunk = M;
  char* const buffer = NEW_C_HEAP_ARRAY_RETURN_NULL(char, chunk, mtGC);
  if (buffer == nullptr) {
    return "no memory for a buffer";
  }
  int error = 0;
  for (const H2Extent& extent : extents) {
    for (size_t done = 0; error == 0 && done < extent._bytes; done += chunk) {
      const size_t bytes = MIN2(chunk, extent._bytes - done);
      // By this thread and not by the system call, which cannot fault on H2.
      memcpy(buffer, (char*)H2Heap::start() + extent._offset + done, bytes);
      ThreadToNativeFromVM native(JavaThread::current());
      error = os::write(fd, buffer, bytes) ? 0 : errno;
      _bytes += bytes;
    }
  }
  FREE_C_HEAP_ARRAY(char, buffer);
  return error == 0 ? nullptr : os::strerror(error);
}

// The same. No part of a file is left then.
const char* H2DumpDCmd::dump() {
  GrowableArray<H2Extent> extents;
  const jlong label = _label.value();
  collect_extents(&extents, _label.is_set() ? &label : nullptr);
  _regions = extents.length();
  if (_regions == 0) {
    return _label.is_set() ? "H2 has nothing of that label; GC.h2_info lists the labels" : "H2 is empty: nothing has moved yet";
  }
  const int fd = os::open(_path, O_WRONLY | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
  if (fd == -1) {
    return errno == EEXIST ? "it is there already; name a file that does not exist" : os::strerror(errno);
  }
  const char* const error = write(fd, extents);
  ::close(fd);
  if (error != nullptr) {
    ::unlink(_path);
  }
  return error;
}

void H2DumpDCmd::work(TRAPS) {
  if (!H2Heap::is_enabled()) {
    THROW_MSG(vmSymbols::java_lang_UnsupportedOperationException(), OffMessage);
  }
  ResourceMark rm(THREAD);
  find_path();
  const char* const error = dump();
  if (error != nullptr) {
    stringStream message;
    message.print("GC.h2_dump: %s: %s", _path, error);
    THROW_MSG(vmSymbols::java_io_IOException(), message.base());
  }
}

void H2DumpDCmd::execute(DCmdSource source, TRAPS) {
  output()->print_cr("%d regions, %zuK written to %s", _regions, _bytes / K, _path);
}

H2ReturnDCmd::H2ReturnDCmd(outputStream* output, bool heap) :
  DCmdWithParser(output, heap),
  _label("label", "the label", "JLONG", true) {
  _dcmdparser.add_dcmd_argument(&_label);
}

void H2ReturnDCmd::execute(DCmdSource source, TRAPS) {
  if (!H2Heap::is_enabled()) {
    output()->print_cr("%s", OffMessage);
    return;
  }
  const size_t before = H2Returner::returned_bytes();
  H2Returner::request(_label.value());
  Universe::heap()->collect(GCCause::_dcmd_gc_run);
  const size_t bytes = H2Returner::returned_bytes() - before;
  if (bytes > 0) {
    output()->print_cr("%zuK returned", bytes / K);
  } else {
    output()->print_cr("GC.h2_return: nothing returned; there is no such label, or the old generation has no room for twice as much. "
                       "GC.h2_info lists the labels");
  }
}

void H2LiveDCmd::execute(DCmdSource source, TRAPS) {
  if (H2Heap::is_enabled()) {
    H2Liveness::request();
    Universe::heap()->collect(GCCause::_dcmd_gc_run);
  }
  MutexLocker ml(THREAD, Heap_lock);
  H2Stats::print_text(output(), true /* labels */, false /* regions */);
}

void H2DCmds::register_all(uint32_t export_flags) {
  DCmdFactory::register_DCmdFactory(new DCmdFactoryImpl<H2InfoDCmd>(export_flags, true, false));
  DCmdFactory::register_DCmdFactory(new DCmdFactoryImpl<H2WritebackDCmd>(export_flags, true, false));
  DCmdFactory::register_DCmdFactory(new DCmdFactoryImpl<H2DumpDCmd>(export_flags, true, false));
  DCmdFactory::register_DCmdFactory(new DCmdFactoryImpl<H2ReturnDCmd>(export_flags, true, false));
  DCmdFactory::register_DCmdFactory(new DCmdFactoryImpl<H2LiveDCmd>(export_flags, true, false));
}
