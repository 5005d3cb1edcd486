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

import java.util.SplittableRandom;
import org.ztera.H2;

/**
 * One mutator thread: a random walk over operations that its seed alone determines, with a check of its
 * whole world every so often.
 */
final class Mutator extends Thread {
    private static final int CHECK_EVERY = 4000;

    final Watches watches = new Watches();
    final World world;
    private final int number;
    private final Stress stress;
    private final Commons commons;
    private final Shadow shadow;
    private final SplittableRandom random;
    private final Parked parked = new Parked();
    /** The work of this thread on the commons. */
    long increments;
    long mapTotal;
    long passedOn;
    long taken;
    /** Operations done; other threads read it. */
    volatile long operations;
    volatile long cellsChecked;
    private int lastOperation;
    private Object garbage;

    Mutator(Stress stress, Commons commons, int number, long seed) {
        super("mutator " + number);
        this.number = number;
        this.stress = stress;
        this.commons = commons;
        this.random = new SplittableRandom(seed + 1_000_003L * number);
        this.shadow = new Shadow(number);
        this.world = new World(shadow, random, watches);
    }

    @Override
    public void run() {
        try {
            for (int g = 0; g < World.GROUPS; g++) {
                world.replaceGroup(g);
            }
            while (stress.goesOn(operations)) {
                step();
                operations++;
                if (operations % CHECK_EVERY == 0) {
                    verify();
                }
            }
            verify();
            end();
        } catch (Throwable t) {
            stress.failed(this + " in operation " + operations + " (kind " + lastOperation + ")", t);
        }
    }

    private void verify() {
        cellsChecked += world.verify();
        watches.poll(world);
        watches.verify();
    }

    private void end() throws InterruptedException {
        parked.wakeAll();
        world.clear();
        garbage = null;
    }

    private void step() throws InterruptedException {
        int dice = random.nextInt(10_000);
        lastOperation = dice;
        if (dice < 40) {
            world.replaceGroup(random.nextInt(World.GROUPS));
        } else if (dice < 60) {
            world.severDropped();
        } else if (dice < 200) {
            labels();
        } else if (dice < 800) {
            common();
        } else if (dice < 1000) {
            garbage = new byte[random.nextInt(20_000)];
        } else {
            Cell cell = world.randomCell();
            if (cell != null) {
                change(cell, dice);
            }
        }
    }

    private void labels() {
        long label = random.nextInt(World.LABELS);
        switch (random.nextInt(8)) {
            case 0, 1, 2, 3 -> world.tag(label);
            case 4, 5 -> H2.move(label);
            case 6 -> {
                if (random.nextInt(40) == 0) {
                    H2.moveNow(label);
                }
            }
            default -> {
                if (random.nextInt(20) == 0) {
                    commons.tag(World.LABELS);
                }
            }
        }
    }

    private void common() throws InterruptedException {
        int which = random.nextInt(1000);
        switch (random.nextInt(4)) {
            case 0 -> {
                commons.increment(which, which == 0);
                increments++;
            }
            case 1 -> {
                commons.add(which, which - 500);
                mapTotal += which - 500;
            }
            case 2 -> {
                commons.offer(which + 1);
                passedOn += which + 1;
            }
            default -> taken += commons.poll();
        }
    }

    private void change(Cell cell, int dice) throws InterruptedException {
        if (dice < 3500) {
            world.setA(cell, dice % 8 == 0 ? null : world.randomCell());
        } else if (dice < 5500) {
            world.setB(cell, dice % 8 == 0 ? null : world.randomCell());
        } else if (dice < 6500) {
            world.setValue(cell);
        } else if (dice < 7000) {
            newPayload(cell);
        } else if (dice < 7500) {
            changePayload(cell);
        } else if (dice < 8300) {
            fan(cell);
        } else if (dice < 8500) {
            reference(cell);
        } else if (dice < 9000) {
            lock(cell, dice);
        } else if (dice < 9500) {
            shadow.hash[cell.id] = sameHash(cell);
        } else if (dice < 9800) {
            watches.add(cell, dice % 3);
        } else if (dice < 9900) {
            watches.toggleIdentity(cell);
        } else if (dice < 9950) {
            parked.add(cell.uid & 0xff_ffff, dice % World.LABELS);
        } else {
            watches.poll(world);
        }
    }

    private int sameHash(Cell cell) {
        int hash = System.identityHashCode(cell);
        int known = shadow.hash[cell.id];
        Stress.check(known == 0 || known == hash, "identity hash", cell, shadow);
        return hash;
    }

    private void newPayload(Cell cell) {
        byte kind = (byte) random.nextInt(Payloads.FAN);
        long seed = random.nextLong();
        // A class costs more than any other payload.
        if (kind == Payloads.GENERATED && (seed & 7) != 0) {
            kind = Payloads.TEXT;
        }
        world.setPayload(cell, kind, seed, Payloads.make(kind, seed));
    }

    private void changePayload(Cell cell) {
        byte kind = shadow.kind[cell.id];
        long old = shadow.seed[cell.id];
        long seed = Payloads.sameLength(old, random.nextLong());
        if (kind < Payloads.FAN && Payloads.change(kind, cell.payload, old, seed)) {
            shadow.seed[cell.id] = seed;
        }
    }

    private void fan(Cell cell) {
        if (shadow.kind[cell.id] == Payloads.FAN) {
            int[] fan = shadow.fan[cell.id];
            if (random.nextInt(4) == 0) {
                rotate((Cell[]) cell.payload, fan);
            } else {
                world.setFan(cell, random.nextInt(fan.length), world.randomCell());
            }
            return;
        }
        int length = random.nextInt(16) == 0 ? random.nextInt(1, 2000) : random.nextInt(1, 20);
        Cell[] cells = new Cell[length];
        int[] ids = new int[length];
        for (int i = 0; i < length; i++) {
            cells[i] = world.randomCell();
            ids[i] = cells[i] == null ? -1 : cells[i].id;
        }
        world.setPayload(cell, Payloads.FAN, 0, cells, ids);
    }

    /** The elements move by one, by array copies. */
    private static void rotate(Cell[] cells, int[] ids) {
        int last = cells.length - 1;
        Cell cell = cells[0];
        int id = ids[0];
        System.arraycopy(cells, 1, cells, 0, last);
        System.arraycopy(ids, 1, ids, 0, last);
        cells[last] = cell;
        ids[last] = id;
    }

    private void reference(Cell cell) {
        Cell target = world.randomCell();
        if (target != null) {
            byte kind = (byte) random.nextInt(Payloads.PAIR, Payloads.KINDS);
            world.setPayload(cell, kind, target.uid, Payloads.reference(kind, target), target.id);
        }
    }

    /** At times a move is made while the monitor is held. */
    private void lock(Cell cell, int dice) {
        synchronized (cell) {
            cell.locked++;
            shadow.locked[cell.id]++;
            if (dice == 8500 && random.nextInt(4) == 0) {
                H2.moveNow(random.nextInt(World.LABELS + 1));
            }
            synchronized (cell) {
                cell.locked++;
                shadow.locked[cell.id]++;
            }
        }
    }

    @Override
    public String toString() {
        return "mutator " + number + " with " + shadow.size() + " cells";
    }
}
