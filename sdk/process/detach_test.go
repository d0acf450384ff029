//go:build linux

package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// launchIn returns the launch id of the trainer in a family, unique per family.
func launchIn(dir string) string { return "sums-1" + strings.ReplaceAll(dir, "/", ".") }

func TestDetach_SurvivesPluginAndHost(t *testing.T) {
	h := startHost(t, testRun, "family")
	launch := launchIn(filepath.Join(h.dir, "family"))
	sendAction(t, h.identities["family"].PID, 9)
	h.gone(t, "family", "session", "daemon")
	h.running(t, "trainer", "worker")
	h.kill(t)
	h.gone(t, "cleared")
	eventually(t, "the guard has exited", func() bool { return !Alive(h.guard) })
	h.running(t, "trainer", "worker")
	if ended, err := SweepRun(t.Context(), testRun); err != nil || len(ended) != 0 {
		t.Errorf("the sweep ended %v, %v; want nothing", ended, err)
	}
	found, err := FindMarked(launch)
	if err != nil || !slices.Contains(found, h.identities["trainer"]) || slices.Contains(found, h.identities["worker"]) {
		t.Errorf("found %v, %v; want the trainer %v, without its worker", found, err, h.identities["trainer"])
	}
	if found, err := FindMarked(launch + "0"); err != nil || len(found) != 0 {
		t.Errorf("of another launch: %v, %v", found, err)
	}
	if _, err := EndLaunch(t.Context(), launch); err != nil {
		t.Error(err)
	}
	h.gone(t, "trainer", "worker")
}

func TestDetach_Environment(t *testing.T) {
	cmd := exec.Command("/bin/true")
	cmd.Env = []string{EnvMark + "=m", EnvCookie + "=c", "PLUGIN_CLIENT_CERT=x", "AWHOST_TLS_DIR=/tmp/keys",
		"CUDA_VISIBLE_DEVICES=1"}
	if err := Detach(cmd, "l1"); err != nil {
		t.Fatal(err)
	}
	want := []string{EnvDetachable + "=1", EnvLaunch + "=l1", EnvMark + "=m", "CUDA_VISIBLE_DEVICES=1"}
	if !slices.Equal(cmd.Env, want) {
		t.Errorf("environment %q; want %q", cmd.Env, want)
	}
	if !cmd.SysProcAttr.Setsid || cmd.SysProcAttr.Pdeathsig != 0 {
		t.Errorf("attributes %+v", cmd.SysProcAttr)
	}
}

func TestDetach_RejectsInvalidCommands(t *testing.T) {
	var out strings.Builder
	for name, test := range map[string]struct {
		cmd    *exec.Cmd
		launch string
		says   string
	}{
		"no launch": {cmd: &exec.Cmd{Path: "/bin/true"}, says: "invalid launch id"},
		"a pipe":    {cmd: &exec.Cmd{Path: "/bin/true", Stdout: &out}, launch: "l", says: "set a file"},
		"an input":  {cmd: &exec.Cmd{Path: "/bin/true", Stdin: os.Stdin}, launch: "l", says: "reads from this process"},
		"twice": {cmd: &exec.Cmd{Path: "/bin/true", SysProcAttr: processAttributes(true)}, launch: "l",
			says: "process attributes are set"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := Detach(test.cmd, test.launch); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v; want one with %q", err, test.says)
			}
		})
	}
}
