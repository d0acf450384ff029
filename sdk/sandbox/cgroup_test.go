//go:build linux

package sandbox

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFindGroups checks which parent of control groups is chosen on models of machines.
func TestFindGroups(t *testing.T) {
	const both, mount = "cpu memory pids", "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
	app := "user.slice/user-1000.slice/user@1000.service/app.slice/"
	for name, test := range map[string]struct {
		own, mounts string
		files       map[string]string // the machine's root has no cgroup.type
		want        string            // empty: no parent is usable
		moves       bool
		fixed       bool // this process cannot change it, as in most containers
	}{
		"a session of systemd": {
			own: "/" + app + "a.scope", want: app, files: map[string]string{
				app + "cgroup.subtree_control": both, app + "a.scope/cgroup.type": "domain",
			},
		},
		"a session with a limit": {
			own: "/" + app + "a.scope", want: app + "a.scope", moves: true, files: map[string]string{
				app + "cgroup.subtree_control": both, app + "a.scope/cgroup.type": "domain",
				app + "a.scope/memory.max": "1048576", app + "a.scope/cgroup.controllers": both,
			},
		},
		"a delegated group without a usable parent": {
			own: "/" + app + "a.scope", want: app + "a.scope", moves: true, files: map[string]string{
				app + "a.scope/cgroup.type": "domain", app + "a.scope/cgroup.controllers": both,
			},
		},
		"after a move": {
			own: "/" + app + "a.scope/awhost", want: app + "a.scope", files: map[string]string{
				app + "a.scope/cgroup.subtree_control": both, app + "a.scope/awhost/cgroup.type": "domain",
			},
		},
		"a container's root": {
			own: "/", want: ".", moves: true, files: map[string]string{"cgroup.type": "domain", "cgroup.controllers": both},
		},
		"a container with the machine's paths": {
			own: "/docker/1", want: ".", moves: true, mounts: strings.Replace(mount, "/ /sys", "/docker/1 /sys", 1),
			files: map[string]string{"cgroup.type": "domain", "cgroup.controllers": both},
		},
		"the machine's root": {own: "/", want: ".", files: map[string]string{"cgroup.subtree_control": both}},
		"a machine with version 1": {
			own: "/", mounts: "31 20 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
			files: map[string]string{"cgroup.controllers": both},
		},
		"a read-only container": {
			own: "/", fixed: true, files: map[string]string{"cgroup.type": "domain", "cgroup.controllers": both},
		},
		"memory in version 1": {own: "/", files: map[string]string{"cgroup.type": "domain", "cgroup.controllers": "cpu"}},
		"a group outside the namespace": {
			own: "/../other", files: map[string]string{"cgroup.type": "domain", "cgroup.controllers": both},
		},
	} {
		root := t.TempDir()
		top := filepath.Join(root, "sys/fs/cgroup")
		if test.mounts == "" {
			test.mounts = mount
		}
		files := map[string]string{
			filepath.Join(root, "cgroup"):                "1:name=systemd:/x\n0::" + test.own + "\n",
			filepath.Join(root, "mountinfo"):             test.mounts,
			filepath.Join(top, test.own, "cgroup.procs"): "1234\n", filepath.Join(top, test.want, "cgroup.procs"): "1234\n",
		}
		for name, text := range maps.All(test.files) {
			files[filepath.Join(top, name)] = text + "\n"
		}
		writeAll(t, files)
		if test.fixed {
			os.Remove(filepath.Join(top, "cgroup.procs"))
		}
		got, err := findGroups(root, root)
		if want := filepath.Join(top, test.want); (err == nil) != (test.want != "") || err == nil && got != want {
			t.Errorf("%s: %s, %v; want %q", name, got, err, want)
		}
		moved, _ := os.ReadFile(filepath.Join(top, test.want, "awhost/cgroup.procs"))
		if string(moved) == "1234\n" != test.moves && filepath.Base(test.own) != "awhost" {
			t.Errorf("%s: moved %q", name, moved)
		}
		if enabled, _ := os.ReadFile(got + "/cgroup.subtree_control"); test.moves && string(enabled) != "+memory +pids" {
			t.Errorf("%s: enables %q", name, enabled)
		}
	}
}

