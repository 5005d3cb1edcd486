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

import org.eclipse.rdf4j.common.transaction.IsolationLevels;
import org.eclipse.rdf4j.model.IRI;
import org.eclipse.rdf4j.model.ValueFactory;
import org.eclipse.rdf4j.query.BindingSet;
import org.eclipse.rdf4j.query.TupleQuery;
import org.eclipse.rdf4j.query.TupleQueryResult;
import org.eclipse.rdf4j.repository.Repository;
import org.eclipse.rdf4j.repository.RepositoryConnection;
import org.eclipse.rdf4j.repository.sail.SailRepository;
import org.eclipse.rdf4j.sail.memory.MemoryStore;

/** RDF4J's store of triples in memory: people and whom they know, asked for in SPARQL. */
final class Triples extends Lookups {
    private static final int KNOWN = 4;
    private static final String ASK = """
            select ?note ?name where {
              ?person <urn:note> ?note ; <urn:knows> ?other .
              ?other <urn:name> ?name
            }""";

    private final Sentences sentences = new Sentences(random, new Words(random, 20_000), 20_000);
    private final Repository people = new SailRepository(new MemoryStore());
    private final ValueFactory values = people.getValueFactory();
    private final IRI name = values.createIRI("urn:name");
    private final IRI note = values.createIRI("urn:note");
    private final IRI knows = values.createIRI("urn:knows");
    private final RepositoryConnection connection = people.getConnection();
    private final TupleQuery ask = connection.prepareTupleQuery(ASK);

    Triples(long seed) {
        super(seed, new Load(1_000, 1_860), new Questions(1_000, 100, 50));
    }

    @Override
    Object root() {
        return people;
    }

    @Override
    void add(int from, int to) {
        connection.begin(IsolationLevels.NONE);
        for (int number = from; number < to; number++) {
            IRI person = person(number);
            connection.add(person, name, values.createLiteral("person" + number));
            connection.add(person, note, values.createLiteral(sentences.text(random, 6)));
            for (int i = 0; i < KNOWN; i++) {
                connection.add(person, knows, person(random.nextInt(to)));
            }
        }
        connection.commit();
    }

    @Override
    void update(int number) {
        connection.begin();
        connection.remove(person(number), note, null);
        connection.add(person(number), note, values.createLiteral(sentences.text(random, 6)));
        connection.commit();
    }

    private IRI person(int number) {
        return values.createIRI("urn:person:" + number);
    }

    @Override
    long read(int number, int turn) {
        ask.setBinding("person", person(number));
        try (TupleQueryResult answer = ask.evaluate()) {
            long found = 0;
            for (BindingSet row : answer) {
                // The order of rows is the store's own affair.
                found += row.getValue("note").stringValue().length() * 31L + row.getValue("name").stringValue().hashCode();
            }
            return found;
        }
    }
}
