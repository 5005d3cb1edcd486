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

import java.util.ArrayList;
import java.util.List;
import org.ztera.H2;

/**
 * Keeps a year of measurements in the second heap, as ordinary objects, and reads them there.
 *
 * <p>{@code bin/java -XX:H2Size=1g -jar example/example.jar}
 */
public final class Example {
    private static final int DAYS = 365;
    private static final int MINUTES = 24 * 60;
    private static final long YEAR = 1; // a label: any number that names a group of objects

    /** One measurement. */
    record Measurement(int day, int minute, String place, double celsius) { }

    private Example() { }

    /** Prints the warmest day, and where the year is. */
    public static void main(String[] args) {
        List<List<Measurement>> year = measure();
        H2.tag(year, YEAR);  // this list, and all that it leads to, may live in the second heap
        H2.moveNow(YEAR);    // and now is a good moment

        int warmest = 0;
        for (int day = 1; day < DAYS; day++) {
            if (average(year.get(day)) > average(year.get(warmest))) {
                warmest = day;
            }
        }
        System.out.println("measurements: " + year.stream().mapToInt(List::size).sum());
        System.out.println("the warmest day of the year: " + (warmest + 1));
        System.out.println("in the second heap: " + H2.contains(year.get(warmest).get(0)));
        report(H2.stats());
    }

    private static List<List<Measurement>> measure() {
        List<List<Measurement>> year = new ArrayList<>();
        for (int day = 0; day < DAYS; day++) {
            List<Measurement> measurements = new ArrayList<>();
            for (int minute = 0; minute < MINUTES; minute++) {
                double season = -Math.cos(2 * Math.PI * (day - 20.2) / DAYS);
                double hour = -Math.cos(2 * Math.PI * minute / MINUTES);
                measurements.add(new Measurement(day, minute, "roof", Math.round(100 + 120 * season + 50 * hour) / 10.0));
            }
            year.add(measurements);
        }
        return year;
    }

    private static double average(List<Measurement> day) {
        return day.stream().mapToDouble(Measurement::celsius).average().orElseThrow();
    }

    private static void report(H2.Stats stats) {
        if (stats.capacityBytes() == 0) {
            System.out.println("this JVM has no second heap: give it -XX:H2Size=1g");
            return;
        }
        Runtime first = Runtime.getRuntime();
        System.out.printf("the second heap has %d MiB of objects, the first one %d MiB%n",
                stats.usedBytes() >> 20, (first.totalMemory() - first.freeMemory()) >> 20);
    }
}
