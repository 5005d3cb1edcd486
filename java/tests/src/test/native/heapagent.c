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

/*
 * The natives of org.ztera.jvmtests.child.NativeHeap: JVMTI's heap functions and JNI references, for a program
 * that loads this library with System.load. JNI_OnLoad fails where JVMTI cannot do what is needed.
 */

#define _GNU_SOURCE
#include <jni.h>
#include <jvmti.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_org_ztera_jvmtests_child_NativeHeap_##name

static jvmtiEnv *jvmti;
static atomic_long freed_tags;
static atomic_int held; /* 1: a thread is in criticalHold; 2: it may go */
static jobject global_reference;
static jweak weak_global_reference;

static void fail(JNIEnv *env, const char *what) {
    (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/AssertionError"), what);
}

static int check(JNIEnv *env, jvmtiError error, const char *what) {
    if (error != JVMTI_ERROR_NONE) {
        fail(env, what);
    }
    return error == JVMTI_ERROR_NONE;
}

static void JNICALL on_object_free(jvmtiEnv *ti, jlong tag) {
    (void)ti;
    (void)tag;
    atomic_fetch_add(&freed_tags, 1);
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        return JNI_ERR;
    }
    jvmtiCapabilities capabilities;
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_tag_objects = 1;
    capabilities.can_generate_object_free_events = 1;
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ObjectFree = on_object_free;
    if ((*jvmti)->AddCapabilities(jvmti, &capabilities) != JVMTI_ERROR_NONE
        || (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE
        || (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE, NULL) != JVMTI_ERROR_NONE) {
        return JNI_ERR;
    }
    return JNI_VERSION_1_8;
}

static jint JNICALL count_object(jlong class_tag, jlong size, jlong *tag, jint length, void *count) {
    (void)class_tag;
    (void)size;
    (void)tag;
    (void)length;
    ++*(jlong *)count;
    return JVMTI_VISIT_OBJECTS;
}

NATIVE(jlong, iterate)(JNIEnv *env, jclass self, jclass wanted) {
    (void)self;
    jlong count = 0;
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_iteration_callback = count_object;
    check(env, (*jvmti)->IterateThroughHeap(jvmti, 0, wanted, &callbacks, &count), "IterateThroughHeap");
    return count;
}

/* An object is reported once for each reference to it; the first report marks it. */
static const jlong counted_mark = 0x2a2a2a2a;

static jint JNICALL count_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                    jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                    void *count) {
    (void)kind;
    (void)info;
    (void)class_tag;
    (void)referrer_class_tag;
    (void)size;
    (void)referrer_tag;
    (void)length;
    if (*tag == 0) {
        *tag = counted_mark;
        ++*(jlong *)count;
    }
    return JVMTI_VISIT_OBJECTS;
}

static void remove_marks(JNIEnv *env) {
    jint found = 0;
    jobject *objects = NULL;
    if (!check(env, (*jvmti)->GetObjectsWithTags(jvmti, 1, &counted_mark, &found, &objects, NULL), "GetObjectsWithTags")) {
        return;
    }
    for (jint i = 0; i < found; i++) {
        check(env, (*jvmti)->SetTag(jvmti, objects[i], 0), "SetTag");
        (*env)->DeleteLocalRef(env, objects[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)objects);
}

static jlong follow_references(JNIEnv *env, jobject start, jclass wanted) {
    jlong count = 0;
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_reference_callback = count_reference;
    if (check(env, (*jvmti)->FollowReferences(jvmti, 0, wanted, start, &callbacks, &count), "FollowReferences")) {
        remove_marks(env);
    }
    return count;
}

NATIVE(jlong, follow)(JNIEnv *env, jclass self, jclass wanted) {
    (void)self;
    return follow_references(env, NULL, wanted);
}

NATIVE(jlong, followFrom)(JNIEnv *env, jclass self, jobject start, jclass wanted) {
    (void)self;
    return follow_references(env, start, wanted);
}

static jint JNICALL add_int_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                  jlong *tag, jvalue value, jvmtiPrimitiveType type, void *sum) {
    (void)info;
    (void)class_tag;
    (void)tag;
    if (kind == JVMTI_HEAP_REFERENCE_FIELD && type == JVMTI_PRIMITIVE_TYPE_INT) {
        *(jlong *)sum += value.i;
    }
    return 0;
}

