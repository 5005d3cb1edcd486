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

#ifndef SHARE_GC_H2_H2GROUPFINDER_HPP
#define SHARE_GC_H2_H2GROUPFINDER_HPP

#include "gc/h2/h2Candidates.hpp"
#include "gc/h2/h2FinderWorker.hpp"
#include "gc/h2/h2LabelIndices.hpp"
#include "gc/h2/h2PreservedMarks.hpp"
#include "gc/shared/partialArrayState.hpp"
#include "gc/shared/taskqueue.hpp"
#include "memory/allocation.hpp"
#include "utilities/growableArray.hpp"

// Finds the closure of tagged roots within the live objects of H1 and makes it
// candidates. By all workers at once. An object that two groups reach belongs to the
// one that came first.
class H2GroupFinder {
 public:
  typedef GenericTaskQueueSet<H2FinderWorker::Queue, mtGC> QueueSet;

  struct Root {
    oop   _object;
    jlong _label;
  };

 private:
  const uint                          _num_workers;
  QueueSet                            _queues;
  PartialArrayStateManager            _open_arrays;  // outlives the workers
  GrowableArrayCHeap<H2FinderWorker*, mtGC> _workers;
  H2LabelIndices                      _indices;

  void find_constants();

  friend class H2FinderTask;

 public:
  // Each worker stops claiming at max_words; what is left over stays in H1.
  H2GroupFinder(uint num_workers, size_t max_words);
  ~H2GroupFinder();

  // Adds the closure of these roots, cut at about limit words. Returns the words
  // that became candidates.
  size_t find(const GrowableArrayCHeap<Root, mtGC>& roots, size_t limit = SIZE_MAX);
  // The workers claim about so many more words.
  void set_limit(size_t words);
  // Decides about the held objects that the groups met; once, at the end.
  void finish(H2PreservedMarks* marks);

  H2LabelIndices* indices()                                      { return &_indices; }
  // The number that stands for the label in a candidate's header.
  uint index_of(jlong label)                                     { return _indices.index_of(label); }
  // False if it has none.
  bool has_index(jlong label, uint* index) const                 { return _indices.has_index(label, index); }
  H2FinderWorker* worker(uint id) { return _workers.at(id); }
  QueueSet* queues()             { return &_queues; }
  size_t words() const;
  // Objects of the label were left out because of a limit.
  bool was_cut(uint label_index) const;
  const GrowableArrayCHeap<jlong, mtGC>& labels() const          { return _indices.labels(); }
};

#endif // SHARE_GC_H2_H2GROUPFINDER_HPP
