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

/** {@code trading|booking MIB [PORT]}: serves an application with about so much data until it is killed. */
public final class Main {
    private Main() {
    }

    /** Prints one line of JSON when the application answers: its name, port, sizes and the total of its books. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 2 || arguments.length > 3) {
            System.err.println("usage: java -jar ztera-web-workloads.jar trading|booking MIB [PORT]");
            System.exit(2);
        }
        long bytes = Long.parseLong(arguments[1]) << 20;
        int port = arguments.length == 3 ? Integer.parseInt(arguments[2]) : 0;
        try {
            System.out.println(Server.start(application(arguments[0]), bytes, port).ready());
        } catch (Throwable e) {
            e.printStackTrace();
            // Tomcat's threads would keep the JVM.
            System.exit(1);
        }
    }

    /** By its name. */
    static Application application(String name) throws Exception {
        return switch (name) {
            case "trading" -> new Trading(new Database());
            case "booking" -> new Booking(new Database());
            default -> throw new IllegalArgumentException("there is no application " + name);
        };
    }
}
