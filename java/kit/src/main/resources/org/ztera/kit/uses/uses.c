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

/* The bodies of native methods of org.ztera.kit.uses. */

#define _GNU_SOURCE
#include <jni.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ARRAYS(type, name) JNIEXPORT type JNICALL Java_org_ztera_kit_uses_JniArrays_##name
#define STRANGER(type, name) JNIEXPORT type JNICALL Java_org_ztera_kit_uses_Stranger_##name

ARRAYS(void, critical)(JNIEnv *env, jclass c, jbyteArray from, jbyteArray into, jint length) {
    (void)c;
    jbyte *a = (*env)->GetPrimitiveArrayCritical(env, from, NULL);
    jbyte *b = (*env)->GetPrimitiveArrayCritical(env, into, NULL);
    memmove(b, a, (size_t)length);
    /* In the order in which they began: nobody has to nest them. */
    (*env)->ReleasePrimitiveArrayCritical(env, from, a, JNI_ABORT);
    (*env)->ReleasePrimitiveArrayCritical(env, into, b, 0);
}

ARRAYS(void, byKernel)(JNIEnv *env, jclass c, jbyteArray from, jbyteArray into, jint length) {
    (void)c;
    const int file = memfd_create("array", 0);
    jbyte *a = (*env)->GetPrimitiveArrayCritical(env, from, NULL);
    jbyte *b = (*env)->GetPrimitiveArrayCritical(env, into, NULL);
    if (pwrite(file, a, (size_t)length, 0) == length && pread(file, b, (size_t)length, 0) != length) {
        b[0]++;
    }
    (*env)->ReleasePrimitiveArrayCritical(env, into, b, 0);
    (*env)->ReleasePrimitiveArrayCritical(env, from, a, 0);
    close(file);
}

ARRAYS(void, elements)(JNIEnv *env, jclass c, jbyteArray from, jbyteArray into, jint length) {
    (void)c;
    jbyte *a = (*env)->GetByteArrayElements(env, from, NULL);
    jbyte *b = (*env)->GetByteArrayElements(env, into, NULL);
    if (a != NULL && b != NULL) {
        memmove(b, a, (size_t)length);
    }
    if (a != NULL) {
        (*env)->ReleaseByteArrayElements(env, from, a, JNI_ABORT);
    }
    if (b != NULL) {
        (*env)->ReleaseByteArrayElements(env, into, b, 0);
    }
}

ARRAYS(void, region)(JNIEnv *env, jclass c, jbyteArray from, jbyteArray into, jint length) {
    (void)c;
    jbyte piece[4096];
    for (jint at = 0; at < length; at += (jint)sizeof piece) {
        const jint some = length - at < (jint)sizeof piece ? length - at : (jint)sizeof piece;
        (*env)->GetByteArrayRegion(env, from, at, some, piece);
        (*env)->SetByteArrayRegion(env, into, at, some, piece);
    }
}

/* Where the thread goes on after a fault of its own; NULL while it expects none. */
static _Thread_local sigjmp_buf *volatile own __attribute__((tls_model("initial-exec")));
static struct sigaction segv_before;

static void go_on_if_own(void) {
    if (own != NULL) {
        sigjmp_buf *there = own;
        own = NULL;
        siglongjmp(*there, 1);
    }
}

static void on_bus(int sig, siginfo_t *info, void *context) {
    (void)sig, (void)info, (void)context;
    go_on_if_own();
    static const char text[] = "the library has met a SIGBUS that is not its own\n";
    _exit(write(1, text, sizeof text - 1) > 0 ? 77 : 78);
}

static void on_bus_simply(int sig) {
    on_bus(sig, NULL, NULL);
}

static void on_segv(int sig, siginfo_t *info, void *context) {
    go_on_if_own();
    segv_before.sa_sigaction(sig, info, context);
}

static void take_segv(void) {
    static int taken;
    struct sigaction act = {.sa_sigaction = on_segv, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    if (!taken) {
        taken = sigaction(SIGSEGV, NULL, &segv_before) == 0 && sigaction(SIGSEGV, &act, NULL) == 0;
    }
}

static void take_bus(int how) {
    struct sigaction act = {.sa_sigaction = on_bus, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&act.sa_mask);
    if (how % 3 == 0) {
        signal(SIGBUS, SIG_DFL);
    }
    if (how % 2 == 0) {
        signal(SIGBUS, on_bus_simply);
    } else {
        sigaction(SIGBUS, &act, NULL);
    }
}

/* Reads a mapped page that cannot be read. 1 if a handler was told. */
static int faults_at(void *page) {
    sigjmp_buf here;
    int told = 1;
    if (sigsetjmp(here, 1) == 0) {
        own = &here;
        told = *(volatile char *)page + 2;
    }
    own = NULL;
    munmap(page, 4096);
    return told;
}

STRANGER(jint, takesAndFaults)(JNIEnv *env, jclass c, jint how) {
    (void)env;
    (void)c;
    sigset_t both, before;
    sigemptyset(&both);
    sigaddset(&both, SIGBUS);
    sigaddset(&both, SIGSEGV);
    /* The thread's owner may have blocked SIGBUS; a fault would then end the process, whatever the handler. */
    pthread_sigmask(SIG_UNBLOCK, &both, &before);
    take_segv();
    take_bus(how);
    const int file = memfd_create("empty", 0);
    void *beyond = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    void *forbidden = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const int told = faults_at(beyond) + faults_at(forbidden);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return told;
}

struct task {
    JavaVM *vm;
    jobject code;
    jthrowable thrown;
    int blocks_early;
};

static void block_bus(void) {
    sigset_t bus;
    sigemptyset(&bus);
    sigaddset(&bus, SIGBUS);
    pthread_sigmask(SIG_BLOCK, &bus, NULL);
    sigprocmask(SIG_BLOCK, &bus, NULL);
}

static void *run(void *argument) {
    struct task *task = argument;
    JNIEnv *env;
    if (task->blocks_early) {
        block_bus();
    }
    if ((*task->vm)->AttachCurrentThread(task->vm, (void **)&env, NULL) != JNI_OK) {
        return NULL;
    }
    block_bus();
    jclass runnable = (*env)->FindClass(env, "java/lang/Runnable");
    (*env)->CallVoidMethod(env, task->code, (*env)->GetMethodID(env, runnable, "run", "()V"));
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    task->thrown = thrown == NULL ? NULL : (*env)->NewGlobalRef(env, thrown);
    (*task->vm)->DetachCurrentThread(task->vm);
    return task;
}

STRANGER(void, runInThread)(JNIEnv *env, jclass c, jboolean blocks_early, jobject code) {
    (void)c;
    struct task task = {.code = (*env)->NewGlobalRef(env, code), .blocks_early = blocks_early};
    pthread_t thread;
    void *done = NULL;
    (*env)->GetJavaVM(env, &task.vm);
    if (pthread_create(&thread, NULL, run, &task) == 0) {
        pthread_join(thread, &done);
    }
    (*env)->DeleteGlobalRef(env, task.code);
    if (task.thrown != NULL) {
        (*env)->Throw(env, (*env)->NewLocalRef(env, task.thrown));
        (*env)->DeleteGlobalRef(env, task.thrown);
    } else if (done == NULL) {
        (*env)->FatalError(env, "no thread of native code could be made");
    }
}
