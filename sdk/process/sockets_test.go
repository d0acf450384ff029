//go:build linux

package process

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// scratch makes a short directory the only place for sockets.
func scratch(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Setenv("TMPDIR", dir)
	return dir
}

func TestNewSocketDir_IsPrivateAndShort(t *testing.T) {
	base := scratch(t)
	dir, err := NewSocketDir()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 || filepath.Dir(dir) != base {
		t.Errorf("directory %s, %v, %v; want mode 0700 below %s", dir, info, err, base)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, strings.Repeat("x", socketNameRoom-1)))
	if err != nil {
		t.Errorf("the longest name does not fit: %v", err)
	} else {
		listener.Close()
	}
	if err := RemoveSocketDir(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the directory is still there: %v", err)
	}
}

func TestNewSocketDir_PathLength(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("x", 100))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	base := scratch(t)
	for _, bad := range []string{long, "/no/such/directory", "relative", ""} {
		t.Setenv("XDG_RUNTIME_DIR", bad)
		dir, err := NewSocketDir()
		if err != nil || filepath.Dir(dir) != base {
			t.Errorf("XDG_RUNTIME_DIR=%s: directory %s, %v; want one below %s", bad, dir, err, base)
		}
	}
	if err := checkSocketPath(long); err == nil || !strings.Contains(err.Error(), "too long for unix sockets") {
		t.Errorf("error %v", err)
	}
}

func TestSweepSocketDirs_RemovesOnlyWhatIsLeftBehind(t *testing.T) {
	base := scratch(t)
	dead := identityOf(t, os.Getpid())
	dead.Started++ // the same pid, another process
	elsewhere := dead
	elsewhere.Space = "pid:[1]"
	for name, owners := range map[string][]Identity{
		"awhost-dead":      {dead},
		"awhost-live":      {identityOf(t, os.Getpid())},
		"awhost-elsewhere": {elsewhere},
		"awhost-new":       nil,
		"unrelated":        {dead},
	} {
		if err := os.Mkdir(filepath.Join(base, name), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, id := range owners {
			raw, _ := json.Marshal(id)
			if err := os.WriteFile(ownerFile(filepath.Join(base, name), id.PID), raw, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Symlink("/etc", filepath.Join(base, "awhost-link")); err != nil {
		t.Fatal(err)
	}
	if _, err := SweepSocketDirs(); err != nil {
		t.Fatal(err)
	}
	var left []string
	entries, _ := os.ReadDir(base)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{"awhost-elsewhere", "awhost-link", "awhost-live", "awhost-new", "unrelated"}; !slices.Equal(left,
		want) {
		t.Errorf("left %v; want %v", left, want)
	}
}

func TestIdentity_DistinguishesReusedPID(t *testing.T) {
	p := startActor(t, actorConfig(t, "block"))
	id, err := p.Identity()
	if err != nil || !Alive(id) {
		t.Fatalf("identity %+v, %v of a living process", id, err)
	}
	raw, _ := json.Marshal(id)
	var again Identity
	if err := json.Unmarshal(raw, &again); err != nil || again != id {
		t.Errorf("identity %+v, %v after JSON; want %+v", again, err, id)
	}
	recycled, rebooted := id, id
	recycled.Started--
	rebooted.Boot = "another"
	if Alive(recycled) || Alive(rebooted) {
		t.Error("a reused pid counts as the old process")
	}
	if err := p.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if Alive(id) {
		t.Error("an exited process counts as running")
	}
	if _, err := p.Identity(); err == nil {
		t.Error("an exited process has an identity")
	}
}

func TestParseStat_SurvivesAnyName(t *testing.T) {
	stat, err := parseStat([]byte("12 (a) R 1 (b)) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21"))
	if err != nil || stat.state != 'S' || stat.started != 4711 {
		t.Errorf("%+v, %v", stat, err)
	}
	for _, bad := range []string{"", "12 (a) S", "12 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 x 20"} {
		if _, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}
