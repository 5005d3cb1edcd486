#!/usr/bin/env bash
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# gpu.sh [DATA]: batches of units of 4, 16 and 64 KiB by a GPU against the CPU, at three levels of nvCOMP. At most eight
# minutes. DATA is a file, such as the Calgary corpus; without it pages are invented.
#
# It takes build/ztera-lab, NVIDIA's driver, and nvCOMP: NVCOMP=DIR names the folder of libnvcomp.so.6, which pip
# fetches otherwise. The library is closed, and nothing of it is kept here.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [[ -z ${NVCOMP-} ]]; then
    pip install --quiet --no-deps --target "$scratch" nvidia-libnvcomp-cu12
    NVCOMP=$scratch/nvidia/libnvcomp/lib64
fi
[[ -e $NVCOMP/libnvcomp.so.6 ]] || { echo "gpu.sh: $NVCOMP has no libnvcomp.so.6" >&2; exit 1; }

for level in 1 2 5; do
    echo "nvCOMP, level $level"
    # Each size has six turns of the CPU, and as many of the GPU.
    LD_LIBRARY_PATH="$NVCOMP${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" timeout 150 \
        build/ztera-lab bench accelerator --accelerator "nvcomp:$level" --size 64m ${1:+--data "$1"}
done
