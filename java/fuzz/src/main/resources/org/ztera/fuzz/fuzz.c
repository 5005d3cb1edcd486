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

/* The bodies of org.ztera.fuzz.rt.Natives. */

#define _GNU_SOURCE
#include <jni.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <threads.h>
#include <unistd.h>

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_org_ztera_fuzz_rt_Natives_##name

static void run(JNIEnv *env, jobject code) {
    jclass runnable = (*env)->FindClass(env, "java/lang/Runnable");
    (*env)->CallVoidMethod(env, code, (*env)->GetMethodID(env, runnable, "run", "()V"));
}

NATIVE(void, holdLocally)(JNIEnv *env, jclass c, jobjectArray array, jobject code) {
    (void)c;
    const jsize n = (*env)->GetArrayLength(env, array);
    jobject *held = malloc(sizeof(jobject) * (size_t)(n + 1));
    if (held == NULL || (*env)->PushLocalFrame(env, n + 8) != 0) {
        free(held);
        return;
    }
    for (jsize i = 0; i < n; i++) {
        held[i] = (*env)->GetObjectArrayElement(env, array, i);
        (*env)->SetObjectArrayElement(env, array, i, NULL);
    }
    run(env, code);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    for (jsize i = 0; i < n; i++) {
        (*env)->SetObjectArrayElement(env, array, i, held[i]);
    }
    free(held);
    thrown = (*env)->PopLocalFrame(env, thrown);
    if (thrown != NULL) {
        (*env)->Throw(env, thrown);
    }
}

NATIVE(jlong, newGlobal)(JNIEnv *env, jclass c, jobject o) {
    (void)c;
    return (jlong)(intptr_t)(*env)->NewGlobalRef(env, o);
}

NATIVE(jobject, takeGlobal)(JNIEnv *env, jclass c, jlong handle) {
    (void)c;
    jobject global = (jobject)(intptr_t)handle;
    jobject local = (*env)->NewLocalRef(env, global);
    (*env)->DeleteGlobalRef(env, global);
    return local;
}

NATIVE(jlong, newWeak)(JNIEnv *env, jclass c, jobject o) {
    (void)c;
    return (jlong)(intptr_t)(*env)->NewWeakGlobalRef(env, o);
}

NATIVE(jobject, get)(JNIEnv *env, jclass c, jlong handle) {
    (void)c;
    return (*env)->NewLocalRef(env, (jobject)(intptr_t)handle);
}

NATIVE(void, deleteWeak)(JNIEnv *env, jclass c, jlong handle) {
    (void)c;
    (*env)->DeleteWeakGlobalRef(env, (jweak)(intptr_t)handle);
}

static jlong add(jint *a, jsize n, jint delta) {
    jlong sum = 0;
    for (jsize i = 0; i < n; i++) {
        a[i] = (jint)((uint32_t)a[i] + (uint32_t)delta);
        sum += a[i];
    }
    return sum;
}

NATIVE(jlong, addCritically)(JNIEnv *env, jclass c, jintArray array, jint delta) {
    (void)c;
    const jsize n = (*env)->GetArrayLength(env, array);
    jint *a = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (a == NULL) {
        return 0;
    }
    const jlong sum = add(a, n, delta);
    (*env)->ReleasePrimitiveArrayCritical(env, array, a, 0);
    return sum;
}

/* Two sections on one array: the kernel reads it by one, and after it was changed writes it by the other. */
NATIVE(jlong, addByKernel)(JNIEnv *env, jclass c, jintArray array, jint delta) {
    (void)c;
    const jsize n = (*env)->GetArrayLength(env, array);
    const size_t bytes = sizeof(jint) * (size_t)n;
    const int file = memfd_create("array", 0);
    jint *from = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    jint *to = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    jlong sum = INT64_MIN;
    if (from != NULL && to != NULL && pwrite(file, from, bytes, 0) == (ssize_t)bytes) {
        add(to, n, 1);
        if (pread(file, from, bytes, 0) == (ssize_t)bytes) {
            sum = add(to, n, delta);
        }
    }
    (*env)->ReleasePrimitiveArrayCritical(env, array, to, 0);
    (*env)->ReleasePrimitiveArrayCritical(env, array, from, 0);
    close(file);
    return sum;
}

/*
 * How far a critical section is, and the one thread that is to ask for a collection during it. That thread is ready
 * before the section begins: from there on until it asks, it needs nothing of the VM, which could wait for the
 * section's end.
 */
enum { NOBODY, READY, HELD, ASKS };
static _Atomic int stage;

