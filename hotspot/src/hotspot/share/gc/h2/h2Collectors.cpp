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

#include "gc/h2/h2Collectors.hpp"
#include "gc/h2/parallel/h2Parallel.hpp"

// With h2Collectors.inline.hpp, the place that chooses.
bool H2Collectors::select()         { return H2Parallel::select(); }
bool H2Collectors::may_be_chosen()  { return H2Parallel::may_be_chosen(); }
const char* H2Collectors::refusal() { return H2Parallel::refusal(); }
H2Collector* H2Collectors::make()   { return new H2Parallel(); }
