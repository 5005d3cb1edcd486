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

#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Natives.hpp"
#include "gc/h2/h2References.hpp"
#include "gc/h2/h2Stats.hpp"
#include "gc/h2/h2Tags.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "memory/oopFactory.hpp"
#include "memory/universe.hpp"
#include "oops/method.hpp"
#include "oops/typeArrayOop.inline.hpp"
#include "runtime/handles.inline.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/jniHandles.inline.hpp"

JVM_LEAF(jboolean, H2_IsEnabled(JNIEnv* env, jclass ignored))
  return H2Heap::is_enabled();
JVM_END

JVM_ENTRY(void, H2_Tag(JNIEnv* env, jclass ignored, jobject root, jlong label))
  if (H2Heap::is_enabled() && root != nullptr) {
    H2Tags::add(JNIHandles::resolve_non_null(root), label);
  }
JVM_END

JVM_ENTRY(void, H2_Move(JNIEnv* env, jclass ignored, jlong label))
  if (H2Heap::is_enabled()) {
    H2Tags::request_move(label);
  }
JVM_END

JVM_ENTRY(void, H2_MoveNow(JNIEnv* env, jclass ignored, jlong label))
  if (H2Heap::is_enabled()) {
    H2Tags::request_move(label);
    Universe::heap()->collect(GCCause::_java_lang_system_gc);
  }
JVM_END

JVM_ENTRY(void, H2_Collect(JNIEnv* env, jclass ignored))
  if (H2Heap::is_enabled()) {
    H2References::asked(thread);
    Universe::heap()->collect(GCCause::_java_lang_system_gc);
  }
JVM_END

JVM_ENTRY(jboolean, H2_Contains(JNIEnv* env, jclass ignored, jobject object))
  const oop obj = JNIHandles::resolve(object);
  return obj != nullptr && H2Heap::contains(obj);
JVM_END

JVM_ENTRY(jlongArray, H2_Stats(JNIEnv* env, jclass ignored))
  jlong values[H2Stats::Count];
  H2Stats::read(values);
  typeArrayOop array = oopFactory::new_longArray(H2Stats::Count, CHECK_NULL);
  for (int i = 0; i < H2Stats::Count; i++) {
    array->long_at_put(i, values[i]);
  }
  return (jlongArray)JNIHandles::make_local(THREAD, array);
JVM_END

struct H2NativeMethod {
  const char* _name;
  const char* _signature;
  address     _entry;
};

static const H2NativeMethod methods[] = {
  { "isEnabled0", "()Z",                    CAST_FROM_FN_PTR(address, H2_IsEnabled) },
  { "tag0",       "(Ljava/lang/Object;J)V", CAST_FROM_FN_PTR(address, H2_Tag) },
  { "move0",      "(J)V",                   CAST_FROM_FN_PTR(address, H2_Move) },
  { "moveNow0",   "(J)V",                   CAST_FROM_FN_PTR(address, H2_MoveNow) },
  { "collect0",   "()V",                    CAST_FROM_FN_PTR(address, H2_Collect) },
  { "contains0",  "(Ljava/lang/Object;)Z",  CAST_FROM_FN_PTR(address, H2_Contains) },
  { "stats0",     "()[J",                   CAST_FROM_FN_PTR(address, H2_Stats) },
};

address H2Natives::lookup(Method* method) {
  if (!method->method_holder()->name()->equals("org/ztera/H2")) {
    return nullptr;
  }
  for (const H2NativeMethod& candidate : methods) {
    if (method->name()->equals(candidate._name) && method->signature()->equals(candidate._signature)) {
      return candidate._entry;
    }
  }
  return nullptr;
}
