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
package org.ztera.jvmtests.stress;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.function.LongUnaryOperator;

/** Makes a new class, in a new loader, for each object: {@code x -> x * factor + term} with constants of its own. */
final class GeneratedClasses {
    private GeneratedClasses() {}

    private static final class Loader extends ClassLoader {
        Loader() {
            super(GeneratedClasses.class.getClassLoader());
        }

        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** The answer of the object made from this seed. */
    static long expected(long seed, long x) {
        return x * seed + (seed >>> 3);
    }

    /** An object of a class that nothing else shares. */
    static LongUnaryOperator instance(long seed) {
        String name = "org.ztera.jvmtests.stress.Generated";
        try {
            Class<?> c = new Loader().define(name, bytes(name, seed));
            return (LongUnaryOperator) c.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(String name, long seed) {
        return ClassFile.of().build(ClassDesc.of(name), c -> c
                .withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL)
                .withInterfaceSymbols(ClassDesc.of(LongUnaryOperator.class.getName()))
                .withMethodBody(INIT_NAME, MTD_void, ClassFile.ACC_PUBLIC, GeneratedClasses::constructor)
                .withMethodBody("applyAsLong", MethodTypeDesc.of(CD_long, CD_long), ClassFile.ACC_PUBLIC, code -> code
                        .lload(1).ldc(seed).lmul()
                        .ldc(seed >>> 3).ladd()
                        .lreturn()));
    }

    private static void constructor(CodeBuilder code) {
        code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void).return_();
    }
}