NATIVE(jlong, intFieldSum)(JNIEnv *env, jclass self, jclass wanted) {
    (void)self;
    jlong sum = 0;
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.primitive_field_callback = add_int_field;
    check(env, (*jvmti)->IterateThroughHeap(jvmti, 0, wanted, &callbacks, &sum), "IterateThroughHeap with fields");
    return sum;
}

struct written {
    int file;
    jlong bytes;
};

static void write_value(struct written *to, const void *value, size_t bytes) {
    if (write(to->file, value, bytes) == (ssize_t)bytes) {
        to->bytes += (jlong)bytes;
    }
}

static jint JNICALL write_array(jlong class_tag, jlong size, jlong *tag, jint length, jvmtiPrimitiveType type,
                                const void *elements, void *to) {
    (void)class_tag;
    (void)size;
    (void)tag;
    if (type == JVMTI_PRIMITIVE_TYPE_BYTE) {
        write_value(to, elements, (size_t)length);
    }
    return 0;
}

static jint JNICALL write_string(jlong class_tag, jlong size, jlong *tag, const jchar *value, jint length, void *to) {
    (void)class_tag;
    (void)size;
    (void)tag;
    write_value(to, value, sizeof *value * (size_t)length);
    return 0;
}

/* The kernel itself gets what the callbacks gave. */
NATIVE(jlong, writtenValues)(JNIEnv *env, jclass self) {
    (void)self;
    struct written written = {memfd_create("values", 0), 0};
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.array_primitive_value_callback = write_array;
    callbacks.string_primitive_value_callback = write_string;
    check(env, (*jvmti)->IterateThroughHeap(jvmti, JVMTI_HEAP_FILTER_UNTAGGED, NULL, &callbacks, &written),
          "IterateThroughHeap with values");
    close(written.file);
    return written.bytes;
}

NATIVE(void, setTag)(JNIEnv *env, jclass self, jobject object, jlong tag) {
    (void)self;
    check(env, (*jvmti)->SetTag(jvmti, object, tag), "SetTag");
}

NATIVE(jlong, getTag)(JNIEnv *env, jclass self, jobject object) {
    (void)self;
    jlong tag = 0;
    check(env, (*jvmti)->GetTag(jvmti, object, &tag), "GetTag");
    return tag;
}

NATIVE(jobjectArray, objectsWithTags)(JNIEnv *env, jclass self, jlongArray tags) {
    (void)self;
    jint found = 0;
    jobject *objects = NULL;
    jlong *wanted = (*env)->GetLongArrayElements(env, tags, NULL);
    jvmtiError error = (*jvmti)->GetObjectsWithTags(jvmti, (*env)->GetArrayLength(env, tags), wanted, &found, &objects, NULL);
    (*env)->ReleaseLongArrayElements(env, tags, wanted, JNI_ABORT);
    if (!check(env, error, "GetObjectsWithTags")) {
        return NULL;
    }
    jobjectArray result = (*env)->NewObjectArray(env, found, (*env)->FindClass(env, "java/lang/Object"), NULL);
    for (jint i = 0; i < found && result != NULL; i++) {
        (*env)->SetObjectArrayElement(env, result, i, objects[i]);
        (*env)->DeleteLocalRef(env, objects[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)objects);
    return result;
}

NATIVE(jlong, freedTags)(JNIEnv *env, jclass self) {
    (void)env;
    (void)self;
    return atomic_load(&freed_tags);
}

NATIVE(void, holdGlobal)(JNIEnv *env, jclass self, jobject object) {
    (void)self;
    (*env)->DeleteGlobalRef(env, global_reference);
    global_reference = object == NULL ? NULL : (*env)->NewGlobalRef(env, object);
}

NATIVE(void, holdWeakGlobal)(JNIEnv *env, jclass self, jobject object) {
    (void)self;
    weak_global_reference = (*env)->NewWeakGlobalRef(env, object);
}

NATIVE(jobject, global)(JNIEnv *env, jclass self) {
    (void)self;
    return (*env)->NewLocalRef(env, global_reference);
}

NATIVE(jobject, weakGlobal)(JNIEnv *env, jclass self) {
    (void)self;
    return (*env)->NewLocalRef(env, weak_global_reference);
}

static jlong sum_of(const jbyte *bytes, jsize length) {
    jlong sum = 0;
    for (jsize i = 0; i < length; i++) {
        sum += bytes[i];
    }
    return sum;
}

static jlong critical_sum(JNIEnv *env, jbyteArray array) {
    jsize length = (*env)->GetArrayLength(env, array);
    jbyte *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    jlong sum = sum_of(bytes, length);
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, JNI_ABORT);
    return sum;
}

