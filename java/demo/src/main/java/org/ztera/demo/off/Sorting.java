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

import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Objects sorted by comparators, then grouped and summed by streams. */
final class Sorting implements Work {
    private static final int PEOPLE = 60_000;

    private record Person(String name, int age, long income) {
        static Person of(Mix mix) {
            return new Person(Long.toString(mix.next() >>> 40, 36), mix.below(100), mix.below(100_000));
        }
    }

    @Override
    public long iterate(int number) {
        Mix mix = new Mix(number);
        Person[] people = IntStream.range(0, PEOPLE).mapToObj(_ -> Person.of(mix)).toArray(Person[]::new);
        Arrays.sort(people, Comparator.comparing(Person::name));
        long found = Arrays.hashCode(people);
        Arrays.sort(people, Comparator.comparingInt(Person::age).thenComparing(Person::income).thenComparing(Person::name));
        Map<Integer, Long> incomes = Arrays.stream(people)
                .filter(person -> person.income > 1000)
                .collect(Collectors.groupingBy(Person::age, TreeMap::new, Collectors.summingLong(Person::income)));
        String names = Arrays.stream(people).map(Person::name).distinct().sorted().collect(Collectors.joining(","));
        return found * 31 + people[PEOPLE / 2].hashCode() + incomes.hashCode() + names.hashCode();
    }
}
