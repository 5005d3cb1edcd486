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


#ifndef SHARE_GC_H2_H2UNSTORED_HPP
#define SHARE_GC_H2_H2UNSTORED_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

struct H2EngineStats;

// Data of H2 of which the engine has no compressed object yet: what samples of moves say that they will take.
class H2Unstored : AllStatic {
  static double _raw_part;   // of them, what does not compress
  static double _cost;       // memory for each byte, once it is stored

 public:
  // So many bytes move. A sample says what they will take. In a full GC, by the VM thread.
  static void will_move(size_t bytes, double raw_part, double cost, const H2EngineStats& engine);

  // Where nothing is stored on SSD.
  static size_t bytes(const H2EngineStats& engine);
  static size_t raw_bytes(const H2EngineStats& engine);
  // 1 if nobody knows.
  static double cost() { return _cost; }
};

#endif // SHARE_GC_H2_H2UNSTORED_HPP
