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
package org.ztera.lab.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Manager;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.session.StandardManager;
import org.apache.catalina.startup.Tomcat;

/** Tomcat with one application, on one port of this machine. */
final class Server implements AutoCloseable {
    /** Requests that are served at once; each of these threads has a connection to the database. */
    private static final String THREADS = "8";

    private final Path folder;
    private final Tomcat tomcat;
    private final Application application;
    private final long total;

    private Server(Path folder, Tomcat tomcat, Application application, long total) {
        this.folder = folder;
        this.tomcat = tomcat;
        this.application = application;
        this.total = total;
    }

    /** Loads the data before the first request is answered. Port 0 is any that is free. */
    static Server start(Application application, long bytes, int port)
            throws IOException, LifecycleException, SQLException {
        Path folder = Files.createTempDirectory("ztera-web-");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(port);
        connect(tomcat.getConnector());
        Context context = tomcat.addContext("", folder.toString());
        context.setSessionTimeout(-1);
        StandardManager manager = new StandardManager();
        // Sessions are not kept beyond the end.
        manager.setPathname(null);
        context.setManager(manager);
        Pages pages = new Pages(application);
        Tomcat.addServlet(context, "pages", pages).addMapping("/*");
        tomcat.start();
        application.load(bytes, (user, name, value) -> open(manager, user, name, value),
                () -> SecondHeap.take(application.roots()));
        if (!SecondHeap.take(application.roots())) {
            System.gc();
        }
        long total = application.total();
        pages.serve(total);
        return new Server(folder, tomcat, application, total);
    }

    private static void connect(Connector connector) {
        connector.setThrowOnFailure(true);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", THREADS);
        connector.setProperty("minSpareThreads", THREADS);
        connector.setProperty("maxKeepAliveRequests", "-1");
    }

    private static void open(Manager manager, int user, String name, Object value) {
        manager.createSession("user-" + user).getSession().setAttribute(name, value);
    }

    /** The port that it listens to. */
    int port() {
        return tomcat.getConnector().getLocalPort();
    }

    /** The line that says that it answers. */
    String ready() {
        return "{\"app\":\"%s\",\"port\":%d,\"users\":%d,\"things\":%d,\"total\":%d}"
                .formatted(application.name(), port(), application.users(), application.things(), total);
    }

    @Override
    public void close() throws LifecycleException, IOException {
        tomcat.stop();
        tomcat.destroy();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
