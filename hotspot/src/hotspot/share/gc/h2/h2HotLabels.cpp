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

#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2HotLabels.hpp"
#include "gc/h2/h2HotRule.hpp"
#include "gc/h2/h2Labels.hpp"
#include "gc/h2/h2LabelUse.hpp"
#include "gc/h2/h2Tags.hpp"
#include "logging/log.hpp"
#include "memory/resourceArea.hpp"

H2HotLabels::Bytes* H2HotLabels::_rewritten = nullptr;

// Counts end with the regions that they are of, so they may be less than before.
size_t H2HotLabels::rewritten_since_full_gc(const H2LabelUse& use) {
  const size_t* const before = _rewritten == nullptr ? nullptr : _rewritten->get(use._label);
  const size_t now = use._census._rewritten;
  return before == nullptr || *before > now ? now : now - *before;
}

bool H2HotLabels::is_hot(const H2LabelUse& use, size_t rewritten) {
  const H2HotSnapshot snapshot = { use._bytes, use._census._resident, use._census._written, rewritten };
  return use._label != H2OwnLabels::Constants && !H2Tags::is_requested(use._label) && H2HotRule::is_hot(snapshot);
}

bool H2HotLabels::find(jlong* label) {
  ResourceMark rm;
  GrowableArray<H2LabelUse> uses;
  H2LabelUse::collect(&uses);
  Bytes* const rewritten = new Bytes();
  const H2LabelUse* hottest = nullptr;
  for (int i = 0; i < uses.length(); i++) {
    const H2LabelUse& use = *uses.adr_at(i);
    const size_t since = rewritten_since_full_gc(use);
    log_debug(gc, h2)("Label " JLONG_FORMAT ": %zuK, resident %zuK, written %zuK; compressed again since the last full GC %zuK",
                      use._label, use._bytes / K, use._census._resident / K, use._census._written / K, since / K);
    if (is_hot(use, since) && (hottest == nullptr || use._census._written > hottest->_census._written)) {
      hottest = &use;
    }
    if (use._census._rewritten > 0) {
      bool is_new;
      rewritten->get_or_add(use._label, use._census._rewritten, &is_new);
    }
  }
  if (hottest != nullptr) {
    *label = hottest->_label;
    H2Decisions::note("Label " JLONG_FORMAT " is hot: of its %zuK, the program wrote to %zuK of %zuK in memory, and %zuK were compressed "
                      "again since the last full GC", hottest->_label, hottest->_bytes / K, hottest->_census._written / K,
                      hottest->_census._resident / K, rewritten_since_full_gc(*hottest) / K);
  }
  delete _rewritten;
  _rewritten = rewritten;
  return hottest != nullptr;
}
