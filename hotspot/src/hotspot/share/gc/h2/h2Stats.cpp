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

#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2Due.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2LabelUse.hpp"
#include "gc/h2/h2Returner.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/h2/h2Stats.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/shared/gc_globals.hpp"
#include "memory/resourceArea.hpp"
#include "utilities/align.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/ostream.hpp"
#include "utilities/vmError.hpp"

size_t H2Stats::_moved_objects = 0;
size_t H2Stats::_moved_bytes = 0;
size_t H2Stats::_moves = 0;
double H2Stats::_last_move_seconds = 0;

void H2Stats::record_move(size_t objects, size_t bytes, double seconds) {
  _moved_objects += objects;
  _moved_bytes += bytes;
  _moves += objects > 0 ? 1 : 0;
  _last_move_seconds = seconds;
}

void H2Stats::read(jlong values[Count]) {
  for (int i = 0; i < Count; i++) {
    values[i] = 0;
  }
  if (!H2Heap::is_enabled()) {
    return;
  }
  const H2RegionTable* const regions = H2Heap::regions();
  values[CapacityBytes] = H2Heap::capacity();
  values[UsedBytes] = H2Heap::used();
  values[RegionBytes] = H2RegionSize;
  values[RegionsTotal] = regions->length();
  values[RegionsUsed] = regions->in_use();
  values[RegionsFreed] = regions->freed();
  values[MovedObjects] = _moved_objects;
  values[MovedBytes] = _moved_bytes;
  values[Tags] = H2Tags::count();
  values[DueBytes] = H2Due::bytes();
  H2EngineStats engine;
  if (H2Heap::backend()->stats(&engine)) {
    values[ResidentBytes] = engine.resident_bytes;
    values[StagedBytes] = engine.staged_bytes;
    values[OrigDataSize] = engine.orig_data_size - engine.bd_data_size;
    values[ComprDataSize] = engine.compr_data_size;
    values[MemUsedTotal] = engine.mem_used_total;
    values[SamePages] = engine.same_pages;
    values[HugePages] = engine.huge_pages;
    values[FaultCount] = engine.fault_count;
    values[SsdDataSize] = engine.bd_data_size;
    values[SsdUsed] = engine.bd_used;
    values[SsdReads] = engine.bd_read_bytes;
    values[SsdWrites] = engine.bd_write_bytes;
  }
}

static void print_use_json(outputStream* st, const H2LabelUse& use) {
  st->print("\"label\":" JLONG_FORMAT ",\"regions\":%u,\"used_bytes\":%zu,\"dead_bytes\":%zu,",
            use._label, use._regions, use._bytes, use._dead);
  st->print("\"resident_bytes\":%zu,\"compressed_bytes\":%zu,\"idle_bytes\":%zu,\"ssd_bytes\":%zu,",
            use._census._resident, use._census._compressed, use._census._idle, use._census._ssd);
  st->print("\"written_bytes\":%zu,\"rewritten_bytes\":%zu}", use._census._written, use._census._rewritten);
}

static void print_use(outputStream* st, const H2LabelUse& use) {
  st->print_cr("label " JLONG_FORMAT ": %u regions, %zuK (dead %zuK); resident %zuK (written %zuK), compressed %zuK (idle %zuK), on SSD %zuK; "
               "compressed again %zuK",
               use._label, use._regions, use._bytes / K, use._dead / K, use._census._resident / K, use._census._written / K,
               use._census._compressed / K, use._census._idle / K, use._census._ssd / K, use._census._rewritten / K);
}

void H2Stats::print_labels_json(outputStream* st) {
  ResourceMark rm;
  GrowableArray<H2LabelUse> uses;
  H2LabelUse::collect(&uses);
  st->print("\"labels\":[");
  for (int i = 0; i < uses.length(); i++) {
    st->print("%s{", i == 0 ? "" : ",");
    print_use_json(st, uses.at(i));
  }
  st->print("],");
}

// Calls f with the index and the use of each region.
template <typename Function>
static void each_region(Function f) {
  const H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->limit(); i++) {
    const H2Region* const region = regions->at(i);
    if (region->is_in_use()) {
      H2LabelUse use{region->label(), 0, 0, 0, {}};
      use.add(region);
      f(i, use);
    }
  }
}

static void print_regions_json(outputStream* st) {
  st->print("\"region_list\":[");
  const char* separator = "";
  each_region([&](uint index, const H2LabelUse& use) {
    st->print("%s{\"region\":%u,", separator, index);
    print_use_json(st, use);
    separator = ",";
  });
  st->print("],");
}

