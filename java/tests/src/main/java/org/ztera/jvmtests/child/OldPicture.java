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
package org.ztera.jvmtests.child;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.util.Arrays;

/** Java 2D draws on a picture in H2 as on one in H1. */
public final class OldPicture {
    private static final int OPERATIONS = 2000;

    private static int[] pixels;

    private OldPicture() {}

    public static void main(String[] args) {
        Child.main(OldPicture::test);
    }

    private static void test() {
        BufferedImage young = empty();
        BufferedImage old = empty();
        pixels = pixels(old);
        draw(young, 1);
        draw(old, 1);
        Child.move(pixels, 1);
        draw(young, 2);
        draw(old, 2);
        // A picture that is drawn on itself reads what it has just written.
        BufferedImage copy = empty();
        copy.createGraphics().drawImage(old, 0, 0, null);
        old.createGraphics().drawImage(copy, 7, 7, null);
        young.createGraphics().drawImage(copy, 7, 7, null);
        Child.check(Arrays.equals(pixels(young), pixels), "the same picture");
    }

    private static BufferedImage empty() {
        return new BufferedImage(1920, 1080, BufferedImage.TYPE_INT_ARGB);
    }

    private static int[] pixels(BufferedImage picture) {
        return ((DataBufferInt) picture.getRaster().getDataBuffer()).getData();
    }

    private static void draw(BufferedImage picture, int seed) {
        Graphics2D graphics = picture.createGraphics();
        for (int i = 0; i < OPERATIONS; i++) {
            graphics.setColor(new Color(i * 7919 * seed | 0xff000000, true));
            graphics.fillRect(i * 13 % 1900, i * 7 % 1000, 10, 10);
        }
        graphics.dispose();
    }
}
