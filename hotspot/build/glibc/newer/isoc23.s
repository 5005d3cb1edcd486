# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
#
# Headers of glibc 2.38 and newer give these names to functions that also read binary numbers ("0b101").

.macro before_c23 name, old
    .globl __isoc23_\name
    .hidden __isoc23_\name
    .type __isoc23_\name, @function
__isoc23_\name:
    jmp \old@PLT
.endm

    .text
    before_c23 strtol, strtol
    before_c23 strtoll, strtoll
    before_c23 strtoul, strtoul
    before_c23 strtoull, strtoull
    before_c23 strtoimax, strtoimax
    before_c23 strtoumax, strtoumax
    before_c23 sscanf, __isoc99_sscanf
    before_c23 fscanf, __isoc99_fscanf
    before_c23 vsscanf, __isoc99_vsscanf
    .section .note.GNU-stack,"",@progbits
