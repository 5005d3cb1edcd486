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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Map;
import java.util.stream.Collectors;
import org.eclipse.rdf4j.model.Statement;
import org.eclipse.rdf4j.repository.Repository;
import org.eclipse.rdf4j.repository.RepositoryConnection;
import org.junit.jupiter.api.Test;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Hints;

class TriplesTest {
    private static final int OPERATIONS = 20;

    private final Triples triples = new Triples(1);

    @Test
    void anUpdateGivesAPersonAnotherNote() {
        triples.load(new Groups(4 << 20, Hints.NONE));
        Map<String, String> loaded = notes();
        for (int operation = 0; operation < OPERATIONS; operation++) {
            triples.operate(operation);
        }
        assertEquals(loaded.keySet(), notes().keySet());
        assertNotEquals(loaded, notes());
    }

    /** Throws if a person has two. */
    private Map<String, String> notes() {
        try (RepositoryConnection connection = ((Repository) triples.root()).getConnection();
                var statements = connection.getStatements(null, connection.getValueFactory().createIRI("urn:note"), null)) {
            return statements.stream().collect(Collectors.toMap(it -> it.getSubject().stringValue(), TriplesTest::note));
        }
    }

    private static String note(Statement statement) {
        return statement.getObject().stringValue();
    }
}
