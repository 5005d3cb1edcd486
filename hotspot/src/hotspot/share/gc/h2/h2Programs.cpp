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

#include "gc/h2/h2Programs.hpp"
#include "gc/shared/gc_globals.hpp"
#include "runtime/arguments.hpp"
#include "runtime/globals_extension.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"

static const char SparkMain[] = "org.apache.spark.deploy.SparkSubmit ";
static const char SparkPlugin[] = "org.ztera.spark.ZTeraPlugin";

static bool starts_with(const char* text, const char* start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_name(char c) {
  return c == '\0' || c == ' ' || c == ',';
}

// Whether the list of class names, which ends with the word, has the plugin.
static bool lists_plugin(const char* names) {
  for (const char* p = names; *p != '\0' && *p != ' '; p++) {
    if ((p == names || p[-1] == ',') && starts_with(p, SparkPlugin) && ends_name(p[sizeof(SparkPlugin) - 1])) {
      return true;
    }
  }
  return false;
}

// Spark's default is local, too. In other modes executors are JVMs of their own.
static bool is_local(const char* master) {
  return master == nullptr || (starts_with(master, "local") && !starts_with(master, "local-cluster"));
}

// The text behind the first of these words; null without one.
static const char* behind(const char* text, const char* word) {
  const char* const found = strstr(text, word);
  return found == nullptr ? nullptr : found + strlen(word);
}

// The program that prints spark-submit's command line has the same words, but another class.
static bool is_submit_with_plugin(const char* command) {
  if (command == nullptr || !starts_with(command, SparkMain)) {
    return false;
  }
  const char* const plugins = behind(command, " spark.plugins=");
  const char* const option = behind(command, " --master ");
  const char* const master = option != nullptr ? option : behind(command, " spark.master=");
  return plugins != nullptr && lists_plugin(plugins) && is_local(master);
}

bool H2Programs::is_spark_with_plugin() {
  const char* const plugins = Arguments::get_property("spark.plugins");
  return is_submit_with_plugin(Arguments::java_command()) ||
         (plugins != nullptr && lists_plugin(plugins) && is_local(Arguments::get_property("spark.master")));
}

// As large as the plugin makes H2 of an executor (Sizing.java): H2 takes addresses only, and below
// 32 GiB in all references stay short.
static size_t beside(size_t heap) {
  const size_t wanted = align_down(clamp(4 * heap, 4 * G, 4096 * G), G);
  const size_t short_references = 31 * G;
  const size_t left = align_down(short_references - MIN2(heap, short_references), G);
  return left >= heap ? MIN2(wanted, left) : wanted;
}

size_t H2Programs::wanted_size() {
  if (!is_spark_with_plugin()) {
    return 0;
  }
  return beside(FLAG_IS_DEFAULT(MaxHeapSize) ? (size_t)os::physical_memory() / 4 : MaxHeapSize);
}
