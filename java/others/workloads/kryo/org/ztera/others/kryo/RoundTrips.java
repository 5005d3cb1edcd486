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
package org.ztera.others.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.ztera.others.child.Checks;

/**
 * Many graphs live; again and again one is written, read back, compared and replaced by what was read, or copied by
 * Kryo itself. The answer is a checksum of all bytes written. Argument: the number of round trips.
 */
public final class RoundTrips {
    private static final int LIVE = 400;
    private static final int NODES = 120;

    private RoundTrips() {
    }

    public static void main(String[] args) {
        SplittableRandom random = new SplittableRandom(17);
        Kryo kryo = new Kryo();
        kryo.setReferences(true);
        kryo.setRegistrationRequired(false);
        Graphs.Node[] live = new Graphs.Node[LIVE];
        for (int i = 0; i < LIVE; i++) {
            live[i] = Graphs.random(random, NODES);
        }
        CRC32 sum = new CRC32();
        for (int n = Integer.parseInt(args[0]); n > 0; n--) {
            int at = random.nextInt(LIVE);
            if (random.nextInt(10) == 0) {
                live[at] = Graphs.random(random, NODES);
            }
            Graphs.Node copy = random.nextInt(4) == 0 ? kryo.copy(live[at]) : written(kryo, live[at], sum);
            Checks.made(Graphs.compare(live[at], copy));
            live[at] = copy;
        }
        Checks.answer("bytes written: " + Long.toHexString(sum.getValue()));
    }

    private static Graphs.Node written(Kryo kryo, Graphs.Node graph, CRC32 sum) {
        Output output = new Output(4096, -1);
        kryo.writeObject(output, graph);
        byte[] bytes = output.toBytes();
        sum.update(bytes);
        return kryo.readObject(new Input(bytes), Graphs.Node.class);
    }
}
