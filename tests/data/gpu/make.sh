#!/bin/sh
# Makes the device code in this folder from an empty kernel. Needs nvcc and ptxas of CUDA 13.0, and
# for toolkit-12.8.cubin the ptxas of CUDA 12.8 in $PTXAS_12_8.
set -eu
cd "$(dirname "$0")"
printf '__global__ void k(int* p) { *p = 1; }\n' > k.cu
fatbin() { nvcc -fatbin --compress-mode="$1" k.cu -o "$2" $3; }
fatbin size plain.fatbin "-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90]"
fatbin size suffixes.fatbin "-gencode arch=compute_75,code=sm_75 -gencode arch=compute_90a,code=sm_90a \
  -gencode arch=compute_103a,code=[sm_103a,compute_103a] -gencode arch=compute_120f,code=[sm_120f,compute_120f]"
fatbin none stored.fatbin "-gencode arch=compute_80,code=[sm_80,compute_80]"
fatbin size debug.fatbin "-G -gencode arch=compute_80,code=[sm_80,compute_80]"
fatbin size lto.fatbin "-gencode arch=compute_90,code=lto_90"
nvcc -cubin -gencode arch=compute_75,code=sm_75 k.cu -o toolkit-13.0.cubin
if [ -n "${PTXAS_12_8:-}" ]; then
  printf '.version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k() { ret; }\n' > k.ptx
  "$PTXAS_12_8" -arch sm_90a k.ptx -o toolkit-12.8.cubin
  rm k.ptx
fi
rm k.cu
