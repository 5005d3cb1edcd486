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

import static org.drools.model.DSL.declarationOf;
import static org.drools.model.DSL.not;
import static org.drools.model.DSL.on;
import static org.drools.model.PatternDSL.betaIndexedBy;
import static org.drools.model.PatternDSL.pattern;
import static org.drools.model.PatternDSL.rule;

import java.util.ArrayList;
import java.util.List;
import org.drools.model.Index.ConstraintType;
import org.drools.model.PatternDSL.PatternDef;
import org.drools.model.Rule;
import org.drools.model.Variable;
import org.drools.model.functions.Function1;
import org.drools.model.impl.ModelImpl;
import org.drools.modelcompiler.KieBaseBuilder;
import org.kie.api.runtime.KieSession;
import org.kie.api.runtime.rule.FactHandle;

/** A session of Drools, whose rules warn of each order that costs more than its customer may spend. */
final class Rules extends Lookups {
    private static final int ORDERS = 4;
    private static final int MOST_CENTS = 100_000;

    record Customer(int number, String name, int limit) {
    }

    record Warning(int order, int limit) {
    }

    /** The session hears of new cents. */
    static final class Order {
        private final int number;
        private final String note;
        private int cents;

        Order(int number, String note, int cents) {
            this.number = number;
            this.note = note;
            this.cents = cents;
        }

        int number() {
            return number;
        }

        int cents() {
            return cents;
        }

        int customer() {
            return number / ORDERS;
        }
    }

    /** A fact for as long as it has no answers: the arguments of a query of Drools are looked for without an index. */
    record Question(int customer, List<Answer> answers) {
    }

    record Answer(Customer customer, Order order) {
    }

    private final Words words = new Words(random, 20_000);
    private final KieSession session;

    Rules(long seed) {
        super(seed, new Load(1_000, 4_150), new Questions(2_000, 100, 50));
        ModelImpl model = new ModelImpl().addRule(warn()).addRule(withdraw()).addRule(answer());
        session = KieBaseBuilder.createKieBaseFromModel(model).newKieSession();
    }

    private static Rule warn() {
        Variable<Customer> customer = declarationOf(Customer.class);
        Variable<Order> order = declarationOf(Order.class);
        Variable<Warning> warning = declarationOf(Warning.class);
        return rule("warn").build(
                pattern(customer),
                joined(order, Order::customer, customer, Customer::number).expr("dear", customer, (it, of) -> it.cents > of.limit),
                not(joined(warning, Warning::order, order, Order::number)),
                on(customer, order).execute((drools, of, it) -> drools.insert(new Warning(it.number, of.limit))));
    }

    private static Rule withdraw() {
        Variable<Order> order = declarationOf(Order.class);
        Variable<Warning> warning = declarationOf(Warning.class);
        return rule("withdraw").build(
                pattern(order),
                joined(warning, Warning::order, order, Order::number).expr("cheap", order, (it, of) -> of.cents <= it.limit),
                on(warning).execute((drools, it) -> drools.delete(it)));
    }

    private static Rule answer() {
        Variable<Question> question = declarationOf(Question.class);
        Variable<Customer> customer = declarationOf(Customer.class);
        Variable<Order> order = declarationOf(Order.class);
        return rule("answer").build(
                pattern(question),
                joined(customer, Customer::number, question, Question::customer),
                joined(order, Order::customer, customer, Customer::number),
                on(question, customer, order).execute((of, by, it) -> of.answers.add(new Answer(by, it))));
    }

    /** Facts with the number that a fact before them has, found by a hash index. */
    private static <T, U> PatternDef<T> joined(Variable<T> fact, Function1<T, Integer> number, Variable<U> before, Function1<U, Integer> itsNumber) {
        return pattern(fact).expr("joined", before, (it, other) -> number.apply(it).equals(itsNumber.apply(other)),
                betaIndexedBy(Integer.class, ConstraintType.EQUAL, 0, number, itsNumber));
    }

    @Override
    Object root() {
        return session;
    }

    @Override
    void add(int from, int to) {
        for (int number = from; number < to; number++) {
            session.insert(new Customer(number, words.text(random, 2), MOST_CENTS / 2 + random.nextInt(MOST_CENTS / 2)));
            for (int i = 0; i < ORDERS; i++) {
                session.insert(new Order(number * ORDERS + i, words.text(random, 6), random.nextInt(MOST_CENTS)));
            }
        }
        session.fireAllRules();
    }

    @Override
    void update(int number) {
        for (Answer answer : ask(number)) {
            answer.order.cents = (answer.order.cents + random.nextInt(MOST_CENTS)) % MOST_CENTS;
            session.update(session.getFactHandle(answer.order), answer.order);
        }
        session.fireAllRules();
    }

    private List<Answer> ask(int number) {
        Question question = new Question(number, new ArrayList<>());
        FactHandle handle = session.insert(question);
        session.fireAllRules();
        session.delete(handle);
        return question.answers;
    }

    @Override
    long read(int number, int turn) {
        long found = session.getFactCount();
        for (Answer answer : ask(number)) {
            found = found * 31 + answer.order.cents + answer.order.note.length() + answer.customer.name.hashCode();
        }
        return found;
    }
}
