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
package org.ztera.defaults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Hints;
import org.ztera.demo.tiers.Workload;

/**
 * Groups that are born and die. Each is a day of sessions with a label of its own; an operation builds a new day, drops
 * one of the oldest, and looks up sessions, mostly those of late days. All data are replaced about twice.
 */
final class BornAndDie implements Workload {
    private static final int SESSIONS = 10_000;
    /** Measured: a session, its texts and its entry in the map. */
    private static final int SESSION_BYTES = 390;
    private static final int LIFETIMES = 2;
    private static final int OLDEST = 8;
    private static final int LOOKUPS = 800;

    private record Session(long id, String user, String page, int[] clicks, byte[] state) {
    }

    private record Day(long label, Map<Long, Session> sessions) {
    }

    private final SplittableRandom random;
    private final Words words;
    private final List<Day> days = new ArrayList<>();
    private long label = 1;
    private Hints hints;

    BornAndDie(long seed) {
        random = new SplittableRandom(seed);
        words = new Words(random, 5_000);
    }

    @Override
    public void load(Groups groups) {
        hints = groups.hints();
        while (groups.wanted()) {
            Day day = day();
            days.add(day);
            groups.finished(day.sessions, day.label, (long) SESSIONS * SESSION_BYTES);
        }
    }

    private Day day() {
        Map<Long, Session> sessions = new HashMap<>();
        for (long id = 0; id < SESSIONS; id++) {
            sessions.put(id, session(id));
        }
        return new Day(label++, sessions);
    }

    private Session session(long id) {
        int[] clicks = new int[10 + random.nextInt(10)];
        for (int i = 0; i < clicks.length; i++) {
            clicks[i] = random.nextInt(5_000);
        }
        byte[] state = new byte[64];
        for (int i = 0; i < state.length; i += 4) {
            state[i] = (byte) random.nextInt();
        }
        return new Session(id, words.text(random, 2), words.text(random, 6), clicks, state);
    }

    @Override
    public int operations() {
        return LIFETIMES * days.size();
    }

    @Override
    public long operate(int number) {
        days.remove(random.nextInt(Math.min(OLDEST, days.size())));
        Day day = day();
        days.add(day);
        hints.tag(day.sessions, day.label);
        hints.move(day.label);
        long found = 0;
        for (int i = 0; i < LOOKUPS; i++) {
            found = found * 31 + lookUp();
        }
        return found;
    }

    private long lookUp() {
        double age = random.nextDouble();
        int back = (int) (age * age * age * days.size());
        Session session = days.get(days.size() - 1 - back).sessions.get(random.nextLong(SESSIONS));
        long sum = session.id + session.user.hashCode() * 7L + session.page.length();
        for (int click : session.clicks) {
            sum += click;
        }
        return sum * 31 + session.state[random.nextInt(session.state.length)];
    }
}
