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

#ifndef SHARE_GC_H2_H2PROGRAMRULE_HPP
#define SHARE_GC_H2_H2PROGRAMRULE_HPP

// The rule names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>
#include <string.h>

// Decides whether a program asks for H2, and how large that is if nobody says so.
//
// The sign: a setting of the program, as a system property or as NAME=VALUE on its command line, lists
// a class of org.ztera. Such a class is a plugin that puts H2 to use. A program is often started by scripts of
// others, before any code of the plugin can add a flag.
class H2ProgramRule {
  static const char* package() { return "org.ztera."; }

 public:
  // A list has commas and no blanks.
  static bool asks_by_value(const char* value) {
    return strncmp(value, package(), strlen(package())) == 0 || strstr(value, ",org.ztera.") != nullptr;
  }

  // The main class and its arguments, with blanks between them. Options of other programs name classes to run, as -Dtest=
  // and --class= do: such words are no settings.
  static bool asks_by_command(const char* command) {
    for (const char* p = strstr(command, package()); p != nullptr; p = strstr(p + 1, package())) {
      const char* word = p;
      while (word > command && word[-1] != ' ') {
        word--;
      }
      const bool begins_name = p > word && (p[-1] == '=' || p[-1] == ',');
      if (begins_name && *word != '-' && memchr(word, '=', (size_t)(p - word)) != nullptr) {
        return true;
      }
    }
    return false;
  }

  // Spark's launcher repeats the settings of what it starts, and has a small heap. Such programs get none (0). Others get
  // four times the heap, and 4 GiB at least: H2 takes addresses only. It is less where references stay short by that.
  static size_t size(size_t heap) {
    const size_t G = (size_t)1024 * 1024 * 1024;
    const size_t short_references = 31 * G;
    if (heap < G / 4) {
      return 0;
    }
    const size_t four = heap > 1024 * G ? 4096 * G : 4 * heap;
    const size_t wanted = (four < 4 * G ? 4 * G : four) / G * G;
    const size_t left = heap < short_references ? (short_references - heap) / G * G : 0;
    return left >= heap && left < wanted ? left : wanted;
  }
};

#endif // SHARE_GC_H2_H2PROGRAMRULE_HPP
