// The part of NVIDIA's management library that package gpu calls, for two devices that do not exist: one whole, one divided.
// With -DOLD it is a library from before there were divided devices.
#include <string.h>

typedef struct { unsigned long long total, free, used; } memory;
typedef struct { unsigned int gpu, memory; } rates;

enum { OK = 0, UNSUPPORTED = 3, NOT_FOUND = 6, TOO_SMALL = 7 };

static int whole, divided, part;

int nvmlInit_v2(void) { return OK; }
int nvmlShutdown(void) { return OK; }
const char *nvmlErrorString(int code) { return code == NOT_FOUND ? "Not Found" : "Some Error"; }
int nvmlSystemGetDriverVersion(char *version, unsigned int length) { strncpy(version, "570.86.15", length); return OK; }
int nvmlSystemGetCudaDriverVersion(int *version) { *version = 12080; return OK; }
int nvmlDeviceGetCount_v2(unsigned int *count) { *count = 2; return OK; }
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **device) { *device = index ? &divided : &whole; return OK; }

int nvmlDeviceGetName(void *device, char *name, unsigned int length) {
	strncpy(name, device == &part ? "NVIDIA A100 MIG 1g.10gb" : device == &divided ? "NVIDIA A100" : "NVIDIA H200", length);
	return OK;
}

int nvmlDeviceGetUUID(void *device, char *uuid, unsigned int length) {
	strncpy(uuid, device == &part ? "MIG-3" : device == &divided ? "GPU-2" : "GPU-1", length);
	return OK;
}

int nvmlDeviceGetMemoryInfo(void *device, memory *m) {
	m->total = device == &part ? 10ull << 30 : 80ull << 30;
	m->used = 1ull << 30;
	m->free = m->total - m->used;
	return OK;
}

int nvmlDeviceGetUtilizationRates(void *device, rates *r) {
	if (device == &divided) return UNSUPPORTED;
	r->gpu = 42;
	r->memory = 7;
	return OK;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned int *count, void *processes) {
	unsigned int room = *count;
	*count = device == &whole ? 2 : 0;
	return room < *count ? TOO_SMALL : OK;
}

#ifndef OLD
int nvmlDeviceGetMigMode(void *device, unsigned int *current, unsigned int *pending) {
	if (device == &whole) return UNSUPPORTED;
	*current = *pending = 1;
	return OK;
}

int nvmlDeviceGetMaxMigDeviceCount(void *device, unsigned int *count) { *count = 2; return OK; }

int nvmlDeviceGetMigDeviceHandleByIndex(void *device, unsigned int index, void **instance) {
	*instance = &part;
	return index ? NOT_FOUND : OK;
}
#endif