void H2Stats::print_engine_json(outputStream* st) {
  H2EngineStats engine;
  if (!H2Heap::backend()->stats(&engine)) {
    return;
  }
  const char* separator = "\"engine\":{";
#define H2_PRINT_STAT(name)                                       \
  st->print("%s\"" #name "\":" UINT64_FORMAT, separator, engine.name); \
  separator = ",";
  H2_ENGINE_STATS_DO(H2_PRINT_STAT)
#undef H2_PRINT_STAT
  st->print("},");
}

// Prints nothing where H2 has no share of the memory limit, or the first GC is still to come.
static void print_memory_json(outputStream* st) {
  const H2Division& division = H2Budget::division();
  if (division._limit > 0) {
    st->print("\"memory\":{\"limit_bytes\":%zu,\"h1_bytes\":%zu,\"beside_bytes\":%zu,\"staging_bytes\":%zu,\"h2_bytes\":%zu},",
              division._limit, division._h1, division._beside, division._staging, division._h2);
  }
}

static void sum_lists(int* dependencies, int* loaders, int* roots) {
  const H2RegionTable* const regions = H2Heap::regions();
  for (uint i = 0; i < regions->limit(); i++) {
    *dependencies += regions->at(i)->dependencies()->length();
    *loaders += regions->at(i)->loaders()->length();
    *roots += regions->at(i)->roots()->length();
  }
}

// Memory that H2 needs besides its pages.
void H2Stats::print_overhead_json(outputStream* st) {
  int dependencies = 0;
  int loaders = 0;
  int roots = 0;
  sum_lists(&dependencies, &loaders, &roots);
  st->print("\"table_bytes\":%zu,\"shape_bytes\":%zu,\"plain_shape_bytes\":%zu,\"dependencies\":%d,\"loaders\":%d,\"moved_roots\":%d,",
            H2Heap::regions()->table_bytes(), H2Shapes::bytes(), H2Shapes::plain_bytes(), dependencies, loaders, roots);
}

void H2Stats::print_json(outputStream* st, bool labels, bool each) {
  if (!H2Heap::is_enabled()) {
    st->print_cr("{\"enabled\":false}");
    return;
  }
  const H2RegionTable* const regions = H2Heap::regions();
  st->print("{\"enabled\":true,\"backing\":\"%s\",\"capacity_bytes\":%zu,\"used_bytes\":%zu,",
            H2Heap::backend()->name(), H2Heap::capacity(), H2Heap::used());
  st->print("\"region_bytes\":%zu,\"regions_total\":%u,\"regions_used\":%u,\"regions_freed\":%zu,",
            H2RegionSize, regions->length(), regions->in_use(), regions->freed());
  st->print("\"tags\":%d,\"moved_objects\":%zu,\"moved_bytes\":%zu,\"moves\":%zu,\"last_move_seconds\":%.6f,\"returned_bytes\":%zu,",
            H2Tags::count(), _moved_objects, _moved_bytes, _moves, _last_move_seconds, H2Returner::returned_bytes());
  st->print("\"due_bytes\":%zu,", H2Due::bytes());
  print_overhead_json(st);
  print_memory_json(st);
  if (labels) {
    print_labels_json(st);
  }
  print_engine_json(st);
  H2Heap::backend()->print_faults_json(st);
  if (each) {
    print_regions_json(st);
  }
  st->print("\"decisions\":");
  H2Decisions::print_json(st);
  st->print_cr("}");
}

static void print_labels(outputStream* st) {
  ResourceMark rm;
  GrowableArray<H2LabelUse> uses;
  H2LabelUse::collect(&uses);
  for (const H2LabelUse& use : uses) {
    st->print("  ");
    print_use(st, use);
  }
}

void H2Stats::print_on(outputStream* st) {
  const MemRegion range = H2Heap::range();
  const H2RegionTable* const regions = H2Heap::regions();
  const H2Backend* const backend = H2Heap::backend();
  if (!H2Heap::is_enabled() || regions == nullptr) {
    return;
  }
  st->print(" %-15s total %zuK, used %zuK", "H2", H2Heap::capacity() / K, H2Heap::used() / K);
  st->print_cr(" [" PTR_FORMAT ", " PTR_FORMAT ")", p2i(range.start()), p2i(range.end()));
  st->print_cr("  %u of %u regions in use, %zuK each, backing %s",
               regions->in_use(), regions->length(), H2RegionSize / K,
               backend != nullptr ? backend->name() : "not open");
  if (backend != nullptr) {
    backend->print_on(st);
  }
  H2Budget::print_on(st);
  if (VMError::is_error_reported()) {
    H2Decisions::print_on(st);
  }
}

void H2Stats::print_text(outputStream* st, bool labels, bool each) {
  if (!H2Heap::is_enabled()) {
    st->print_cr("H2 is off. Start the VM with -XX:H2Size=<bytes> to have it.");
    return;
  }
  print_on(st);
  st->print_cr("  moved %zu objects, %zuK in %zu full GCs, last copy %.3fs; freed %zu regions; %d tags; returned %zuK; due %zuK",
               _moved_objects, _moved_bytes / K, _moves, _last_move_seconds, H2Heap::regions()->freed(), H2Tags::count(),
               H2Returner::returned_bytes() / K, H2Due::bytes() / K);
  st->print_cr("  shapes %zuK, of %zuK plain", H2Shapes::bytes() / K, H2Shapes::plain_bytes() / K);
  H2Decisions::print_on(st);
  if (labels) {
    print_labels(st);
  }
  if (each) {
    each_region([&](uint index, const H2LabelUse& use) {
      st->print("  region %u: ", index);
      print_use(st, use);
    });
  }
}
