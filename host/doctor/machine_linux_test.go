package doctor

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

func TestCgroupMemory_TakesTheTightestLimit(t *testing.T) {
	root := t.TempDir()
	for _, f := range txtar.Parse([]byte(`
-- two --
0::/user/job
-- one --
9:cpu:/docker/x
4:memory:/docker/x
-- none --
0::/free
-- fs/user/memory.max --
1000
-- fs/user/memory.current --
400
-- fs/user/job/memory.max --
max
-- fs/memory/docker/x/memory.limit_in_bytes --
9223372036854771712
-- fs/memory/docker/memory.limit_in_bytes --
5000
-- fs/memory/docker/memory.usage_in_bytes --
70
-- fs/free/memory.max --
max
`)).Files {
		path := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for membership, want := range map[string][2]uint64{"two": {1000, 400}, "one": {5000, 70}, "none": {}, "missing": {}} {
		limit, used := cgroupMemory(filepath.Join(root, membership), filepath.Join(root, "fs"))
		if got := [2]uint64{limit, used}; got != want {
			t.Errorf("%s: %v, want %v", membership, got, want)
		}
	}
}

func TestReadMemory_OfThisMachine(t *testing.T) {
	m, err := readMemory()
	if err != nil || m.total < 64<<20 || m.available > m.total {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestStatDisk_NamesTheFileSystem(t *testing.T) {
	d, err := statDisk("/proc")
	if err != nil || d.name != "file system 0x9fa0" || d.shared {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := statDisk("/nowhere"); !os.IsNotExist(err) {
		t.Errorf("got %v", err)
	}
}

// If an unnamed file cannot be created, as on NFS, an existing file is locked.
func TestTryLock_NeedsNoNewFile(t *testing.T) {
	there := filepath.Join(t.TempDir(), "train.hcl")
	if err := os.WriteFile(there, nil, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := tryLock("/proc", there); err != nil {
		t.Error(err)
	}
	if err := tryLock("/proc", there+".gone"); !os.IsNotExist(err) {
		t.Errorf("got %v", err)
	}
}
