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
package org.ztera.jvmtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.ztera.kit.OopMode.NARROW;
import static org.ztera.kit.OopMode.WIDE;
import static org.ztera.kit.OopMode.WIDE_COMPACT;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ztera.jvmtests.child.Child;
import org.ztera.jvmtests.child.Crash;
import org.ztera.jvmtests.child.Idle;
import org.ztera.jvmtests.child.Info;
import org.ztera.jvmtests.child.MemoryPools;
import org.ztera.jvmtests.child.Metered;
import org.ztera.jvmtests.child.Monitored;
import org.ztera.jvmtests.child.Sharing;
import org.ztera.jvmtests.harness.Backing;
import org.ztera.jvmtests.harness.Jdk;
import org.ztera.jvmtests.harness.JvmProcess;
import org.ztera.jvmtests.harness.JvmResult;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.Setup;
import org.ztera.kit.Tools;
import org.ztera.micrometer.H2Metrics;

/** The VM's reports about H2. */
class DiagnosticsTest {
    /** The engine's statistics, which engine/metrics defines: the fields of zt_stats in ztera.h. */
    private static final List<String> ENGINE_FIELDS = engineFields();

    /** A line that begins with the name of the heap, as those of the other parts of the heap do. */
    private static final Pattern HEAP_LINE = Pattern.compile("^\\s*H2\\b.*\\d+K.*$", Pattern.MULTILINE);

