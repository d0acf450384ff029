package doctor

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"

	"github.com/awhost/awhost/host/gpu"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeGPUs is a GPU driver.
type fakeGPUs struct {
	inventory gpu.Inventory
	err       error
}

func (f fakeGPUs) Read(context.Context) (gpu.Inventory, error) { return f.inventory, f.err }

func pointer[T any](value T) *T { return &value }

var twoGPUs = fakeGPUs{inventory: gpu.Inventory{Driver: "570.86.15", CUDA: "12.8", GPUs: []gpu.GPU{
	{Index: 0, Name: "NVIDIA H200", UUID: "GPU-1", Memory: &gpu.Memory{Total: 141 << 30, Used: 3 << 30},
		Utilization: pointer(97), Processes: pointer(1)},
	{Index: 1, Name: "NVIDIA A100", UUID: "GPU-2", MIG: true, Instances: make([]gpu.Instance, 2)},
}}}

// machine is a directory tree to inspect. Files in a bin directory are programs. ROOT in files is replaced by the
// tree's path.
type machine struct {
	t    *testing.T
	root string
	Config
}

func newMachine(t *testing.T, archive string) *machine {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(root, f.Name)
		mode := os.FileMode(0o644)
		if filepath.Base(filepath.Dir(path)) == "bin" {
			mode = 0o755
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(f.Data), "ROOT", root)), mode); err != nil {
			t.Fatal(err)
		}
	}
	m := &machine{t: t, root: root}
	m.Config = Config{
		Version: "0.1.0", Dir: m.path("spec"), WorkDir: m.path("spec"), Home: m.path("home"),
		Environ:    []string{"PATH=" + m.path("bin"), "TMPDIR=" + os.TempDir()},
		Frameworks: []Framework{gymnast}, Packages: []string{"fast-engine", "ray"}, Torch: TorchOwn, GPUs: twoGPUs,
		Timeout:   10 * time.Second,
		dashboard: "http://127.0.0.1:1", // without a listener
	}
	if err := os.MkdirAll(m.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *machine) path(name string) string { return filepath.Join(m.root, name) }

// look returns the findings of a group as lines.
func (m *machine) look(group Group) (*Report, []string) {
	m.t.Helper()
	report := Look(m.t.Context(), m.Config)
	var lines []string
	for _, f := range report.Findings {
		if f.Group != group {
			continue
		}
		name := f.Subject
		if f.Part != "" {
			name += " " + f.Part
		}
		line := string(f.Status) + " | " + name + " | " + f.Found
		if f.Remedy != "" {
			line += " | " + f.Remedy
		}
		lines = append(lines, strings.ReplaceAll(line, m.root, "ROOT"))
	}
	return report, lines
}

const torchAnswers = `#!/bin/sh
: >ROOT/started
echo '{"version": "2.11.0", "built_for": "CUDA 13.0", "cuda_available": true, "devices": ["NVIDIA H200", "NVIDIA H200"]}'
`

const trained = `
-- env/pyvenv.cfg --
version = 3.11.7
-- env/bin/python --
` + torchAnswers + `
-- env/lib/python3.11/site-packages/gymnast-0.8.0.dist-info/METADATA --
Version: 0.8.0
-- env/lib/python3.11/site-packages/torch-2.11.0.dist-info/METADATA --
Version: 2.11.0
-- env/lib/python3.11/site-packages/fast_engine-1.2.dist-info/METADATA --
Version: 1.2
-- env/lib/python3.11/site-packages/ray-2.52.0.dist-info/METADATA --
Version: 2.52.0
-- bin/nothing --
`

const asked = " (asked with python -I -B -c 'import torch; …')"

