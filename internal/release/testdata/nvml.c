// A stand-in for NVIDIA's library libnvidia-ml.so.1, with one GPU. .ci/release shows with it that a released program
// loads a driver's library.
enum { SUCCESS = 0, NOT_SUPPORTED = 3 };

static char gpu;

static int say(char *out, const char *text, unsigned length) {
  for (unsigned i = 0; i < length && (i == 0 || text[i - 1]); i++) out[i] = text[i];
  return SUCCESS;
}

const char *nvmlErrorString(int code) { return code == SUCCESS ? "success" : "not supported"; }
int nvmlInit_v2(void) { return SUCCESS; }
int nvmlShutdown(void) { return SUCCESS; }
int nvmlSystemGetDriverVersion(char *version, unsigned length) {
  return say(version, "570.86.15", length);
}
int nvmlSystemGetCudaDriverVersion(int *version) {
  *version = 12080;
  return SUCCESS;
}
int nvmlDeviceGetCount_v2(unsigned *count) {
  *count = 1;
  return SUCCESS;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
  *device = &gpu;
  return SUCCESS;
}
int nvmlDeviceGetName(void *device, char *name, unsigned length) {
  return say(name, "Stand-in H200", length);
}
int nvmlDeviceGetUUID(void *device, char *uuid, unsigned length) {
  return say(uuid, "GPU-1", length);
}
int nvmlDeviceGetMemoryInfo(void *device, unsigned long long *totalFreeUsed) {
  totalFreeUsed[0] = 100, totalFreeUsed[1] = 60, totalFreeUsed[2] = 40;
  return SUCCESS;
}
int nvmlDeviceGetUtilizationRates() { return NOT_SUPPORTED; }
int nvmlDeviceGetComputeRunningProcesses() { return NOT_SUPPORTED; }
int nvmlDeviceGetMigMode() { return NOT_SUPPORTED; }
int nvmlDeviceGetMaxMigDeviceCount() { return NOT_SUPPORTED; }
int nvmlDeviceGetMigDeviceHandleByIndex() { return NOT_SUPPORTED; }
