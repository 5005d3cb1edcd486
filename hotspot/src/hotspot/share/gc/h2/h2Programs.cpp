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

#include "gc/h2/h2ProgramRule.hpp"
#include "gc/h2/h2Programs.hpp"
#include "gc/shared/gc_globals.hpp"
#include "runtime/arguments.hpp"
#include "runtime/globals_extension.hpp"
#include "runtime/os.hpp"

// One of these properties repeats the command line, and another is the class path.
static bool is_of_jdk(const char* key) {
  return strncmp(key, "java.", 5) == 0 || strncmp(key, "sun.", 4) == 0 || strncmp(key, "jdk.", 4) == 0;
}

static bool asks() {
  for (const SystemProperty* p = Arguments::system_properties(); p != nullptr; p = p->next()) {
    if (p->value() != nullptr && !is_of_jdk(p->key()) && H2ProgramRule::asks_by_value(p->value())) {
      return true;
    }
  }
  const char* const command = Arguments::java_command();
  return command != nullptr && H2ProgramRule::asks_by_command(command);
}

size_t H2Programs::wanted_size() {
  return asks() ? H2ProgramRule::size(FLAG_IS_DEFAULT(MaxHeapSize) ? (size_t)os::physical_memory() / 4 : MaxHeapSize) : 0;
}