func writeAll(t *testing.T, files map[string]string) {
	t.Helper()
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGroupExcess checks that only the limit of the group itself counts as exceeded.
func TestGroupExcess(t *testing.T) {
	dir := t.TempDir()
	folder, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	const limit = "it and what it has started needed more than memory_bytes (5)"
	for events, want := range map[string]string{
		"": "",
		"low 0\nhigh 0\nmax 9\noom 0\noom_kill 0\n":    "",
		"max 9\noom 1\noom_kill 0\n":                   "",
		"max 0\noom 0\noom_kill 2\n":                   "", // the machine's memory
		"max 9\noom 1\noom_kill 2\noom_group_kill 1\n": limit,
	} {
		writeAll(t, map[string]string{dir + "/memory.events": events})
		if got := (&group{folder}).excess(Limits{MemoryBytes: 5}); got != want {
			t.Errorf("%q: %q, want %q", events, got, want)
		}
	}
}

// TestGroups checks what a control group allows, which kills are attributed to the program, and what is left behind.
func TestGroups(t *testing.T) {
	f := newFixture(t)
	if f.groups == "" {
		t.Skipf("SKIPPED: control groups were not tested: %v", Probe().noGroups)
	}
	t.Logf("control groups in %s: %s", f.groups, Probe())
	out := f.run(t, prelude+`
    import mmap, threading
    shared = mmap.mmap(-1, 10 << 20)
    for at in range(0, len(shared), 4096): shared[at] = 1
    os.ftruncate(os.memfd_create("x"), 1 << 20)
    for way in lambda: mmap.mmap(-1, 2 << 20, mmap.MAP_PRIVATE | 0x40020), lambda: os.memfd_create("x", os.MFD_HUGETLB):
        try: way(); print("it has huge pages")
        except PermissionError: pass
    print("group", read("/proc/self/cgroup"), os.path.exists("/sys/fs/cgroup"))
    held = []
    try:
        for _ in range(500):
            held.append(threading.Thread(target=time.sleep, args=[2])); held[-1].start()
    except RuntimeError: print("threads are limited")
    sys.exit(3)
`+postlude, Limits{Processes: 5}, true)
	if want := "group 0::/\n False\nthreads are limited"; out.code != 3 || !strings.HasSuffix(out.said, want) &&
		f.grade == byNamespaces {
		t.Errorf("status %d, %+v: %s", out.code, out.report, out.said)
	}
	const allocate = prelude + "    held = b'x' * (150 << 20)" + postlude
	out = f.run(t, allocate, Limits{MemoryBytes: 100 << 20, ProcessBytes: 1 << 30}, true)
	if want := "needed more than memory_bytes (104857600)"; !strings.Contains(out.report.Excess, want) {
		t.Errorf("%+v: %s", out.report, out.said)
	}
	outer, err := newGroup(f.groups, Limits{MemoryBytes: 100 << 20, Processes: 100})
	if err != nil {
		t.Fatal(err)
	}
	path := outer.folder.Name()
	writeAll(t, map[string]string{path + "/cgroup.subtree_control": "+memory +pids"})
	f.groups = path
	if out = f.run(t, allocate, Limits{MemoryBytes: 1 << 30}, true); out.report.Excess != "" || out.code != -1 {
		t.Errorf("without memory in the outer group: status %d, %+v: %s", out.code, out.report, out.said)
	}
	stale, err := os.MkdirTemp(path, groupPrefix)
	if err != nil {
		t.Fatal(err)
	}
	parent := filepath.Dir(path)
	removeStale(path)
	removeStale(parent)
	if !exists(path) || exists(stale) {
		t.Errorf("in use: %v, left behind: %v", exists(path), exists(stale))
	}
	outer.remove()
	if left, _ := filepath.Glob(parent + "/" + groupPrefix + "*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
