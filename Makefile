# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# `make` builds everything into build/; `make help` lists the rest. The parts: the engine, the command, the laboratory
# (Rust), HotSpot with the second heap (C++, hotspot/build/), the JDK views made of it, the Java jars (Maven).

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
.DEFAULT_GOAL := all
ifeq ($(filter %-lane,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif
.DELETE_ON_ERROR:

MINUTES ?= 10
TIMES ?= 100
comma := ,
view := $(CURDIR)/build/jdk
fastdebug_view := $(CURDIR)/build/jdk-fastdebug
install := scripts/install-changed.sh
java_files := $(shell find java \( -name target -o -path java/others -o -path java/fuzz -o -path java/kit -o -path java/defaults \
    -o -path java/spark \) -prune -o -type f -print 2>/dev/null)
# Maven runs on the base JDK; the options silence warnings about Maven's own libraries.
maven_options := --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
maven_in = env JAVA_HOME=$$(hotspot/build/base-jdk.sh) MAVEN_OPTS="$(maven_options)" mvn -B -ntp -f $(1)/pom.xml
maven = $(call maven_in,java)
uncoloured = 2>&1 | sed 's/\x1b\[[0-9;]*m//g' # Debian's Maven colours even silence
quiet_maven = $(maven) -q $(1) $(uncoloured)
bench_options = $(if $(SSD),--ssd "$(SSD)") $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(PLOTS),--plots "$(PLOTS)")
# Two lanes run beside each other. The second builds first, and has all suites that run Maven in java/ or use its jars.
first_lane := check jdk test-engine test-counts test-build test-view test-jdk test-others test-demo
second_lane := all fastdebug inject spark spark-workloads test-jvm test-fuzz test-spark test-workloads test-java test-stress test-failures test-soak
suites := $(filter check test-%,$(first_lane) $(second_lane))
by_hand := test bursts test-dist test-guest test-aarch64 sanitize \
    model-engine fuzz-engine mutations-engine mutations jdk-tests others fuzz stress soak bench-off

.PHONY: all tools rust jdk fastdebug java spark spark-workloads heaps web-workloads source
## all: build/jdk, build/ztera, build/libztera.so and the jars (what `make` alone does)
all: tools rust jdk java source

tools:
	@scripts/tools.sh
	@scripts/rust-cache.sh take

## rust: build/libztera.so, build/ztera and build/ztera-lab
rust: tools
	@ZTERA_OLD_GLIBC="$$(hotspot/build/old-glibc.sh)" cargo build --release -p ztera-ffi -p ztera-cli -p ztera-lab
	@$(install) target/release/libztera.so build/libztera.so
	@$(install) target/release/ztera build/ztera
	@$(install) target/release/ztera-lab build/ztera-lab

## jdk: build/jdk, the JDK view
jdk: rust
	@hotspot/build/make-view.sh release

## fastdebug: build/jdk-fastdebug, the view with HotSpot's own assertions
fastdebug: rust
	@hotspot/build/make-view.sh fastdebug

## java: build/ztera-api.jar, build/ztera-demo.jar and build/ztera-micrometer.jar
java: tools build/ztera-api.jar build/ztera-micrometer.jar

build/ztera-api.jar build/ztera-demo.jar build/ztera-micrometer.jar &: $(java_files)
	@echo "ztera: packing the jars"
	@$(call quiet_maven,package -DskipTests -pl api$(comma)demo$(comma)micrometer)
	@$(install) java/api/target/ztera-api.jar build/ztera-api.jar && touch build/ztera-api.jar
	@$(install) java/demo/target/ztera-demo.jar build/ztera-demo.jar && touch build/ztera-demo.jar
	@$(install) java/micrometer/target/ztera-micrometer.jar build/ztera-micrometer.jar && touch build/ztera-micrometer.jar

# With the libraries of others that its programs use, from Maven Central, in a folder beside it.
build/ztera-defaults.jar: $(java_files) $(shell find java/defaults -name target -prune -o -type f -print 2>/dev/null)
	@echo "ztera: packing the programs of bench defaults"
	@$(call quiet_maven,package -DskipTests -pl api$(comma)demo$(comma)defaults)
	@rm -rf build/ztera-defaults && mkdir -p build/ztera-defaults && cp java/defaults/target/ztera-defaults/*.jar build/ztera-defaults/
	@$(install) java/defaults/target/ztera-defaults.jar $@ && touch $@

## spark: build/ztera-spark_2.13.jar, the plugin for Apache Spark
spark: tools build/ztera-spark_2.13.jar

build/ztera-spark_2.13.jar: $(java_files) $(shell find java/spark -name target -prune -o -type f -print 2>/dev/null)
	@echo "ztera: packing the Spark plugin"
	@$(call quiet_maven,package -DskipTests -pl api$(comma)kit$(comma)spark)
	@$(install) java/spark/target/ztera-spark_2.13.jar $@ && touch $@

## spark-workloads: build/ztera-spark-workloads.jar, the laboratory's ten programs for Apache Spark
spark-workloads: tools build/ztera-spark-workloads.jar

workloads := lab/workloads/spark
build/ztera-spark-workloads.jar: java/pom.xml $(shell find $(workloads) -name target -prune -o -type f -print 2>/dev/null)
	@echo "ztera: packing the Spark workloads"
	@$(call maven_in,$(workloads)) -q package -DskipTests $(uncoloured)
	@$(install) $(workloads)/target/ztera-spark-workloads.jar $@ && touch $@

## heaps: build/ztera-heaps, programs of others from Maven Central, whose heaps the laboratory dumps
heaps: tools build/ztera-heaps/done

build/ztera-heaps/done: java/pom.xml lab/workloads/heaps/pom.xml
	@echo "ztera: fetching the programs whose heaps are dumped"
	@$(call maven_in,lab/workloads/heaps) -q package $(uncoloured)
	@rm -rf build/ztera-heaps && mkdir -p build/ztera-heaps
	@cp lab/workloads/heaps/target/ztera-heaps/*.jar build/ztera-heaps/ && touch $@

## web-workloads: build/ztera-web-workloads.jar, the laboratory's two web applications
web-workloads: tools build/ztera-web-workloads.jar

web := lab/workloads/web
build/ztera-web-workloads.jar: java/pom.xml $(shell find $(web) -name target -prune -o -type f -print 2>/dev/null)
	@echo "ztera: packing the web applications"
	@$(call maven_in,$(web)) -q package -DskipTests $(uncoloured)
	@$(install) $(web)/target/ztera-web-workloads.jar $@ && touch $@

## source: build/jdk-source, a link to the pristine OpenJDK source (the demo's input)
source:
	@mkdir -p build
	@ln -sfn "$$(hotspot/build/fetch-source.sh)/tree" build/jdk-source

.PHONY: dist install test-dist
## dist: build/dist, packages to give away: a JDK with H2 and the command, as a tarball, a .deb and a Containerfile
dist: all spark
	@scripts/dist/dist.sh

## install PREFIX=/usr/local: the package, below PREFIX/lib, and links to the command, its manual and completions
PREFIX ?= /usr/local
install: all spark
	@scripts/dist/dist.sh install "$(PREFIX)"

## test-dist: the packages run on other systems, need no newer glibc, and are the same when packed again; about 6 minutes
test-dist: dist
	@scripts/suite.sh test-dist scripts/dist/test.sh

.PHONY: test test-quick test-all first-lane second-lane $(suites) bursts counts valgrind disk-clients others fuzz fuzz-classes
.PHONY: stress stress-classes soak inject test-guest test-aarch64 guest-tools sanitize model-engine mutations-engine fuzz-engine mutations jdk-tests
## test: every suite below, two at a time, and a closing line with the sum
test: tools web-workloads
	@rm -rf out/test
	@$(MAKE) --no-print-directory -k -j2 first-lane second-lane; status=$$?; scripts/rust-cache.sh keep; \
	    scripts/summary.sh $(suites) && exit $$status

# Cargo would take jobs of `make` for its own, and there are two in all.
first-lane second-lane:
	@MAKEFLAGS="$(filter-out -j% --jobserver%,$(MAKEFLAGS))" $(MAKE) $($(subst -,_,$@))

## test-quick: the suites that test no JVM of ours, in minutes
quick := check test-engine test-java test-build
test-quick:
	@rm -rf out/test
	@$(MAKE) --no-print-directory -k $(quick); status=$$?; scripts/summary.sh $(quick) && exit $$status

## test-all [MINUTES=10] [TIMES=100]: `test`, and all checks that nobody runs for each change; a night or two
test-all:
	@$(MAKE) --no-print-directory -k $(by_hand)

## check: formatting, lints, dependencies, licences, English, line lengths, commit subjects, patches that apply
check: tools
	@scripts/suite.sh check scripts/check.sh

## test-demo: the main job finishes within the limit, with the right answers
test-demo: all
	@scripts/suite.sh test-demo scripts/test-demo.sh

## test-engine: unit, model, fuzz and C tests of the engine and the command
test-engine: rust disk-clients lab-tools web-workloads watch-tools
	@scripts/suite.sh test-engine cargo test --workspace --no-fail-fast

## test-counts: the engine's hot paths take as many instructions as they did
test-counts: valgrind
	@scripts/suite.sh test-counts scripts/counts.sh --check

## counts [REFRESH=1]: the instructions that hot paths take, beside those kept in engine/counts.txt; or keeps them
counts: valgrind
	@scripts/counts.sh $(if $(REFRESH),--refresh)

# Root installs it. Where it is missing, what needs it says so.
valgrind: tools
	@command -v valgrind >/dev/null || (( EUID )) || hotspot/build/require.sh valgrind || true

# Other people's NBD clients and file systems, for the tests of the block device. Root installs them. Where they are
# missing, those tests say so.
disk-clients: tools
	@(( EUID )) || hotspot/build/require.sh libnbd-bin qemu-utils fio e2fsprogs btrfs-progs mount || true

# A terminal for the test of `ztera top`, which root installs, and a Prometheus that judges and scrapes `ztera export`.
watch-tools: tools
	@command -v tmux >/dev/null || (( EUID )) || hotspot/build/require.sh tmux || true
	@command -v apt-get >/dev/null && scripts/prometheus.sh || true

## test-java: the API and the meters on a stock JVM, and the demo's parts
test-java: tools
	@scripts/suite.sh test-java $(maven) test -pl api,kit,demo,defaults,micrometer

## test-spark: the Spark plugin in local mode, on clusters of processes, in shells and on older Sparks
test-spark: jdk
	@for version in 4.1.0 4.2.0; do $(call maven_in,java/spark/older) -q package -Dspark.version=$$version $(uncoloured) || exit; done
	@scripts/suite.sh test-spark bash -c 'spark=$$(java/spark/fetch-spark.sh) && exec "$$@" -Dspark.home="$$spark"' - \
	    $(maven) verify -pl api$(comma)kit$(comma)spark -Dztera.jdk=$(view)

## test-workloads: the web applications; programs for Spark, on tiny data in two storage levels; and one by bench-spark
test-workloads: jdk spark spark-workloads
	@scripts/suite.sh test-workloads bash -c '$(call maven_in,$(web)) test && $(call maven_in,$(workloads)) test && \
	    spark=$$(java/spark/fetch-spark.sh) && $(workloads)/bench_test.sh build/ztera $(view) "$$spark"'

## test-build: the build scripts and their cache, on a toy source tree; tables for rules and units of H2
test-build: jdk
	@scripts/suite.sh test-build bash -c 'hotspot/test/build_test.sh && hotspot/test/jtreg_test.sh && hotspot/test/rules_test.sh \
		&& hotspot/test/units_test.sh'

## test-view: both JDK views are whole
test-view: jdk fastdebug
	@scripts/suite.sh test-view bash -c 'hotspot/test/view_test.sh $(view) && hotspot/test/view_test.sh $(fastdebug_view)'

## test-jvm: H2 in the JVM, in child processes
test-jvm: all fastdebug
	@scripts/suite.sh test-jvm $(maven) verify -pl tests -am -Dztera.jdk=$(view) -Dztera.jdk.fastdebug=$(fastdebug_view)

## bursts [TIMES=100]: memory beside the heap grows at once in a full container, so often for each kind
bursts: jdk
	@$(maven) verify -pl tests -am -Dtest=BesideTest\#aBurstIsSurvived -Dsurefire.failIfNoSpecifiedTests=false -Dztera.jdk=$(view) \
	    -Dztera.times=$(TIMES)

## test-others: the short ones of the programs below
test-others: jdk fastdebug
	@scripts/suite.sh test-others java/others/others.sh --quick true $(if $(SEED),--seed $(SEED))

## others [ONLY=name] [ARMS=arm] [SEED=s]: other people's programs on the stock JDK and, with random moves, on both views
others: jdk fastdebug
	@java/others/others.sh --only "$(ONLY)" --arms "$(ARMS)" $(if $(SEED),--seed $(SEED))

## test-fuzz: the fuzzer's own tests, and sixty programs of the one below in every mode
test-fuzz: jdk fastdebug
	@scripts/suite.sh test-fuzz $(maven) verify -pl fuzz -am -Dztera.jdk=$(view) -Dztera.jdk.fastdebug=$(fastdebug_view) -Dztera.fuzz.seed=$(SEED)

## fuzz MINUTES=n [SEED=s] [REPLAY=path]: random programs, alike on the stock JDK and, in random modes, on both views
fuzz: jdk fastdebug fuzz-classes
	@"$$(hotspot/build/base-jdk.sh)/bin/java" -cp java/fuzz/target/classes:java/kit/target/classes:java/api/target/classes org.ztera.fuzz.Main \
	    --view $(view) --fastdebug-view $(fastdebug_view) --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) \
	    $(if $(ONLY),--only $(ONLY)) $(if $(REPLAY),--replay $(REPLAY)) $(FUZZ)

fuzz-classes: tools
	@$(call quiet_maven,package -DskipTests -pl fuzz -am)

## test-stress: a minute of the stress test below
test-stress: fastdebug stress-classes
	@scripts/suite.sh test-stress java/tests/stress.sh $(fastdebug_view) 1 $(SEED)

## stress MINUTES=n [SEED=s]: H2 stress on the fastdebug view
stress: fastdebug stress-classes
	@java/tests/stress.sh $(fastdebug_view) $(MINUTES) $(SEED)

stress-classes: tools
	@$(call quiet_maven,package -DskipTests -pl tests -am)

## test-failures: how the JVM ends where data, or a thread of the engine, is lost
test-failures: jdk stress-classes inject
	@scripts/suite.sh test-failures java/tests/failures.sh $(view)

## test-soak: a minute of the soak test below
test-soak: jdk fastdebug stress-classes inject
	@scripts/suite.sh test-soak java/tests/soak.sh $(fastdebug_view)$(comma)$(view) 1

## soak MINUTES=n [SEED=s]: data grows hot and cold over three tiers while things below H2 fail, on both views
soak: jdk fastdebug stress-classes inject
	@java/tests/soak.sh $(fastdebug_view)$(comma)$(view) $(MINUTES) $(SEED)

# The engine whose named points fail when a test says so. Elsewhere, since cargo gives both libraries' parts the same
# names.
inject: tools
	@cargo build --quiet --release -p ztera-inject --target-dir target/inject

## test-guest [ONLY=part]: the block device in a virtual machine, under ublk, NBD, swap, zram, and a JVM; not part of `test`
test-guest: all guest-tools
	@ONLY="$(ONLY)" scripts/suite.sh test-guest guest/run.sh

# Root installs it. Where it is missing, the guest says so, and fails.
guest-tools: tools
	@(( EUID )) || hotspot/build/require.sh qemu-system-x86 cpio kmod xz-utils binutils dmsetup nbd-client e2fsprogs btrfs-progs mount \
	    redis-server

## test-aarch64: the engine's tests that need no userfaultfd, and `ztera tune`, on aarch64 under QEMU; not part of `test`
test-aarch64: tools
	@(( EUID )) || hotspot/build/require.sh qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross || true
	@scripts/suite.sh test-aarch64 engine/aarch64.sh

## sanitize: the engine's tests under the address and thread sanitizers and Miri
sanitize: tools
	@engine/sanitize.sh

## model-engine [TIMES=n]: the engine's models in n times as many schedules as in test-engine, and in as many operations
model-engine: tools
	@ZTERA_MODEL_OPS=$$((60 * $(TIMES))) cargo test --release -p ztera-range --test model
	@ZTERA_SCHEDULES=$(TIMES) LOOM_MAX_PREEMPTIONS=3 cargo test --release -p ztera-pool-shuttle -p ztera-store-shuttle -p ztera-range-shuttle -p ztera-loom

## mutations-engine [ONLY=name]: deliberate mistakes in the engine, and which of its own checks catches each
mutations-engine: tools
	@scripts/mutations.sh engine/models/mutations $(ONLY)

## fuzz-engine [MINUTES=n]: libFuzzer on the engine's decoders and C interface
fuzz-engine: tools
	@engine/fuzz/run.sh $(MINUTES)

## mutations [ONLY=name]: deliberate mistakes in H2, and which check catches each
mutations: all stress-classes fuzz-classes
	@scripts/mutations.sh hotspot/test/mutations $(ONLY)

## test-jdk: the short ones of the JDK's own tests, with random moves
test-jdk: jdk
	@scripts/suite.sh test-jdk hotspot/test/jtreg.sh run --modes stress --groups quick --fresh 1

## jdk-tests [GROUPS=".."] [MODES=".."] [TESTS=".."] [FRESH=1]: the JDK's own tests; goes on where it stopped
jdk-tests: jdk fastdebug
	@hotspot/test/jtreg.sh run --modes "$(MODES)" --groups "$(GROUPS)" --tests "$(TESTS)" --fresh "$(FRESH)"

.PHONY: demo lab lab-tools verdicts bench bench-all bench-codec bench-defaults bench-disk bench-engine bench-micro bench-off bench-pauses \
    bench-plain bench-points
.PHONY: bench-spark bench-tiers tree update-source clean clean-cache help
## demo: the main job, a program with more live data than DRAM, on three arms
demo: all
	@build/ztera demo

## lab [FULL=1] [ONLY="names"] [SSD=dir]: every finding of the sources, measured and judged; out/lab/report.html
# Status 3 is that of a run without data of some steps; it says which and why.
lab_spark := $(if $(ONLY),$(filter spark heap-compressibility,$(ONLY)),spark)
lab: all build/ztera-defaults.jar heaps web-workloads lab-tools $(if $(lab_spark),spark spark-workloads)
	@$(if $(lab_spark),spark=$${SPARK_HOME:-$$(java/spark/fetch-spark.sh || true)}; $${spark:+env "SPARK_HOME=$$spark"}) \
	    build/ztera lab run $(or $(ONLY),--all) $(if $(FULL),--full,--quick) $(if $(SSD),--ssd "$(SSD)") || [ $$? = 3 ]

## verdicts [FULL=1] [ONLY="names"] [SSD=dir]: make lab, and docs/verdicts.md and the sums in README of what it found
# Experiments without samples in out/lab keep what the document says of them.
verdicts: lab
	@build/ztera lab verdicts --keep docs/verdicts.md >docs/verdicts.md.new && mv docs/verdicts.md.new docs/verdicts.md
	@ZTERA_BLESS=1 cargo test -q -p ztera-lab --test documents readme_has_the_sums_of_the_verdicts

# Programs that experiments and their tests start. Root installs what is missing; for others the laboratory says it.
lab-tools: tools
	@(( EUID )) || hotspot/build/require.sh fio e2fsprogs btrfs-progs erofs-utils redis-server wrk chromium || true

## bench [SSD=dir] [ROUNDS=n] [PLOTS=dir]: H2 on the compressed tier against H2 on a mapped file
bench: all
	@build/ztera bench h2 $(bench_options)

## bench-all [PAGES=file] [SSD=dir] [SIZE=n] [ROUNDS=n] [H2=n] [PLOTS=dir]: the thirteen figures of docs/performance.md
bench-all: all
	@build/ztera bench all $(bench_options) $(if $(PAGES),--pages "$(PAGES)") $(if $(SIZE),--size $(SIZE)) $(if $(H2),--h2 $(H2))

## bench-pauses [SSD=dir] [ROUNDS=n] [H2=n] [PLOTS=dir]: the JVM's pauses: with H2 and without, and those that move data
bench-pauses: all
	@build/ztera bench pauses $(bench_options) $(if $(H2),--h2 $(H2))

## bench-engine [PAGES=file] [SSD=dir] [SIZE=n] [ROUNDS=n] [PLOTS=dir]: the engine by itself against the kernel's zram
bench-engine: rust
	@build/ztera bench engine $(bench_options) $(if $(PAGES),--pages "$(PAGES)") $(if $(SIZE),--size $(SIZE))

## bench-off [ROUNDS=n]: programs that know nothing of H2, on the view without it and on the stock JDK
bench-off: all
	@build/ztera bench off $(if $(ROUNDS),--rounds $(ROUNDS))

## bench-defaults [QUICK=1] [SSD=dir] [ROUNDS=n] [RESUME=file] [DEFAULTS="options"]: what programs get that give nothing but H2Size and H2Path
bench-defaults: all build/ztera-defaults.jar
	@build/ztera bench defaults $(if $(QUICK),--quick) $(if $(SSD),--ssd "$(SSD)") $(if $(ROUNDS),--rounds $(ROUNDS)) \
	    $(if $(RESUME),--resume "$(RESUME)") $(DEFAULTS)

## bench-plain [QUICK=1] [SSD=dir] [ROUNDS=n] [RESUME=file] [PLAIN="options"]: programs that know nothing of a second heap
bench-plain: all build/ztera-defaults.jar
	@build/ztera bench plain $(if $(QUICK),--quick) $(if $(SSD),--ssd "$(SSD)") $(if $(ROUNDS),--rounds $(ROUNDS)) \
	    $(if $(RESUME),--resume "$(RESUME)") $(PLAIN)

## bench-points [QUICK=1]: reads of single values by 1 to N threads, beside swap on zram
bench-points: rust
	@build/ztera bench points $(if $(QUICK),--quick)

## bench-spark [QUICK=1] [SSD=dir] [ROUNDS=n] [RESUME=file] [PLOTS=dir] [SPARK="options"]: Spark with more cached data than DRAM
bench-spark: all spark spark-workloads
	@build/ztera bench spark --spark "$$(java/spark/fetch-spark.sh)" $(bench_options) $(if $(QUICK),--quick) \
	    $(if $(RESUME),--resume "$(RESUME)") $(SPARK)

## bench-codec [PAGES=file]: what codecs and filters do to each kind of data
bench-codec: rust
	@build/ztera bench codec $(if $(PAGES),--pages "$(PAGES)")

## bench-disk [DATA=file] [SIZE=n]: the block device against the kernel's zram, written to by one writer
bench-disk: rust
	@build/ztera bench disk $(if $(DATA),--data "$(DATA)") $(if $(SIZE),--size $(SIZE))

## bench-micro [ONLY=name]: how long codec, pool and range take for one unit or object
bench-micro: tools
	@cargo bench --quiet -p ztera-codec --bench codec -p ztera-pool --bench pool -p ztera-range --bench range -- $(ONLY)

## bench-tiers [SSD=dir] [ROUNDS=n] [PLOTS=dir]: three tiers against files, zram and swap, in the same DRAM; up to 2 minutes per arm and program
bench-tiers: all
	@build/ztera bench tiers $(bench_options)

## tree: brings the patched OpenJDK work tree up to date and prints where it is
tree:
	@hotspot/build/prepare-tree.sh

## update-source: builds of this user take the newest OpenJDK 25 source package from now on
update-source:
	@hotspot/build/fetch-source.sh newest

## clean: removes what was built in this clone (the cache outside it stays)
clean:
	@rm -rf build out target java/target java/*/target java/spark/older/target $(workloads)/target lab/workloads/heaps/target $(web)/target

## clean-cache: removes the cache that all clones of this user share
clean-cache:
	@rm -rf "$${ZTERA_CACHE:-$${XDG_CACHE_HOME:-$$HOME/.cache}/ztera}"

help:
	@sed -n 's/^## //p' Makefile | column -t -s : -l 2
