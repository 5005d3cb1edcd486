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
package org.ztera.demo.off;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Text is hashed and encrypted: loops over bytes that the compiler makes much of. */
final class Digests implements Work {
    private static final int ROUNDS = 16;
    private static final int KEY_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final List<byte[]> texts;

    Digests(List<byte[]> texts) {
        this.texts = texts;
    }

    @Override
    public long iterate(int number) throws GeneralSecurityException {
        long found = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (byte[] text : texts) {
                byte[] hash = MessageDigest.getInstance("SHA-256").digest(text);
                byte[] other = MessageDigest.getInstance("SHA3-256").digest(hash);
                CRC32C crc = new CRC32C();
                crc.update(encrypt(text, hash));
                found = found * 31 + Arrays.hashCode(other) + crc.getValue();
            }
        }
        return found;
    }

    private static byte[] encrypt(byte[] text, byte[] hash) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        SecretKeySpec key = new SecretKeySpec(hash, 0, KEY_BYTES, "AES");
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, hash, KEY_BYTES, NONCE_BYTES));
        return cipher.doFinal(text);
    }
}
