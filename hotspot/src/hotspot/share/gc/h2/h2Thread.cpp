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

#include "gc/h2/h2Thread.hpp"
#include "runtime/handles.inline.hpp"
#include "runtime/monitorDeflationThread.hpp"

// The thread is of a class of HotSpot's for threads that nobody sees. The JDK's serviceability agent knows a thread by its
// class, and fails when it meets one that it does not know.
void H2Thread::start(const char* name, ThreadFunction run) {
  EXCEPTION_MARK;
  Handle thread_object = JavaThread::create_system_thread_object(name, CHECK);
  MonitorDeflationThread* const thread = new MonitorDeflationThread(run);
  JavaThread::vm_exit_on_osthread_failure(thread);
  JavaThread::start_internal_daemon(THREAD, thread, thread_object, NormPriority);
}
