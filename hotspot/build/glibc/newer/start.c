// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
//
// Since glibc 2.34 __libc_start_main finds a program's constructors itself; before, the program gave it a function that
// calls them. This one does so, which newer versions of glibc understand too.

typedef void constructor(int, char **, char **);
typedef int program(int, char **, char **);

extern void _init(void);
extern constructor *__init_array_start[], *__init_array_end[];
extern int old_start(program *, int, char **, constructor *, void (*)(void), void (*)(void), void *);
__asm__(".symver old_start, __libc_start_main@GLIBC_2.2.5");

static void construct(int count, char **arguments, char **environment) {
    _init();
    for (constructor **next = __init_array_start; next < __init_array_end; next++) (*next)(count, arguments, environment);
}

static void destruct(void) {} // the loader calls destructors

int __libc_start_main(program *program, int count, char **arguments, constructor *none, void (*none_either)(void),
                      void (*loader_end)(void), void *stack_end) {
    (void)none, (void)none_either;
    return old_start(program, count, arguments, construct, destruct, loader_end, stack_end);
}