    private static List<String> engineFields() {
        try {
            String header = Files.readString(Path.of("../../ffi/include/ztera.h"));
            Matcher struct = Pattern.compile("struct zt_stats \\{(.*?)\\n\\}", Pattern.DOTALL).matcher(header);
            assertTrue(struct.find(), "ztera.h has zt_stats");
            return Pattern.compile("uint64_t (\\w+);").matcher(struct.group(1)).results().map(field -> field.group(1)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Matrix(modes = {NARROW, WIDE}, file = NARROW, fastdebug = NARROW)
    void diagnosticCommands(Setup setup) {
        JvmProcess child = JvmRun.of(setup).main(Info.class).start().awaitLine(Child.READY);
        String heap = child.jcmd(setup.jdk(), "GC.heap_info");
        String text = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_info");
        String json = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_info", "json");
        JvmResult result = child.send("go on").await().passed();
        assertTrue(heap.contains("ParOldGen"), heap);
        if (!Jdk.STOCK) {
            assertTrue(HEAP_LINE.matcher(heap).find(), heap);
            long[] stats = Arrays.stream(result.lines("STATS").getFirst().split(" ")).mapToLong(Long::parseLong).toArray();
            assertTrue(text.contains("H2"), text);
            assertTrue(Pattern.compile("\\b50\\b").matcher(text).results().count() <= 1, "a dead label is listed: " + text);
            expectJson(parse(json), stats, setup);
        }
    }

    /**
     * The JDK's serviceability agent knows threads by their class, and failed on one of ours. It does not know H2: it
     * counts and dumps the objects of H1.
     *
     * <p>Situation: tools: jhsdb prints stacks and a histogram of a running VM, and dumps its heap. Outcome: stacks,
     * and the objects of H1.
     */
    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void theServiceabilityAgentReadsALiveVm(Setup setup) {
        if (!System.getProperty("user.name").equals("root")) {
            System.out.println("SKIPPED, the kernel may let nobody but root look into another process");
            return;
        }
        JvmProcess child = JvmRun.of(setup).main(Info.class).start().awaitLine(Child.READY);
        String pid = Long.toString(child.pid());
        String dump = child.directory().resolve("agent.hprof").toAbsolutePath().toString();
        String stacks = JvmProcess.tool(setup.jdk(), "jhsdb", "jstack", "--pid", pid);
        String histogram = JvmProcess.tool(setup.jdk(), "jhsdb", "jmap", "--histo", "--pid", pid);
        String dumped = JvmProcess.tool(setup.jdk(), "jhsdb", "jmap", "--binaryheap", "--dumpfile", dump, "--pid", pid);
        child.send("go on").await().passed();
        assertTrue(stacks.contains(Child.class.getName() + ".ready"), stacks);
        assertFalse(stacks.contains("H2 Director"), stacks);
        assertTrue(Pattern.compile("java\\.lang\\.String$", Pattern.MULTILINE).matcher(histogram).find(), histogram);
        assertTrue(dumped.contains("heap written to"), dumped);
        for (String said : List.of(stacks, histogram, dumped)) {
            assertFalse(said.contains("at sun.jvm.hotspot"), said);
        }
    }

    // Bug: The documents said that compressed pages are written, and leave DRAM. Resident ones are written and stay.
    @Matrix(modes = NARROW, fastdebug = NARROW)
    void pagesAreWrittenBackByHand(Setup setup) {
        JvmProcess child = JvmRun.of(setup).flag("-XX:H2Path=.").main(Info.class).start().awaitLine(Child.READY);
        String help = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "help", "GC.h2_writeback");
        long resident = Jdk.STOCK ? 0 : sumOverLabels(child.h2Info(setup.jdk()), "resident_bytes");
        String said = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_writeback");
        String json = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_info", "json");
        child.send("go on").await().passed();
        if (!Jdk.STOCK) {
            assertTrue(Pattern.compile("[1-9]\\d* regions, [1-9]\\d*K written to SSD").matcher(said).find(), said);
            JsonObject engine = parse(json).getAsJsonObject("engine");
            assertTrue(engine.get("bd_count").getAsLong() > 0, json);
            assertTrue(engine.get("bd_data_size").getAsLong() >= resident, "resident pages are written: " + json);
            assertTrue(resident > 0 && sumOverLabels(parse(json), "resident_bytes") >= resident, "they stay: " + resident + ", " + json);
            assertTrue(help.contains("resident ones stay in DRAM"), help);
            expectPlaces(parse(json));
        }
    }

    /** Pages as they are, for who wants to see how they compress. */
    @Matrix(modes = NARROW, fastdebug = NARROW)
    void pagesAreWrittenToAFile(Setup setup) throws IOException {
        JvmRun run = JvmRun.of(setup).flag("-XX:H2ResidentSize=4m");
        JvmProcess child = run.main(Info.class).start().awaitLine(Child.READY);
        String said = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_dump", "pages.bin");
        String one = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_dump", "one.bin", "11");
        child.send("go on").await().passed();
        if (!Jdk.STOCK) {
            Matcher told = Pattern.compile("([1-9]\\d*) regions, ([1-9]\\d*)K written to (.*)/pages.bin").matcher(said);
            assertTrue(told.find(), said);
            assertEquals(run.directory().toRealPath().toString(), told.group(3), "jcmd ran in another directory");
            byte[] pages = Files.readAllBytes(run.directory().resolve("pages.bin"));
            assertEquals(Long.parseLong(told.group(2)) * 1024, pages.length);
            int zeros = 0;
            for (byte b : pages) {
                zeros += b == 0 ? 1 : 0;
            }
            assertTrue(zeros < pages.length * 9L / 10, "objects are in it");
            assertTrue(one.contains("/one.bin"), one);
        }
    }

    /** Scripts took it for done: the status was 0, and there was an empty file. */
    @Matrix(modes = NARROW, fastdebug = NARROW)
    void whoCannotDumpFails(Setup setup) throws IOException {
        if (Jdk.STOCK) {
            return;
        }
        JvmRun run = JvmRun.of(setup);
        JvmProcess child = run.main(Info.class).start().awaitLine(Child.READY);
        Path there = Files.writeString(run.directory().resolve("there.bin"), "precious");
        String again = child.jcmdFails(setup.jdk(), "GC.h2_dump", "there.bin");
        String none = child.jcmdFails(setup.jdk(), "GC.h2_dump", "none.bin", "77");
        String full = child.jcmdFails(setup.jdk(), "GC.h2_dump", "/proc/self/none.bin");
        String format = child.jcmdFails(setup.jdk(), "GC.h2_info", "xml");
        child.send("go on").await().passed();
        assertTrue(again.contains(there.toRealPath() + ": it is there already; name a file that does not exist"), again);
        assertEquals("precious", Files.readString(there));
        assertTrue(none.contains("H2 has nothing of that label"), none);
        assertFalse(Files.exists(run.directory().resolve("none.bin")), "an empty file");
        assertTrue(full.contains("/proc/self/none.bin: "), full);
        assertTrue(format.contains("unknown format 'xml'; use text or json"), format);
    }

    /** A disk may be full before all pages are written. */
    @Matrix(modes = NARROW)
    void aDumpThatFailsLeavesNoFile(Setup setup) throws IOException {
        if (Jdk.STOCK) {
            return;
        }
        JvmRun run = JvmRun.of(setup).through("/bin/sh", "-c", "ulimit -f 4096; exec \"$@\"", "sh");
        JvmProcess child = run.main(Info.class).start().awaitLine(Child.READY);
        String said = child.jcmdFails(setup.jdk(), "GC.h2_dump", "pages.bin");
        child.send("go on").await().passed();
        assertTrue(said.contains("/pages.bin: File too large"), said);
        assertFalse(Files.exists(run.directory().resolve("pages.bin")), "a part of the pages");
    }

    /** The JVM told them in its log only. */
    @Matrix(modes = NARROW, fastdebug = NARROW)
    void theLastDecisionsAreToldWithTheirReasons(Setup setup) {
        JvmProcess child = JvmRun.of(setup).main(Info.class).start().awaitLine(Child.READY);
        if (!Jdk.STOCK) {
            child.jcmd(setup.jdk(), "GC.h2_return", "11");
        }
        String text = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_info");
        JsonObject info = Jdk.STOCK ? null : child.h2Info(setup.jdk());
        child.send("go on").await().passed();
        if (!Jdk.STOCK) {
            assertTrue(Pattern.compile("^  \\d+\\.\\d{3}s: Label 11 and what refers to it return", Pattern.MULTILINE).matcher(text).find(), text);
            JsonObject last = info.getAsJsonArray("decisions").asList().getLast().getAsJsonObject();
            assertTrue(last.get("uptime_seconds").getAsDouble() > 0, last.toString());
            assertTrue(info.getAsJsonArray("decisions").size() <= 16, info.toString());
            assertTrue(info.get("decisions").toString().contains("Label 11 and what refers to it return"), info.toString());
        }
    }

    /** People who ask each second need not have the VM look at each page. */
    @Matrix(modes = NARROW)
    void labelsMayBeLeftOut(Setup setup) {
        JvmProcess child = JvmRun.of(setup).main(Info.class).start().awaitLine(Child.READY);
        String json = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_info", "-labels=false", "json");
        child.send("go on").await().passed();
        if (!Jdk.STOCK) {
            assertFalse(parse(json).has("labels"), json);
            assertTrue(parse(json).has("engine"), json);
        }
    }

    /**
     * Situation: tools: jstat prints H2's counters, from a file, without a request to the VM. Outcome: as GC.h2_info
     * tells.
     */
    @Matrix(modes = NARROW, file = NARROW, fastdebug = NARROW)
    void jstatReadsTheCounters(Setup setup) {
        JvmProcess child = JvmRun.of(setup).main(Info.class).start().awaitLine(Child.READY);
        String pid = Long.toString(child.pid());
        String said = Jdk.STOCK ? "" : JvmProcess.tool(setup.jdk(), "jstat", "-J-Djstat.showUnsupported=true", "-snap", pid);
        JsonObject info = Jdk.STOCK ? null : child.h2Info(setup.jdk());
        child.send("go on").await().passed();
        if (Jdk.STOCK) {
            return;
        }
        for (String name : List.of("capacity_bytes", "used_bytes", "regions_total", "regions_used", "moved_bytes", "moves", "tags")) {
            assertTrue(said.lines().anyMatch(("sun.gc.h2." + name + "=" + info.get(name).getAsLong())::equals), name + " in " + said);
        }
        for (String name : ENGINE_FIELDS) {
            assertEquals(setup.backing() == Backing.TIER, said.contains("\nsun.gc.h2.engine_" + name + "="), name + " in " + said);
        }
    }

    /**
     * Situation: tools: native memory tracking is on. Outcome: categories of H2's pages, pool, staging and tables tell
     * what the engine has, and H2's addresses are not the Java heap's.
     */
    @Matrix(modes = {NARROW, WIDE_COMPACT}, file = NARROW, fastdebug = NARROW)
    void nativeMemoryTrackingTellsOfH2(Setup setup) {
        JvmProcess child = JvmRun.of(setup).flag("-XX:NativeMemoryTracking=detail").main(Info.class).start().awaitLine(Child.READY);
        String pid = Long.toString(child.pid());
        List<String> asked = Jdk.STOCK ? List.of() : List.of("first", "again");
        List<String> said = asked.stream().map(time -> JvmProcess.tool(setup.jdk(), "jcmd", pid, "VM.native_memory", "scale=b")).toList();
        JsonObject info = Jdk.STOCK ? null : child.h2Info(setup.jdk());
        child.send("go on").await().passed();
        for (String summary : said) {
            long capacity = info.get("capacity_bytes").getAsLong();
            assertEquals(capacity, nativeBytes(summary, "H2 Pages", "reserved"), summary);
            assertTrue(nativeBytes(summary, "Java Heap", "reserved") < capacity, summary);
            assertTrue(nativeBytes(summary, "H2 Tables", "committed") > 0, summary);
            JsonObject engine = info.getAsJsonObject("engine");
            assertEquals(engine == null, nativeBytes(summary, "H2 Pages", "committed") == 0, summary);
            if (engine != null) {
                assertEquals(engine.get("resident_bytes").getAsLong(), nativeBytes(summary, "H2 Pages", "committed"), summary);
                assertEquals(engine.get("mem_used_total").getAsLong(), nativeBytes(summary, "H2 Pool", "committed"), summary);
                assertTrue(nativeBytes(summary, "H2 Staging", "committed") > 0, summary);
            }
        }
    }

    /** Bytes of a category of native memory tracking; 0 where it does not name the category, as it has none. */
    private static long nativeBytes(String summary, String category, String kind) {
        Matcher found = Pattern.compile(category + " \\(reserved=(?<reserved>\\d+), committed=(?<committed>\\d+)\\)").matcher(summary);
        return found.find() ? Long.parseLong(found.group(kind)) : 0;
    }

    @Matrix(modes = NARROW)
    void onlyIdlePagesAreWrittenBackByHand(Setup setup) {
        JvmProcess child = JvmRun.of(setup).flag("-XX:-H2Verify", "-XX:H2Path=.", "-XX:H2ResidentSize=4m", "-XX:H2IdleEpochs=4", "-XX:H2RecompressCodec=none")
                .main(Idle.class).start().awaitLine(Child.READY);
        String idle = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_writeback", "-idle", "2");
        String none = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_writeback", "-idle", "77");
        child.send("go on").await().passed();
        if (!Jdk.STOCK) {
            assertTrue(Pattern.compile("[1-9]\\d* regions, [1-9]\\d{3}K written to SSD").matcher(idle).find(), idle);
            assertTrue(none.contains("0 regions, 0K written"), none);
        }
    }

    @Matrix(modes = NARROW)
    void withoutSsdNothingIsWrittenBack(Setup setup) {
        JvmProcess child = JvmRun.of(setup).main(Info.class).start().awaitLine(Child.READY);
        String said = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_writeback", "50");
        child.send("go on").await().passed();
        assertTrue(Jdk.STOCK || said.contains("H2Path") || said.contains("0 regions"), said);
    }

    /** H2Verify reads all of H2 at each collection, after which nothing there is idle. */
    @Matrix(modes = {NARROW, WIDE})
    void idlePagesBecomeSmaller(Setup setup) {
        JvmProcess child = JvmRun.of(setup).flag("-XX:-H2Verify", "-XX:H2PoolSize=10m", "-XX:H2ResidentSize=4m", "-XX:H2IdleEpochs=4")
                .main(Idle.class).start().awaitLine(Child.READY);
        String json = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_info", "json");
        child.send("go on").await().passed();
        if (!Jdk.STOCK) {
            JsonObject engine = parse(json).getAsJsonObject("engine");
            assertTrue(engine.get("recompressed_units").getAsLong() > 100, json);
            assertTrue(sumOverLabels(parse(json), "idle_bytes") > 6_000_000, json);
            assertTrue(sumOverLabels(parse(json), "compressed_bytes") > 6_000_000, json);
        }
    }

    @Matrix(modes = NARROW)
    void whatMayBeWrittenPerDayIsToldAndKeptTo(Setup setup) {
        JvmProcess child = JvmRun.of(setup).flag("-XX:H2Path=.", "-XX:H2WritesPerDay=1m", "-XX:+H2Encrypt")
                .main(Info.class).start().awaitLine(Child.READY);
        String said = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_writeback");
        String json = Jdk.STOCK ? "" : child.jcmd(setup.jdk(), "GC.h2_info", "json");
        child.send("go on").await().passed();
        if (!Jdk.STOCK) {
            assertTrue(said.contains("stopped"), said);
            JsonObject engine = parse(json).getAsJsonObject("engine");
            long written = engine.get("bd_write_bytes").getAsLong();
            assertTrue(written > 0 && written <= 1 << 20, json);
            assertEquals((1 << 20) - written, engine.get("writeback_limit").getAsLong(), json);
        }
    }

    /**
     * Where nobody divides the memory, pages of H2 have what the ordinary heap has not committed. Memory that a full
     * GC may want is lent to them at some time after each. It counts as theirs in any case.
     */
    @Matrix(modes = {NARROW, WIDE}, fastdebug = NARROW)
    void whatTheOrdinaryHeapLeavesIsLent(Setup setup) {
        long[] limits = looks(JvmRun.of(setup).flag("-Xms24m", "-Xmn8m"), setup).mapToLong(look -> {
            JsonObject memory = look.getAsJsonObject("memory");
            return residentLimit(look) + memory.get("beside_bytes").getAsLong() + memory.get("staging_bytes").getAsLong();
        }).toArray();
        if (!Jdk.STOCK) {
            long step = 40L << 20;
            assertTrue(limits[0] - limits[1] > step, "the heap grew: " + Arrays.toString(limits));
            assertTrue(limits[2] - limits[1] > step, "the heap shrank: " + Arrays.toString(limits));
        }
    }

    @Matrix(modes = NARROW)
    void whatSomebodyDividedStaysDivided(Setup setup) {
        Stream<JsonObject> looks = looks(JvmRun.of(setup).flag("-Xms24m", "-XX:H2ResidentSize=8m"), setup);
        long[] limits = looks.mapToLong(DiagnosticsTest::residentLimit).toArray();
        assertTrue(Jdk.STOCK || Arrays.stream(limits).allMatch(limit -> limit == 8 << 20), Arrays.toString(limits));
    }

    /** The limit of uncompressed pages of H2. */
    private static long residentLimit(JsonObject look) {
        return look.getAsJsonObject("engine").get("resident_limit").getAsLong();
    }

    /** The numbers of H2 each time that the child lets one look; none on a stock JDK. */
    private static Stream<JsonObject> looks(JvmRun run, Setup setup) {
        JvmProcess child = run.main(Sharing.class).start();
        Stream.Builder<JsonObject> looks = Stream.builder();
        for (int i = 0; i < 3; i++) {
            child.awaitLine("STEP " + i);
            if (!Jdk.STOCK) {
                looks.add(parse(child.jcmd(setup.jdk(), "GC.h2_info", "json")));
            }
            // One byte, for which it waits.
            child.send("");
        }
        child.await().passed();
        return looks.build();
    }

    /** A region's objects end in a block of which the last pages may be nowhere, as nothing was ever written there. */
    private static final long BLOCK_BYTES = 16 << 10;

    /** Each page is somewhere; one that is in memory too does not count for the SSD. */
    private static void expectPlaces(JsonObject info) {
        long ssd = sumOverLabels(info, "ssd_bytes");
        assertTrue(ssd <= info.getAsJsonObject("engine").get("bd_data_size").getAsLong(), info.toString());
        long all = ssd + sumOverLabels(info, "resident_bytes") + sumOverLabels(info, "compressed_bytes");
        long unwritten = info.get("regions_used").getAsLong() * BLOCK_BYTES;
        assertTrue(all >= info.get("used_bytes").getAsLong() - unwritten, info.toString());
    }

    private static long sumOverLabels(JsonObject info, String field) {
        return info.getAsJsonArray("labels").asList().stream().mapToLong(label -> label.getAsJsonObject().get(field).getAsLong()).sum();
    }

    /** jcmd prints the process id first; the rest is the command's output. */
    private static JsonObject parse(String output) {
        Matcher m = Pattern.compile("\\{.*}", Pattern.DOTALL).matcher(output);
        assertTrue(m.find(), output);
        return JsonParser.parseString(m.group()).getAsJsonObject();
    }

    private static void expectJson(JsonObject info, long[] stats, Setup setup) {
        boolean tier = setup.backing() == Backing.TIER;
        assertTrue(info.get("enabled").getAsBoolean());
        assertEquals(tier ? "tier" : "file", info.get("backing").getAsString());
        String[] names = {"capacity_bytes", "used_bytes", "region_bytes", "regions_total", "regions_used", "regions_freed",
            "tags", "moved_objects", "moved_bytes"};
        for (int i = 0; i < names.length; i++) {
            assertEquals(stats[i], info.get(names[i]).getAsLong(), names[i]);
        }
        assertEquals(256L << 20, info.get("capacity_bytes").getAsLong());
        assertEquals(1L << 20, info.get("region_bytes").getAsLong());
        assertEquals(1, info.get("tags").getAsLong(), "tags");
        assertTrue(info.get("regions_freed").getAsLong() >= 1, "the region of the dropped label");
        assertEquals(4, info.get("moves").getAsLong(), "moves");
        assertTrue(info.get("last_move_seconds").getAsDouble() > 0, "last_move_seconds");
        expectLabels(info);
        assertEquals(tier, info.has("engine"), "engine");
        if (tier) {
            JsonObject engine = info.getAsJsonObject("engine");
            assertEquals(new TreeSet<>(ENGINE_FIELDS), new TreeSet<>(engine.keySet()));
            for (String field : ENGINE_FIELDS) {
                assertTrue(engine.get(field).getAsLong() >= 0, field);
            }
        }
        assertEquals(tier, info.has("faults"), "faults");
        if (tier) {
            List<String> tiers = info.getAsJsonArray("faults").asList().stream().map(it -> it.getAsJsonObject().get("tier").getAsString()).toList();
            assertEquals(List.of("memory", "pool", "ssd"), tiers);
        }
    }

    private static void expectLabels(JsonObject info) {
        TreeSet<Long> labels = new TreeSet<>();
        long used = 0;
        long regions = 0;
        for (JsonElement e : info.getAsJsonArray("labels")) {
            JsonObject label = e.getAsJsonObject();
            labels.add(label.get("label").getAsLong());
            regions += label.get("regions").getAsLong();
            used += label.get("used_bytes").getAsLong();
        }
        assertEquals(new TreeSet<>(List.of(10L, 11L, 12L)), labels);
        assertEquals(info.get("regions_used").getAsLong(), regions, "regions of all labels");
        assertEquals(info.get("used_bytes").getAsLong(), used, "used bytes of all labels");
    }

    @Matrix(file = NARROW)
    void memoryPools(Setup setup) {
        JvmResult result = JvmRun.of(setup).main(MemoryPools.class, "128").run().passed();
        assertTrue(result.lines("POOL").contains("PS Old Gen"), "the collector's own pools: " + result.lines("POOL"));
        assertEquals(!Jdk.STOCK, result.lines("POOL").contains("H2"), "pools: " + result.lines("POOL"));
    }

    /**
     * Situation: tools: the program starts H2Monitor. Outcome: an MBean, notifications and events of Flight Recorder.
     */
    @Matrix(modes = {NARROW, WIDE_COMPACT}, file = NARROW)
    void theMonitorTellsWhatHappens(Setup setup) {
        JvmRun.of(setup).main(Monitored.class).run().passed();
    }

    /** Situation: tools: the API jar is given as an agent. Outcome: the same, and the program knows nothing of it. */
    @Matrix(modes = NARROW)
    void theMonitorIsAnAgentToo(Setup setup) {
        Path jar = Path.of("../api/target/ztera-api.jar").toAbsolutePath();
        JvmRun.of(setup).flag("-javaagent:" + jar).main(Monitored.class, "agent").run().passed();
    }

    /** Situation: tools: the program uses Micrometer. Outcome: its registry has the numbers of GC.h2_info. */
    @Matrix(modes = NARROW, file = NARROW)
    void metersTellWhatTheMonitorTells(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m").main(Metered.class)
                .with(H2Metrics.class, MeterRegistry.class, KeyValues.class, ObservationRegistry.class).run().passed();
    }

    @Matrix(file = NARROW, fastdebug = NARROW)
    void crashReportsNameH2(Setup setup) {
        String report = JvmRun.of(setup).main(Crash.class).run().crashReport();
        assertFalse(report.contains("Error occurred during error reporting"), "the report is complete");
        assertTrue(report.contains("END."), "the report is complete");
        if (!Jdk.STOCK) {
            assertTrue(HEAP_LINE.matcher(report).find(), "a line of H2 in the section of the heap");
            assertEquals(setup.backing() == Backing.TIER, report.contains("  memory limit "), "how the memory was divided: " + report);
        }
    }

    /**
     * It was a bare SIGBUS.
     *
     * <p>Situation: failing devices: a page of the mapped file cannot be read (H2Backing=file). Outcome: the VM ends,
     * and its crash report names the file.
     */
    @Matrix(modes = {}, file = NARROW)
    void aFileThatLosesPagesIsNamedInTheCrashReport(Setup setup) throws IOException {
        if (Jdk.STOCK) {
            return;
        }
        JvmProcess child = JvmRun.of(setup).main(Info.class).start().awaitLine(Child.READY);
        try (FileChannel file = FileChannel.open(fileOfH2(child), StandardOpenOption.WRITE)) {
            file.truncate(0);
        }
        String report = child.send("go on").await().crashReport();
        assertTrue(report.contains("#  Error: the file of H2 in H2Path="), report);
    }

    /**
     * A store to a page for which a full disk had no block ended the process.
     *
     * <p>Situation: failing devices: the mapped file's disk becomes full (H2Backing=file). Outcome: all blocks of the
     * file are allocated at start.
     */
    @Matrix(modes = {}, file = NARROW)
    void aFileOfH2HasItsBlocksFromTheStart(Setup setup) throws IOException, InterruptedException {
        JvmProcess child = JvmRun.of(setup).main(Info.class).start().awaitLine(Child.READY);
        String blocks = Jdk.STOCK ? "" : Tools.run(List.of("stat", "-Lc", "%b", fileOfH2(child).toString())).strip();
        String system = Files.getFileStore(child.directory()).type();
        child.send("go on").await().passed();
        if (system.equals("tmpfs")) {
            System.out.println("SKIPPED, blocks of tmpfs are memory, and are not taken ahead");
        } else if (!Jdk.STOCK) {
            assertTrue(Long.parseLong(blocks) * 512 >= 256L << 20, blocks + " blocks on " + system);
        }
    }

    /** A way to the file, which has no name. */
    private static Path fileOfH2(JvmProcess child) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(child.pid()), "fd"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (Files.readSymbolicLink(file).toString().contains("/ztera-h2-")) {
                    return file;
                }
            }
        }
        throw new AssertionError("the VM has no file of H2");
    }
}