static void pause_for(long microseconds) {
    thrd_sleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

static void await(int wanted) {
    while (atomic_load(&stage) != wanted) {
        pause_for(50);
    }
}

NATIVE(void, awaitCritical)(JNIEnv *env, jclass c) {
    (void)env;
    (void)c;
    atomic_store(&stage, READY);
    await(HELD);
    atomic_store(&stage, ASKS);
}

/* Until the other thread asks, and a little longer. */
static void hold(void) {
    atomic_store(&stage, HELD);
    await(ASKS);
    pause_for(3000);
    atomic_store(&stage, NOBODY);
}

NATIVE(jlong, addWhileHeld)(JNIEnv *env, jclass c, jintArray array, jint delta) {
    (void)c;
    const jsize n = (*env)->GetArrayLength(env, array);
    await(READY);
    jint *a = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    const jlong before = a == NULL ? 0 : add(a, n, 0);
    hold();
    if (a == NULL) {
        return 0;
    }
    const jlong during = add(a, n, 0);
    const jlong after = add(a, n, delta);
    (*env)->ReleasePrimitiveArrayCritical(env, array, a, 0);
    return before == during ? after : INT64_MIN;
}

NATIVE(jlong, addByRegion)(JNIEnv *env, jclass c, jintArray array, jint delta) {
    (void)c;
    const jsize n = (*env)->GetArrayLength(env, array);
    jint buffer[256];
    jlong sum = 0;
    for (jsize from = 0; from < n; from += 256) {
        const jsize some = n - from < 256 ? n - from : 256;
        (*env)->GetIntArrayRegion(env, array, from, some, buffer);
        sum += add(buffer, some, delta);
        (*env)->SetIntArrayRegion(env, array, from, some, buffer);
    }
    return sum;
}

static uint64_t hash(const jchar *chars, jsize n) {
    uint64_t hash = 7;
    for (jsize i = 0; i < n; i++) {
        hash = hash * 31 + chars[i];
    }
    return hash;
}

NATIVE(jlong, hashCritically)(JNIEnv *env, jclass c, jstring s) {
    (void)c;
    const jsize n = (*env)->GetStringLength(env, s);
    const jchar *chars = (*env)->GetStringCritical(env, s, NULL);
    if (chars == NULL) {
        return 0;
    }
    const uint64_t result = hash(chars, n);
    (*env)->ReleaseStringCritical(env, s, chars);
    return (jlong)result;
}

NATIVE(jlong, hashWhileHeld)(JNIEnv *env, jclass c, jstring s) {
    (void)c;
    const jsize n = (*env)->GetStringLength(env, s);
    await(READY);
    const jchar *chars = (*env)->GetStringCritical(env, s, NULL);
    const uint64_t before = chars == NULL ? 0 : hash(chars, n);
    hold();
    if (chars == NULL) {
        return 0;
    }
    const uint64_t after = hash(chars, n);
    (*env)->ReleaseStringCritical(env, s, chars);
    return before == after ? (jlong)after : INT64_MIN;
}

NATIVE(jstring, copyOf)(JNIEnv *env, jclass c, jstring s) {
    (void)c;
    const jsize n = (*env)->GetStringLength(env, s);
    const jchar *chars = (*env)->GetStringChars(env, s, NULL);
    if (chars == NULL) {
        return NULL;
    }
    jstring copy = (*env)->NewString(env, chars, n);
    (*env)->ReleaseStringChars(env, s, chars);
    return copy;
}

NATIVE(void, reverse)(JNIEnv *env, jclass c, jobjectArray array) {
    (void)c;
    const jsize n = (*env)->GetArrayLength(env, array);
    for (jsize i = 0; i < n / 2; i++) {
        jobject a = (*env)->GetObjectArrayElement(env, array, i);
        jobject b = (*env)->GetObjectArrayElement(env, array, n - 1 - i);
        (*env)->SetObjectArrayElement(env, array, i, b);
        (*env)->SetObjectArrayElement(env, array, n - 1 - i, a);
        (*env)->DeleteLocalRef(env, a);
        (*env)->DeleteLocalRef(env, b);
    }
}

NATIVE(void, locked)(JNIEnv *env, jclass c, jobject o, jobject code) {
    (void)c;
    if ((*env)->MonitorEnter(env, o) == JNI_OK) {
        run(env, code);
        jthrowable thrown = (*env)->ExceptionOccurred(env);
        (*env)->ExceptionClear(env);
        (*env)->MonitorExit(env, o);
        if (thrown != NULL) {
            (*env)->Throw(env, thrown);
        }
    }
}

NATIVE(jboolean, same)(JNIEnv *env, jclass c, jobject a, jobject b) {
    (void)c;
    jobject global = (*env)->NewGlobalRef(env, a);
    const jboolean same = (*env)->IsSameObject(env, global, b);
    (*env)->DeleteGlobalRef(env, global);
    return same;
}
