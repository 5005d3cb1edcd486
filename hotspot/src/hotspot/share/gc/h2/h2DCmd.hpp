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

#ifndef SHARE_GC_H2_H2DCMD_HPP
#define SHARE_GC_H2_H2DCMD_HPP

#include "memory/allStatic.hpp"
#include "services/diagnosticCommand.hpp"
#include "utilities/growableArray.hpp"

struct H2Extent;

// A command that may fail. HotSpot sends the status to jcmd between parse() and execute(): what fails in execute() looks like
// success to a script. So these commands do their work before.
class H2DCmd : public DCmdWithParser {
 protected:
  // Throws where the command cannot do what it is for.
  virtual void work(TRAPS) = 0;

 public:
  H2DCmd(outputStream* output, bool heap) : DCmdWithParser(output, heap) {}
  void parse(CmdLine* line, char delim, TRAPS) override;
};

// jcmd GC.h2_info [-regions] [-labels=false] [json]
class H2InfoDCmd : public H2DCmd {
  DCmdArgument<char*> _format;
  DCmdArgument<bool>  _regions;
  DCmdArgument<bool>  _labels;

  bool is_json() const { return strcmp(_format.value(), "json") == 0; }
  void work(TRAPS) override;

 public:
  static int num_arguments() { return 3; }
  H2InfoDCmd(outputStream* output, bool heap);
  static const char* name()        { return "GC.h2_info"; }
  static const char* description() { return "Print what the second heap (H2) holds, and in which tier."; }
  static const char* impact()      { return "Low"; }
  void execute(DCmdSource source, TRAPS) override;
};

// jcmd GC.h2_writeback [-idle] [label]
class H2WritebackDCmd : public DCmdWithParser {
  DCmdArgument<jlong> _label;
  DCmdArgument<bool>  _idle;

 public:
  static int num_arguments() { return 2; }
  H2WritebackDCmd(outputStream* output, bool heap);
  static const char* name()        { return "GC.h2_writeback"; }
  static const char* description() { return "Write the pages of the second heap (H2), or of one label, to the SSD in H2Path; resident ones stay in DRAM too."; }
  static const char* impact()      { return "Medium: Depends on the amount of data that the SSD lacks, and on its speed."; }
  void execute(DCmdSource source, TRAPS) override;
};

// jcmd GC.h2_dump <file> [label]
class H2DumpDCmd : public H2DCmd {
  DCmdArgument<char*> _file;
  DCmdArgument<jlong> _label;
  char                _path[JVM_MAXPATHLEN];  // of the file, from the root
  int                 _regions;
  size_t              _bytes;

  void find_path();
  const char* dump();
  const char* write(int fd, const GrowableArray<H2Extent>& extents);
  void work(TRAPS) override;

 public:
  static int num_arguments() { return 2; }
  H2DumpDCmd(outputStream* output, bool heap);
  static const char* name()        { return "GC.h2_dump"; }
  static const char* description() { return "Write the pages of the second heap (H2), or of one label, to a file as they are."; }
  static const char* impact()      { return "High: All of it is read, and what the program uses may leave memory for that."; }
  void execute(DCmdSource source, TRAPS) override;
};

// jcmd GC.h2_return <label>
class H2ReturnDCmd : public DCmdWithParser {
  DCmdArgument<jlong> _label;

 public:
  static int num_arguments() { return 1; }
  H2ReturnDCmd(outputStream* output, bool heap);
  static const char* name()        { return "GC.h2_return"; }
  static const char* description() { return "Bring one label of the second heap (H2), and what refers to it there, back to the ordinary heap, tagged as before it moved, by a full GC."; }
  static const char* impact()      { return "High: A full GC that reads these pages."; }
  void execute(DCmdSource source, TRAPS) override;
};

// jcmd GC.h2_live
class H2LiveDCmd : public DCmd {
 public:
  H2LiveDCmd(outputStream* output, bool heap) : DCmd(output, heap) {}
  static const char* name()        { return "GC.h2_live"; }
  static const char* description() { return "Find out by a full GC how much of each label of the second heap (H2) is dead. Labels that mostly are return to the ordinary heap at the next one."; }
  static const char* impact()      { return "High: A full GC that reads what is live in H2, wherever it is."; }
  void execute(DCmdSource source, TRAPS) override;
};

class H2DCmds : AllStatic {
 public:
  static void register_all(uint32_t export_flags);
};

#endif // SHARE_GC_H2_H2DCMD_HPP