func TestLook_DescribesAnActiveEnvironment(t *testing.T) {
	m := newMachine(t, trained)
	m.Environ = append(m.Environ, "VIRTUAL_ENV="+m.path("env"))
	report, got := m.look(Python)
	want := []string{
		"ok | ROOT/env/bin/python | Python 3.11.7 (VIRTUAL_ENV): fast-engine 1.2, ray 2.52.0",
		"ok | ROOT/env/bin/python Gymnast | 0.8.0: supported, first class",
		"ok | ROOT/env/bin/python torch | 2.11.0, built for CUDA 13.0, device: cuda, 2 × NVIDIA H200" + asked,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	e := report.Environments[0]
	if e.Version != "3.11.7" || len(e.Packages) != 4 || e.Torch == nil || len(e.Torch.Devices) != 2 {
		t.Errorf("%+v", e)
	}
	if diff := cmp.Diff([]FrameworkVersion{{Name: "Gymnast", Version: "0.8.0", Tier: FirstClass}},
		e.Frameworks); diff != "" {
		t.Error(diff)
	}
}

// A Python that is named by a spec or located next to one is read, but not started without permission: it may be
// untrusted.
func TestLook_StartsNoStrangersPython(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(m *machine)
		started bool
	}{
		{"named by a spec", func(m *machine) { m.Named = []Named{{Path: m.path("env"), Origin: "adapter.gymnast.main"}} },
			false},
		{"next to the spec", func(m *machine) { m.Dir, m.WorkDir = m.path("env-beside"), m.path("env-beside") }, false},
		{"next to the spec, all", func(m *machine) { m.Dir, m.Torch = m.path("env-beside"), TorchAll }, true},
		{"next to the spec, active", func(m *machine) {
			m.Dir, m.Environ = m.path("env-beside"), append(m.Environ, "VIRTUAL_ENV="+m.path("env-beside/.venv"))
		}, true},
		{"named by the user", func(m *machine) {
			m.Named = []Named{{Path: m.path("env/bin/python"), Origin: "--python",
				Own: true}}
		}, true},
		{"named by the user, none", func(m *machine) {
			m.Named, m.Torch = []Named{{Path: m.path("env/bin/python"), Origin: "--python", Own: true}}, TorchNone
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t, trained)
			if err := os.CopyFS(m.path("env-beside/.venv"), os.DirFS(m.path("env"))); err != nil {
				t.Fatal(err)
			}
			c.prepare(m)
			_, got := m.look(Python)
			_, err := os.Stat(m.path("started"))
			if (err == nil) != c.started {
				t.Errorf("started: %v\n%s", err == nil, strings.Join(got, "\n"))
			}
			if told := strings.Contains(strings.Join(got, "\n"), "not asked for its device"); told == c.started {
				t.Errorf("not told: %s", strings.Join(got, "\n"))
			}
		})
	}
}

