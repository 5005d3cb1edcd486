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

#include "gc/h2/h2DCmd.hpp"
#include "gc/h2/h2Stats.hpp"
#include "runtime/mutexLocker.hpp"

H2InfoDCmd::H2InfoDCmd(outputStream* output, bool heap) :
  DCmdWithParser(output, heap),
  _format("format", "text, or json for one JSON object", "STRING", false, "text") {
  _dcmdparser.add_dcmd_argument(&_format);
}

void H2InfoDCmd::execute(DCmdSource source, TRAPS) {
  // The region table changes in a GC only.
  MutexLocker ml(THREAD, Heap_lock);
  if (strcmp(_format.value(), "json") == 0) {
    H2Stats::print_json(output());
  } else if (strcmp(_format.value(), "text") == 0) {
    H2Stats::print_text(output());
  } else {
    output()->print_cr("GC.h2_info: unknown format '%s'; use text or json", _format.value());
  }
}
