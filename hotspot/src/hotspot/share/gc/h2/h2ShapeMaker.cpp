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

#include "classfile/classLoaderData.inline.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/systemDictionary.hpp"
#include "gc/h2/h2ShapeMaker.hpp"
#include "gc/shared/cardTable.hpp"

ClassLoaderData* H2ShapeMaker::_platform = nullptr;
ClassLoaderData* H2ShapeMaker::_system = nullptr;

H2ShapeMaker::H2ShapeMaker() :
  _writer(), _shape(), _packer(), _block(NoBlock), _end(nullptr), _has_first(false), _failed(false), _has_referents(false), _references(), _state(None),
  _spans(false), _words(0), _referent(H2ShapeEntry::NoReferent), _loader(nullptr) {}

static ClassLoaderData* data_of(oop loader) {
  return loader == nullptr ? nullptr : java_lang_ClassLoader::loader_data_acquire(loader);
}

void H2ShapeMaker::prepare() {
  _platform = data_of(SystemDictionary::java_platform_loader());
  _system = data_of(SystemDictionary::java_system_loader());
}

// One that is never unloaded need not be kept.
bool H2ShapeMaker::is_named(const ClassLoaderData* loader) {
  return loader != nullptr && loader != _system && loader != _platform && !loader->is_the_null_class_loader_data();
}

void H2ShapeMaker::open(size_t block) {
  _block = block;
  _end = H2Shapes::address(block + 1);
  _has_first = false;
  _failed = false;
  _has_referents = false;
  _writer.begin(H2Shapes::word(H2Shapes::address(block)));
}

// An entry begins at p.
void H2ShapeMaker::enter(HeapWord* p) {
  close_object();
  const size_t block = H2Shapes::block(p);
  if (block != _block) {
    flush();
    open(block);
  }
  if (!_has_first) {
    _writer.set_first(pointer_delta(p, H2Shapes::address(block)));
    _has_first = true;
  }
}

void H2ShapeMaker::close_object() {
  const uint64_t* const references = _references.is_empty() ? nullptr : _references.adr_at(0);
  if (_state == Begun) {
    uint32_t loader = _loader == nullptr ? 0 : _writer.loader((uint64_t)_loader);
    if (loader == UINT32_MAX) {
      _failed = true;
      loader = 0;
    }
    _writer.object(_words, loader, _spans, references, _references.length(), _referent);
  } else if (_state == Carried) {
    _writer.carry(references, _references.length());
  }
  _references.clear();
  _referent = H2ShapeEntry::NoReferent;
  _state = None;
}

uint8_t H2ShapeMaker::flags() const {
  uint8_t flags = _writer.has_gaps() ? H2Shapes::Gaps : 0;
  if (_has_referents) {
    flags |= H2Shapes::Referents;
  }
  if (_writer.reach() > 0) {
    flags |= H2Shapes::Reaches;
  }
  if (_writer.reach() > CardTable::card_size_in_words()) {
    flags |= H2Shapes::ReachesFar;
  }
  if (_writer.is_whole() && H2Shapes::note_whole(_block, _writer.objects(), _writer.words())) {
    flags |= H2Shapes::Whole;
  }
  return flags;
}

void H2ShapeMaker::flush() {
  if (_block == NoBlock) {
    return;
  }
  if (!_has_first) {
    _writer.set_first(H2Shapes::block_words());
  }
  _shape.clear();
  _shape.set_end(_writer.finish(_shape.room(_writer.length())));
  if (_failed) {
    H2Shapes::set_missing(_block);
    H2Shapes::settle(_block, _shape.data(), _shape.length());
  } else {
    _packer.add(_block, _shape.data(), _shape.length(), flags());
  }
  _block = NoBlock;
  _end = nullptr;
}

void H2ShapeMaker::begin(HeapWord* p, size_t words, Kind kind, ClassLoaderData* loader) {
  enter(p);
  _state = Begun;
  _words = words;
  _loader = is_named(loader) ? loader : nullptr;
  const bool is_long = p + words > _end;
  _spans = is_long && kind == ReferenceArray;
  if (is_long && kind == Instance) {
    _writer.set_reach(pointer_delta(p + words, _end));
  }
}

void H2ShapeMaker::carry(HeapWord* p) {
  close_object();
  flush();
  open(H2Shapes::block(p));
  _state = Carried;
}

void H2ShapeMaker::filler(HeapWord* p, size_t words) {
  enter(p);
  _writer.filler(words);
}

void H2ShapeMaker::gap(HeapWord* p, size_t words) {
  enter(p);
  _writer.gap(words);
}

void H2ShapeMaker::finish() {
  close_object();
  flush();
  _packer.flush();
}
