//go:build cgo && linux

package gpu

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
	"github.com/NVIDIA/go-nvml/pkg/nvml/mock"
	"github.com/google/go-cmp/cmp"
)

// mockDevice returns a device that responds like a driver's.
func mockDevice(name string, busy nvml.Return) *mock.Device {
	return &mock.Device{
		GetNameFunc: func() (string, nvml.Return) { return name, nvml.SUCCESS },
		GetUUIDFunc: func() (string, nvml.Return) { return "GPU-" + name, nvml.SUCCESS },
		GetMemoryInfoFunc: func() (nvml.Memory, nvml.Return) {
			return nvml.Memory{Total: 100, Free: 60, Used: 40},
				nvml.SUCCESS
		},
		GetUtilizationRatesFunc: func() (nvml.Utilization, nvml.Return) {
			return nvml.Utilization{Gpu: 70, Memory: 10}, busy
		},
		GetComputeRunningProcessesFunc: func() ([]nvml.ProcessInfo, nvml.Return) {
			return make([]nvml.ProcessInfo, 3),
				nvml.SUCCESS
		},
		GetMigModeFunc: func() (int, int, nvml.Return) { return 0, 0, nvml.ERROR_NOT_SUPPORTED },
	}
}

func mockLibrary(devices ...nvml.Device) *mock.Interface {
	return &mock.Interface{
		ExtensionsFunc: func() nvml.ExtendedInterface {
			return &mock.ExtendedInterface{LookupSymbolFunc: func(string) error { return nil }}
		},
		InitFunc:                       func() nvml.Return { return nvml.SUCCESS },
		ShutdownFunc:                   func() nvml.Return { return nvml.SUCCESS },
		SystemGetDriverVersionFunc:     func() (string, nvml.Return) { return "570.86.15", nvml.SUCCESS },
		SystemGetCudaDriverVersionFunc: func() (int, nvml.Return) { return 12080, nvml.SUCCESS },
		DeviceGetCountFunc:             func() (int, nvml.Return) { return len(devices), nvml.SUCCESS },
		DeviceGetHandleByIndexFunc:     func(i int) (nvml.Device, nvml.Return) { return devices[i], nvml.SUCCESS },
	}
}

func TestNVML_IsToldInOurWords(t *testing.T) {
	divided := mockDevice("divided", nvml.ERROR_NOT_SUPPORTED)
	divided.GetMigModeFunc = func() (int, int, nvml.Return) {
		return nvml.DEVICE_MIG_ENABLE, nvml.DEVICE_MIG_ENABLE,
			nvml.SUCCESS
	}
	divided.GetMaxMigDeviceCountFunc = func() (int, nvml.Return) { return 3, nvml.SUCCESS }
	divided.GetMigDeviceHandleByIndexFunc = func(i int) (nvml.Device, nvml.Return) {
		if i == 1 {
			return nil, nvml.ERROR_NOT_FOUND
		}
		return mockDevice("part", nvml.SUCCESS), nvml.SUCCESS
	}
	got, err := newReader(&nvmlLibrary{nvml: mockLibrary(mockDevice("whole", nvml.SUCCESS), divided)}).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	part := Instance{Name: "part", UUID: "GPU-part", Memory: &Memory{100, 40}}
	want := Inventory{Driver: "570.86.15", CUDA: "12.8", GPUs: []GPU{
		{Index: 0, Name: "whole", UUID: "GPU-whole", Memory: &Memory{100, 40}, Utilization: pointer(70),
			Processes: pointer(3)},
		{Index: 1, Name: "divided", UUID: "GPU-divided", Memory: &Memory{100, 40}, Processes: pointer(3), MIG: true,
			Instances: []Instance{part, part}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhyNot_NamesTheReason(t *testing.T) {
	for _, c := range []struct {
		code   nvml.Return
		kernel bool
		want   Reason
	}{
		{nvml.ERROR_LIBRARY_NOT_FOUND, false, ReasonNoDriver},
		{nvml.ERROR_LIBRARY_NOT_FOUND, true, ReasonNoLibrary},
		{nvml.ERROR_DRIVER_NOT_LOADED, true, ReasonNoDriver},
		{nvml.ERROR_LIB_RM_VERSION_MISMATCH, true, ReasonMismatch},
		{nvml.ERROR_NO_PERMISSION, true, ReasonPermission},
		{nvml.ERROR_UNKNOWN, true, ReasonFailed},
	} {
		if got := whyNot(c.code, c.kernel); got.Reason != c.want || got.Detail == "" {
			t.Errorf("%v with the kernel's driver %v: %+v, want %s", c.code, c.kernel, got, c.want)
		}
	}
}

// compile builds a library that can be loaded instead of NVIDIA's.
func compile(t *testing.T, flags ...string) *nvmlLibrary {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("SKIPPED: a C compiler is missing, so no library is loaded")
	}
	path := filepath.Join(t.TempDir(), "libnvidia-ml.so.1")
	if out, err := exec.Command(cc, append(flags, "-shared", "-fPIC", "-o", path,
		filepath.Join("testdata", "nvml.c"))...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return &nvmlLibrary{nvml: nvml.New(nvml.WithLibraryPath(path))}
}

// alone runs a test in a separate process in which no driver's library has been loaded, because loaded functions stay
// in a process.
func alone(t *testing.T) (here bool) {
	t.Helper()
	const played = "AWHOST_TEST_ALONE"
	if os.Getenv(played) != "" {
		return true
	}
	command := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	command.Env = append(os.Environ(), played+"=1")
	out, err := command.CombinedOutput()
	switch {
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skipf("%s", out)
	}
	return false
}

// The test loads and calls a real shared library like NVIDIA's. It does so twice, because the library is closed in
// between.
func TestNVML_IsLoadedWhenAsked(t *testing.T) {
	if !alone(t) {
		return
	}
	r := newReader(compile(t))
	want := Inventory{Driver: "570.86.15", CUDA: "12.8", GPUs: []GPU{
		{Index: 0, Name: "NVIDIA H200", UUID: "GPU-1", Memory: &Memory{80 << 30, 1 << 30}, Utilization: pointer(42),
			Processes: pointer(2)},
		{
			Index: 1, Name: "NVIDIA A100", UUID: "GPU-2", Memory: &Memory{80 << 30, 1 << 30}, Processes: pointer(0), MIG: true,
			Instances: []Instance{{Name: "NVIDIA A100 MIG 1g.10gb", UUID: "MIG-3", Memory: &Memory{10 << 30, 1 << 30}}},
		},
	}}
	for range 2 {
		got, err := r.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// A library without a required function is rejected. Calling it would end the process.
func TestNVML_RefusesALibraryThatIsTooOld(t *testing.T) {
	_, err := newReader(compile(t, "-DOLD")).Read(t.Context())
	var why *Unavailable
	if !errors.As(err, &why) || why.Reason != ReasonTooOld {
		t.Errorf("got %v", err)
	}
}
