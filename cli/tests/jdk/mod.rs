// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A program that knows where its fields lie, and dumps its own heap.

use std::env;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many nodes [`PROGRAM`] makes. Each has a number, plus [`MARKED`].
pub const NODES: u64 = 5000;
/// Nothing else has such a long.
pub const MARKED: u64 = 0x5a7e_4a11_0000_0000;
/// How many lines it prints that begin with `bytes`: all of an instance from its byte 12 on, as hexadecimal digits.
pub const SHAPES: usize = 6;

/// Writes a dump to the file that it is given. The fields are in no good order, so that gaps arise and are filled.
pub const PROGRAM: &str = r#"
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

public class Program {
    static class Node { long marked; int small; Node before; }
    static class A { byte a = 0x11; Object b; long c = 0x2222222222222222L; }
    static class B extends A { short d = 0x3333; Object e; byte f = 0x44; double g = 1.25; boolean h = true; }
    static class C extends B { Object i; int j = 0x55555555; char k = '\u6666'; Object l; float m = 2.5f; }
    static class D { Object a; Object b; }
    static class E extends D { byte c = 0x77; long d = 0x8888888888888888L; Object e; byte f = 0x19; }
    static class F extends C { long n = 0x1a1a1a1a1a1a1a1aL; byte o = 0x1b; byte p = 0x1c; short q = 0x1d1d; }
    static class G { byte a = 0x1e; }
    static class H extends G { int b = 0x1f1f1f1f; short c = 0x2a2a; long d = 0x2b2b2b2b2b2b2b2bL; }

    static sun.misc.Unsafe unsafe() throws Exception {
        Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return (sun.misc.Unsafe) field.get(null);
    }

    static void print(Object object, int reference) throws Exception {
        long end = 12;
        for (Class<?> c = object.getClass(); c != Object.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    Class<?> type = field.getType();
                    int bytes = type == long.class || type == double.class ? 8
                            : type == int.class || type == float.class ? 4
                            : type == short.class || type == char.class ? 2
                            : type.isPrimitive() ? 1 : reference;
                    end = Math.max(end, unsafe().objectFieldOffset(field) + bytes);
                }
            }
        }
        StringBuilder hex = new StringBuilder("bytes ");
        for (long at = 12; at < (end + 7) / 8 * 8; at++) {
            hex.append(String.format("%02x", unsafe().getByte(object, at)));
        }
        System.out.println(hex);
    }

    public static void main(String[] args) throws Exception {
        List<Object> all = new ArrayList<>();
        Node before = null;
        for (int i = 0; i < 5000; i++) {
            Node node = new Node();
            node.marked = 0x5a7e4a1100000000L + i;
            node.small = i % 1000;
            node.before = before;
            before = node;
            all.add(node);
        }
        for (Object object : new Object[] {new A(), new B(), new C(), new E(), new F(), new H()}) {
            all.add(object);
            print(object, args[1].equals("+") ? 4 : 8);
        }
        ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
        System.out.println(all.size());
    }
}
"#;

/// A `java` of one of these versions: of `$JAVA_HOME`, what this clone has built, or on the path.
pub fn java(versions: RangeInclusive<u32>) -> Option<PathBuf> {
    let home = env::var_os("JAVA_HOME").map(PathBuf::from);
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../build/jdk");
    let homes = home.into_iter().chain([built]).map(|home| home.join("bin/java"));
    let mut known = homes.chain([PathBuf::from("java")]);
    known.find(|java| version(java).is_some_and(|version| versions.contains(&version)))
}

fn version(java: &Path) -> Option<u32> {
    let output = Command::new(java).arg("-XshowSettings:properties").arg("-version").output().ok()?;
    let settings = String::from_utf8_lossy(&output.stderr).into_owned();
    let version =
        settings.lines().find_map(|line| line.trim().strip_prefix("java.specification.version = "))?;
    version.parse().ok()
}

/// The program's own choice; with compressed oops (`+`), or without (`-`).
pub fn run(java: &Path, references: &str, program: &Path, heap: &Path) -> Vec<String> {
    let output = Command::new(java)
        .args([
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:-UseCompactObjectHeaders",
            "-XX:+UseSerialGC",
            "-Xmx256m",
        ])
        .arg(format!("-XX:{references}UseCompressedOops"))
        .arg(program)
        .args([heap.as_os_str(), references.as_ref()])
        .output()
        .expect("java runs");
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    said.lines().map(str::to_owned).collect()
}