NATIVE(jlong, criticalSum)(JNIEnv *env, jclass self, jbyteArray array) {
    (void)self;
    return critical_sum(env, array);
}

NATIVE(void, criticalFill)(JNIEnv *env, jclass self, jbyteArray array, jbyte value) {
    (void)self;
    jsize length = (*env)->GetArrayLength(env, array);
    jbyte *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    memset(bytes, value, (size_t)length);
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, 0);
}

/* The kernel itself gets what the critical section gave. */
NATIVE(jboolean, criticalCopy)(JNIEnv *env, jclass self, jbyteArray from, jbyteArray to) {
    (void)self;
    jsize length = (*env)->GetArrayLength(env, from);
    int file = memfd_create("critical", 0);
    jbyte *bytes = (*env)->GetPrimitiveArrayCritical(env, from, NULL);
    jboolean good = pwrite(file, bytes, (size_t)length, 0) == length;
    (*env)->ReleasePrimitiveArrayCritical(env, from, bytes, JNI_ABORT);
    bytes = (*env)->GetPrimitiveArrayCritical(env, to, NULL);
    good = good && pread(file, bytes, (size_t)length, 0) == length;
    (*env)->ReleasePrimitiveArrayCritical(env, to, bytes, 0);
    close(file);
    return good;
}

NATIVE(jboolean, criticalIsCopy)(JNIEnv *env, jclass self, jbyteArray array) {
    (void)self;
    jboolean is_copy = 2;
    void *bytes = (*env)->GetPrimitiveArrayCritical(env, array, &is_copy);
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, 0);
    return is_copy == JNI_TRUE;
}

NATIVE(void, criticalWrite)(JNIEnv *env, jclass self, jbyteArray array, jint at, jbyte value, jint mode) {
    (void)self;
    jbyte *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    bytes[at] = value;
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, mode);
}

NATIVE(jboolean, criticalSeesItself)(JNIEnv *env, jclass self, jbyteArray first, jbyteArray second, jint at, jbyte value) {
    (void)self;
    jbyte *to = (*env)->GetPrimitiveArrayCritical(env, first, NULL);
    volatile jbyte *from = (*env)->GetPrimitiveArrayCritical(env, second, NULL);
    to[at] = value;
    jboolean seen = from[at] == value;
    (*env)->ReleasePrimitiveArrayCritical(env, second, (void *)from, 0);
    (*env)->ReleasePrimitiveArrayCritical(env, first, to, 0);
    return seen;
}

