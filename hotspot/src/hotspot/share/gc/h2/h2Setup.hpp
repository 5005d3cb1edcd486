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

#ifndef SHARE_GC_H2_H2SETUP_HPP
#define SHARE_GC_H2_H2SETUP_HPP

#include "memory/allStatic.hpp"

class CardTable;

// Puts H2 together from its parts. It knows them all, and none of them knows it.
class H2Setup : AllStatic {
 public:
  // Opens the backing and sets up the tables, if H2 is on. Exits the VM with a message when
  // that fails. While the heap is made; the card table covers the whole reservation.
  static void initialize(CardTable* cards);
};

#endif // SHARE_GC_H2_H2SETUP_HPP
