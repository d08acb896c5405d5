MemcpyHtoD,0x00007f2000000000,65536
kernel-1.traceg
kernel-2.traceg.xz

MemcpyDtoH,0x0,1
kernel-3.traceg
kernel-4.traceg