/* Code that works on every HotSpot although the release is not that of the get. */
NATIVE(void, criticalSloppy)(JNIEnv *env, jclass self, jbyteArray array, jbyteArray other, jint kind) {
    (void)self;
    jsize length = (*env)->GetArrayLength(env, array);
    jbyte *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    jbyte *at = bytes;
    for (jsize i = 0; i < length; i++) {
        *at = (jbyte)(*at + 1);
        at++;
    }
    switch (kind) {
        case 0: /* the pointer has moved along */
            (*env)->ReleasePrimitiveArrayCritical(env, array, at, 0);
            break;
        case 1: /* no pointer */
            (*env)->ReleasePrimitiveArrayCritical(env, array, NULL, 0);
            break;
        case 2: /* another array */
            (*env)->ReleasePrimitiveArrayCritical(env, other, bytes, 0);
            break;
        case 3: /* no changes, though there are some */
            (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, JNI_ABORT);
            break;
        case 4: { /* two sections, crossed */
            jbyte *others = (*env)->GetPrimitiveArrayCritical(env, other, NULL);
            (*env)->ReleasePrimitiveArrayCritical(env, array, others, 0);
            (*env)->ReleasePrimitiveArrayCritical(env, other, bytes, 0);
            break;
        }
        default: /* neither is that of the get */
            (*env)->ReleasePrimitiveArrayCritical(env, other, &kind, 0);
    }
}

static size_t element_size(JNIEnv *env, jobject array) {
    static const char *const types[] = {"[Z", "[B", "[C", "[S", "[I", "[F", "[J", "[D"};
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if ((*env)->IsInstanceOf(env, array, (*env)->FindClass(env, types[i]))) {
            return sizes[i];
        }
    }
    fail(env, "no primitive array");
    return 0;
}

NATIVE(void, criticalFillAny)(JNIEnv *env, jclass self, jobject array, jbyte value) {
    (void)self;
    size_t size = element_size(env, array) * (size_t)(*env)->GetArrayLength(env, array);
    void *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    memset(bytes, value, size);
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, 0);
}

NATIVE(jboolean, criticalNested)(JNIEnv *env, jclass self, jbyteArray outer, jbyteArray inner) {
    (void)self;
    jsize outer_length = (*env)->GetArrayLength(env, outer);
    jsize inner_length = (*env)->GetArrayLength(env, inner);
    jbyte *outer_bytes = (*env)->GetPrimitiveArrayCritical(env, outer, NULL);
    jbyte *inner_bytes = (*env)->GetPrimitiveArrayCritical(env, inner, NULL);
    jlong sum = sum_of(outer_bytes, outer_length) + sum_of(inner_bytes, inner_length);
    (*env)->ReleasePrimitiveArrayCritical(env, inner, inner_bytes, 0);
    (*env)->ReleasePrimitiveArrayCritical(env, outer, outer_bytes, 0);
    return sum == critical_sum(env, outer) + critical_sum(env, inner);
}

NATIVE(void, criticalHoldAndWrite)(JNIEnv *env, jclass self, jbyteArray array, jint at, jbyte value) {
    (void)self;
    jbyte *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    atomic_store(&held, 1);
    while (atomic_load(&held) == 1) {
        sched_yield();
    }
    bytes[at] = value;
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, 0);
}

/* Collections wait meanwhile. */
NATIVE(void, criticalHold)(JNIEnv *env, jclass self, jbyteArray array) {
    (void)self;
    jbyte *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    atomic_store(&held, 1);
    while (atomic_load(&held) == 1) {
        sched_yield();
    }
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, JNI_ABORT);
}

NATIVE(jboolean, criticalHeld)(JNIEnv *env, jclass self) {
    (void)env;
    (void)self;
    return atomic_load(&held) == 1;
}

NATIVE(void, criticalRelease)(JNIEnv *env, jclass self) {
    (void)env;
    (void)self;
    atomic_store(&held, 2);
}

NATIVE(jlong, stringLength)(JNIEnv *env, jclass self, jstring string) {
    (void)self;
    jsize length = (*env)->GetStringLength(env, string);
    const jchar *chars = (*env)->GetStringCritical(env, string, NULL);
    jlong count = 0;
    for (jsize i = 0; i < length; i++) {
        count += chars[i] != 0;
    }
    (*env)->ReleaseStringCritical(env, string, chars);
    return count;
}
