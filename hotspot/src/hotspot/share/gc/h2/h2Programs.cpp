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
static const char SparkSetting[] = "spark.plugins";
static const char SparkPlugin[] = "org.ztera.spark.ZTeraPlugin";

static bool names_plugin(const char* words) {
  return words != nullptr && strstr(words, SparkPlugin) != nullptr;
}

bool H2Programs::is_spark_with_plugin() {
  // The program that prints spark-submit's command line has the same words, but another class.
  const char* const command = Arguments::java_command();
  const bool is_submit = command != nullptr && strncmp(command, SparkMain, sizeof(SparkMain) - 1) == 0;
  return (is_submit && names_plugin(command)) || names_plugin(Arguments::get_property(SparkSetting));
}

// As large as the plugin makes H2 of an executor (Sizing.java): H2 takes addresses only, and below
// 32 GiB in all references stay short.
static size_t beside(size_t heap) {
  const size_t wanted = align_down(MAX2(4 * heap, 4 * G), G);
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