func TestLook_RefusesAndAdvises(t *testing.T) {
	m := newMachine(t, strings.NewReplacer("0.8.0", "0.5.0", "fast_engine", "other").Replace(trained)+`
-- spec/venv/pyvenv.cfg --
version = 3.10.1
-- spec/venv/bin/python --
-- spec/venv/lib/python3.10/site-packages/gymnast-0.6.1.dist-info/METADATA --
Version: 0.6.1
`)
	m.Environ, m.Torch = append(m.Environ, "VIRTUAL_ENV="+m.path("env")), TorchNone
	_, got := m.look(Python)
	want := []string{
		"ok | venv/bin/python | Python 3.10.1 (next to the spec)",
		"warn | venv/bin/python Gymnast | 0.6.1: supported, best effort | upgrade",
		"warn | venv/bin/python Gymnast | no engine: none of fast-engine, slow-engine is installed | Gymnast samples with one of them on GPUs; install the one that its own manual names for this version",
		"ok | ROOT/env/bin/python | Python 3.11.7 (VIRTUAL_ENV): ray 2.52.0",
		"failed | ROOT/env/bin/python Gymnast | 0.5.0: refused; its loop has no reward | pip install 'gymnast>=0.7.1'",
		"skipped | ROOT/env/bin/python torch | 2.11.0, not asked for its device: --torch none",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A broken Python that would be used is a failure. One that was only discovered is a warning, or not listed.
func TestLook_SaysWhichPythonIsBroken(t *testing.T) {
	m := newMachine(t, `
-- spec/.venv/pyvenv.cfg --
version = 3.11.7
-- env/bin/python --
#!/bin/sh
echo 'ImportError: libcudart.so.13' >&2
exit 1
-- env/pyvenv.cfg --
version = 3.11.7
-- env/lib/python3.11/site-packages/torch-2.11.0.dist-info/METADATA --
Version: 2.11.0
-- home/.pyenv/versions/3.8.18/bin/python --
-- home/.pyenv/versions/3.9.9/bin/python --
`)
	m.Environ = append(m.Environ, "VIRTUAL_ENV="+m.path("env"), "CONDA_PREFIX="+m.path("gone"))
	_, got := m.look(Python)
	want := []string{
		"failed | .venv/bin/python | next to the spec: stat ROOT/spec/.venv/bin/python: no such file or directory | " +
			"create the environment again, or name another with --python",
		"ok | ROOT/env/bin/python | Python 3.11.7 (VIRTUAL_ENV)",
		"failed | ROOT/env/bin/python torch | 2.11.0 cannot be imported: exit status 1: ImportError: libcudart.so.13 | try it: ROOT/env/bin/python -I -c 'import torch'",
		"ok | others | 2 environments of conda, pyenv and the like with none of these packages",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLook_NoticesTorchWithoutTheGPUs(t *testing.T) {
	m := newMachine(t, strings.Replace(trained, `"built_for": "CUDA 13.0", "cuda_available": true, "devices": ["NVIDIA H200", "NVIDIA H200"]`, `"built_for": "", "cuda_available": false`, 1))
	m.Environ = append(m.Environ, "VIRTUAL_ENV="+m.path("env"))
	_, got := m.look(Python)
	want := "warn | ROOT/env/bin/python torch | 2.11.0, built for the CPU only, device: cpu" + asked +
		", although there is a GPU | install a torch that is built for CUDA 12.8 or older, and see that CUDA_VISIBLE_DEVICES hides nothing"
	if got[len(got)-1] != want {
		t.Errorf("got %s", got[len(got)-1])
	}
}

func TestLook_DescribesGPUs(t *testing.T) {
	m := newMachine(t, "")
	report, got := m.look(GPUs)
	want := []string{
		"ok | NVIDIA driver | 570.86.15, CUDA up to 12.8",
		"ok | GPU 0 | NVIDIA H200, 3.0 GiB of 141.0 GiB used, 97 % busy, 1 process, GPU-1",
		"ok | GPU 1 | NVIDIA A100, MIG: 2 instances, GPU-2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if report.Inventory == nil || len(report.Inventory.GPUs) != 2 {
		t.Errorf("inventory %+v", report.Inventory)
	}
}

// Missing GPUs are a problem only if a driver is installed.
func TestLook_SaysWhyThereAreNoGPUs(t *testing.T) {
	for _, c := range []struct {
		err    error
		status Status
		remedy string
	}{
		{&gpu.Unavailable{Reason: gpu.ReasonNoDriver, Detail: "no NVIDIA driver"}, Skipped, ""},
		{&gpu.Unavailable{Reason: gpu.ReasonNoCgo, Detail: "built without cgo"}, Skipped, "CGO_ENABLED=1"},
		{&gpu.Unavailable{Reason: gpu.ReasonNoLibrary, Detail: "no library"}, Warn, "--gpus all"},
		{&gpu.Unavailable{Reason: gpu.ReasonMismatch, Detail: "mismatch"}, Warn, "restart"},
		{&gpu.Unavailable{Reason: gpu.ReasonNoAnswer, Detail: "no answer"}, Warn, "nvidia-smi"},
		{errors.New("anything"), Warn, ""},
	} {
		f := noGPUs(c.err)
		if f.Status != c.status || !strings.Contains(f.Remedy, c.remedy) || f.Found != c.err.Error() {
			t.Errorf("%v: %+v", c.err, f)
		}
	}
	m := newMachine(t, "")
	m.GPUs = fakeGPUs{inventory: gpu.Inventory{Driver: "570.86.15"}}
	if _, got := m.look(GPUs); len(got) != 1 || !strings.HasPrefix(got[0], "warn | NVIDIA driver | 570.86.15, no GPU | ") {
		t.Errorf("got %v", got)
	}
}

// stuck is a driver that ignores its context.
type stuck struct{ release chan struct{} }

func (s stuck) Read(context.Context) (gpu.Inventory, error) {
	<-s.release
	return gpu.Inventory{}, errors.New("too late")
}

func TestLook_EndsWhateverHangs(t *testing.T) {
	m := newMachine(t, "-- bin/sinfo --\n#!/bin/sh\nsleep 1000\n-- bin/sbatch --\n")
	hang := stuck{make(chan struct{})}
	t.Cleanup(func() { close(hang.release) })
	m.GPUs, m.Timeout, m.Environ[0] = hang, 200*time.Millisecond, m.Environ[0]+":/usr/bin:/bin"
	began := time.Now()
	report, got := m.look(GPUs)
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
	if len(got) != 1 || !strings.HasPrefix(got[0], "failed | NVIDIA | no answer within 200ms | ") {
		t.Errorf("got %v", got)
	}
	for _, f := range report.Findings {
		if f.Subject == "Slurm" && (f.Status != Warn || !strings.Contains(f.Found, "did not end: no answer within 200ms")) {
			t.Errorf("%+v", f)
		}
	}
}

func TestLook_AsksRay(t *testing.T) {
	dashboard := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/version":
			_, _ = w.Write([]byte(`{"version": "4", "ray_version": "2.50.0", "ray_commit": "x"}`))
		case "/moved/api/version":
			http.Redirect(w, r, "/api/version", http.StatusFound)
		case "/other/api/version":
			_, _ = w.Write([]byte(`<html>`))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(dashboard.Close)
	port := strings.TrimPrefix(dashboard.URL, "http://")
	start := " | start the cluster (ray start --head), correct RAY_ADDRESS, or unset it: then frameworks start their " +
		"own Ray"
	for _, c := range []struct {
		address, dashboard string
		want               string
	}{
		{"", dashboard.URL, "ok | Ray | " + dashboard.URL + " answers: Ray 2.50.0"},
		{"", "http://127.0.0.1:1", "skipped | Ray | RAY_ADDRESS is not set, and none answers at http://127.0.0.1:1: frameworks that need one start their own"},
		{"auto", "http://127.0.0.1:1", "warn | Ray | RAY_ADDRESS is auto, and none answers at http://127.0.0.1:1 | start one with a dashboard (ray start --head), name it in RAY_ADDRESS, or unset that"},
		{dashboard.URL + "/", "", "ok | Ray | " + dashboard.URL + "/ answers: Ray 2.50.0"},
		{dashboard.URL + "/moved", "", "failed | Ray | RAY_ADDRESS is " + dashboard.URL + "/moved: it answers 302 Found" +
			start},
		{dashboard.URL + "/other", "", "failed | Ray | RAY_ADDRESS is " + dashboard.URL + "/other: the service that " +
			"responds there is not a dashboard of Ray" + start},
		{"ray://" + port, "", "ok | Ray | ray://" + port +
			" accepts connections; its version is known to its dashboard, which does not answer"},
		{port, "", "ok | Ray | " + port + " accepts connections; its version is known to its dashboard, which does not answer"},
		{"nonsense", "", "failed | Ray | RAY_ADDRESS is nonsense: it is neither auto, host:port, ray://host:port nor the URL of a dashboard" + start},
		{"ray://127.0.0.1:1", "", "failed | Ray | RAY_ADDRESS is ray://127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused" + start},
	} {
		m := newMachine(t, "")
		m.dashboard = c.dashboard
		if c.address != "" {
			m.Environ = append(m.Environ, "RAY_ADDRESS="+c.address)
		}
		if _, got := m.look(Clusters); got[0] != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.address, got[0], c.want)
		}
	}
}

func TestLook_NoticesAnotherVersionOfRay(t *testing.T) {
	dashboard := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"ray_version": "2.50.0"}`))
	}))
	t.Cleanup(dashboard.Close)
	m := newMachine(t, trained)
	m.dashboard, m.Torch, m.Environ = dashboard.URL, TorchNone, append(m.Environ, "VIRTUAL_ENV="+m.path("env"))
	report, got := m.look(Clusters)
	want := "warn | Ray | the ray of ROOT/env/bin/python is 2.52.0, the cluster's is 2.50.0 | Ray only joins clusters " +
		"of the same version: install ray==2.50.0 there"
	if got[len(got)-1] != want {
		t.Errorf("got %v", got)
	}
	if report.Ray == nil || *report.Ray != (Ray{Address: dashboard.URL, Version: "2.50.0"}) {
		t.Errorf("%+v", report.Ray)
	}
}

func TestLook_AsksSlurm(t *testing.T) {
	m := newMachine(t, `
-- bin/sinfo --
#!/bin/sh
echo "$@" >ROOT/arguments
echo 'gpu*|up|16|gpu:h200:8(S:0-1)'
echo 'cpu|drain|1|(null)'
-- bin/sbatch --
`)
	m.Environ = append(m.Environ, "SLURM_JOB_ID=4711")
	report, got := m.look(Clusters)
	want := "ok | Slurm | 2 partitions: gpu (16 nodes, gpu:h200:8(S:0-1)), cpu (1 node, drain); this is job 4711"
	if got[1] != want {
		t.Errorf("got %s", got[1])
	}
	if diff := cmp.Diff([]Partition{{"gpu", true, "up", 16, "gpu:h200:8(S:0-1)"}, {"cpu", false, "drain", 1, ""}},
		report.Slurm); diff != "" {
		t.Error(diff)
	}
	if text, _ := os.ReadFile(m.path("arguments")); string(text) != "-h -o %P|%a|%D|%G\n" {
		t.Errorf("sinfo was asked %q", text)
	}
}

func TestLook_SaysWhatIsWrongWithSlurm(t *testing.T) {
	for archive, want := range map[string]string{
		"-- bin/other --\n":  "skipped | Slurm | neither sinfo nor sbatch is on PATH",
		"-- bin/sbatch --\n": "warn | Slurm | sinfo is not on PATH | load the module that brings Slurm's commands",
		"-- bin/sbatch --\n-- bin/sinfo --\n#!/bin/sh\necho 'slurm_load_partitions: Unable to contact slurm controller' >&2; exit 1\n": "warn | Slurm | sinfo: exit status 1: slurm_load_partitions: Unable to contact slurm controller | see whether the controller answers: scontrol ping",
		"-- bin/sbatch --\n-- bin/sinfo --\n#!/bin/sh\n": "warn | Slurm | no partition | sinfo lists no partition that you may use: ask the cluster's administrators",
	} {
		if _, got := newMachine(t, archive).look(Clusters); got[1] != want {
			t.Errorf("%q:\n got %s\nwant %s", archive, got[1], want)
		}
	}
}

// Look writes nothing, even if the directory does not exist.
func TestLook_WritesNothing(t *testing.T) {
	m := newMachine(t, "-- spec/train.hcl --\n")
	m.Spec = m.path("spec/train.hcl")
	_, got := m.look(Directories)
	if len(got) != 4 || !strings.HasPrefix(got[0], "ok | runs | .awhost/runs: ") ||
		got[1] != "ok | locks | flock works there" {
		t.Errorf("got %v", got)
	}
	entries, err := os.ReadDir(m.Dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestLook_ReportsADirectoryThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("SKIPPED: root may write everywhere")
	}
	m := newMachine(t, "")
	if err := os.Chmod(m.Dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if _, got := m.look(Directories); !strings.HasPrefix(got[0], "failed | runs | ") ||
		!strings.Contains(got[0], "cannot be written: permission denied") {
		t.Errorf("got %v", got)
	}
}

func TestLook_FindsAPlaceForSockets(t *testing.T) {
	m := newMachine(t, "")
	m.Environ = []string{"XDG_RUNTIME_DIR=" + m.path("gone"), "TMPDIR=/tmp"}
	if _, got := m.look(Directories); !strings.HasPrefix(got[2], "ok | sockets | /tmp (ROOT/gone: no such file") {
		t.Errorf("got %s", got[2])
	}
	long := m.path(strings.Repeat("x", 90))
	if err := os.Mkdir(long, 0o755); err != nil {
		t.Fatal(err)
	}
	m.Environ = []string{"TMPDIR=" + long}
	if _, got := m.look(Directories); !strings.HasPrefix(got[2], "failed | sockets | ") ||
		!strings.Contains(got[2], "longer than") {
		t.Errorf("got %s", got[2])
	}
}

func TestLook_WarnsOfAProxyThatSwallowsLoopback(t *testing.T) {
	for environ, want := range map[string]Status{
		"http_proxy=http://proxy:3128": Warn, "HTTP_PROXY=http://proxy:3128 no_proxy=localhost,127.0.0.1": OK,
		"ALL_PROXY=x NO_PROXY=*": OK, "no_proxy=x": "",
	} {
		c := Config{Environ: strings.Fields(environ)}
		var got Status
		for _, f := range c.lookAtProxy(t.Context()).findings {
			got = f.Status
		}
		if got != want {
			t.Errorf("%s: %q, want %q", environ, got, want)
		}
	}
}

func TestLook_OpensPorts(t *testing.T) {
	_, got := newMachine(t, "").look(Ports)
	if len(got) != 2 || got[0] != "ok | loopback | a port of 127.0.0.1 can be opened" {
		t.Errorf("got %v", got)
	}
}

func TestLook_BoundsHowManyPythonsAreStarted(t *testing.T) {
	m := newMachine(t, trained)
	m.Torch = TorchAll
	for i := range mostTorches + 2 {
		prefix := filepath.Join("home", ".pyenv", "versions", "3.11."+string(rune('a'+i)))
		if err := os.CopyFS(m.path(prefix), os.DirFS(m.path("env"))); err != nil {
			t.Fatal(err)
		}
	}
	report, got := m.look(Python)
	if n := strings.Count(strings.Join(got, "\n"), "enough others were"); n != 2 ||
		len(report.Environments) != mostTorches+2 {
		t.Errorf("%d of %d were not asked", n, len(report.Environments))
	}
}
