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

/** Small objects, most of which die at once: linked lists of points, each dropped before the next is built. */
final class Allocation implements Work {
    private static final int LISTS = 100_000;
    private static final int POINTS = 100;

    private record Point(int x, int y, Point next) {
    }

    @Override
    public long iterate(int number) {
        long found = 0;
        for (int list = 0; list < LISTS; list++) {
            found += sum(build(number + list));
        }
        return found;
    }

    private static Point build(int seed) {
        Point points = null;
        for (int i = 0; i < POINTS; i++) {
            points = new Point(seed ^ i, seed + i, points);
        }
        return points;
    }

    private static long sum(Point points) {
        long sum = 0;
        for (Point point = points; point != null; point = point.next) {
            sum += (long) point.x * point.y;
        }
        return sum;
    }
}
