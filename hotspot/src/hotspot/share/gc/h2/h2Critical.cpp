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
#include "gc/h2/h2Critical.hpp"
#include "gc/h2/h2Faults.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "memory/allocation.inline.hpp"
#include "memory/universe.hpp"
#include "oops/arrayOop.hpp"
#include "oops/typeArrayKlass.hpp"
#include "oops/typeArrayOop.inline.hpp"
#include "runtime/globals.hpp"
#include "runtime/javaThread.hpp"
#include "runtime/jniHandles.inline.hpp"

// Lies before what native code gets, which is aligned like any memory of the C heap.
class alignas(16) H2Critical::Copy {
  const size_t _bytes;
  const size_t _kept_bytes;  // behind the elements: as they were at first

  Copy(size_t bytes, size_t kept_bytes) : _bytes(bytes), _kept_bytes(kept_bytes) {}

  char* kept() { return elements() + _bytes; }

  template <typename T>
  void write_changes(T* array) {
    T* const now = (T*)elements();
    T* const before = (T*)kept();
    for (size_t i = 0; i < _kept_bytes / sizeof(T); i++) {
      if (now[i] != before[i]) {
        array[i] = now[i];
        before[i] = now[i];
      }
    }
  }

 public:
  // Both sizes in bytes, of which the second is 0 where there will be no changes.
  static Copy* make(const void* elements, size_t bytes, size_t kept_bytes) {
    const size_t padded = align_up(bytes, (size_t)BytesPerLong);
    void* const memory = NEW_C_HEAP_ARRAY_RETURN_NULL(char, sizeof(Copy) + padded + kept_bytes, mtGC);
    if (memory == nullptr) {
      return nullptr;
    }
    Copy* const copy = ::new (memory) Copy(padded, kept_bytes);
    memcpy(copy->elements(), elements, bytes);
    memcpy(copy->kept(), copy->elements(), kept_bytes);
    return copy;
  }

  static Copy* of(void* elements) { return (Copy*)elements - 1; }
  static void free(Copy* copy)    { FREE_C_HEAP_ARRAY(char, (char*)copy); }

  char* elements() { return (char*)(this + 1); }

  // Element by element, so that nobody sees half of one.
  void write_to(typeArrayOop array) {
    void* const elements = array->base(TypeArrayKlass::cast(array->klass())->element_type());
    switch (TypeArrayKlass::cast(array->klass())->log2_element_size()) {
      case 0: return write_changes((uint8_t*)elements);
      case 1: return write_changes((uint16_t*)elements);
      case 2: return write_changes((uint32_t*)elements);
      case 3: return write_changes((uint64_t*)elements);
      default: ShouldNotReachHere();
    }
  }
};

bool H2Critical::has_to_copy(oop array, size_t bytes) {
  if (bytes > MaxBytes) {
    H2Faults::expose(array);
  }
  return H2Heap::backend()->serves_callers();
}

void* H2Critical::copy(JavaThread* thread, oop array, size_t bytes, size_t kept_bytes, jboolean* is_copy) {
  const void* const elements = arrayOop(array)->base(TypeArrayKlass::cast(array->klass())->element_type());
  Copy* const copy = Copy::make(elements, bytes, kept_bytes);
  Universe::heap()->unpin_object(thread, array);
  if (copy == nullptr) {
    return nullptr;
  }
  if (is_copy != nullptr) {
    *is_copy = JNI_TRUE;
  }
  return copy->elements();
}

static size_t bytes_of(oop array) {
  return (size_t)arrayOop(array)->length() << TypeArrayKlass::cast(array->klass())->log2_element_size();
}

void* H2Critical::elements(JavaThread* thread, oop array, void* elements, jboolean* is_copy) {
  if (!H2Heap::contains(array)) {
    return elements;
  }
  const size_t bytes = bytes_of(array);
  return has_to_copy(array, bytes) ? copy(thread, array, bytes, bytes, is_copy) : elements;
}

jchar* H2Critical::chars(JavaThread* thread, oop value, jchar* chars, jboolean* is_copy) {
  if (!H2Heap::contains(value)) {
    return chars;
  }
  const size_t bytes = bytes_of(value);
  return has_to_copy(value, bytes) ? (jchar*)copy(thread, value, bytes, 0, is_copy) : chars;
}

// The elements of an empty array may be at the end of the heap. No copy's are: there is
// always something before them.
static bool is_copy(const void* elements) {
  if (!H2Heap::is_enabled()) {
    return false;
  }
  return elements < H2Heap::start() || elements > H2Heap::h1().end();
}

bool H2Critical::release(jarray array, void* elements, jint mode) {
  if (!is_copy(elements)) {
    return false;
  }
  Copy* const copy = Copy::of(elements);
  if (mode != JNI_ABORT) {
    copy->write_to(typeArrayOop(JNIHandles::resolve_non_null(array)));
  }
  // The checks of -Xcheck:jni give their own copy back at any release, and never come again.
  if (mode != JNI_COMMIT || CheckJNICalls) {
    Copy::free(copy);
  }
  return true;
}

bool H2Critical::release(const jchar* chars) {
  if (!is_copy(chars)) {
    return false;
  }
  Copy::free(Copy::of((void*)chars));
  return true;
}
