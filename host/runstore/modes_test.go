package runstore

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk"
)

const envUmask = "AWHOST_TEST_UMASK"

// Files that may contain conversations are private to the owner. The mode of a run's results follows the umask.
func TestModesFollowTheUmask(t *testing.T) {
	if umask := os.Getenv(envUmask); umask != "" {
		leaveARun(t, umask, os.Getenv("AWHOST_TEST_RUNS"))
		return
	}
	for _, umask := range []fs.FileMode{0, 0o002, 0o022, 0o027, 0o077} {
		t.Run(fmt.Sprintf("%03o", umask), func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "runs")
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestModesFollowTheUmask$")
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%o", envUmask, umask), "AWHOST_TEST_RUNS="+root)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v:\n%s", err, out)
			}
			run := filepath.Join(root, "quickstart-1")
			for path, want := range map[string]fs.FileMode{
				".": 0o777, checkpointsDir: 0o777, checkpointsDir + "/step-000001": 0o777,
				checkpointsDir + "/step-000001/" + manifestFile: 0o666, infoFile: 0o666, specFile: 0o666, metricsFile: 0o666,
				lockFile: 0o600, journalFile: 0o600, answersFile: 0o600, logsDir: 0o700, logsDir + "/reward.log": 0o600,
				pluginsDir: 0o700, pluginsDir + "/reward": 0o700,
			} {
				info, err := os.Stat(filepath.Join(run, path))
				if err != nil {
					t.Fatal(err)
				}
				if got := info.Mode().Perm(); got != want&^umask {
					t.Errorf("%s has %o, want %o", path, got, want&^umask)
				}
			}
		})
	}
}

// leaveARun creates a run with one checkpoint under a umask, which applies to the whole process.
func leaveARun(t *testing.T, umask, root string) {
	mask, err := strconv.ParseInt(umask, 8, 0)
	if err != nil {
		t.Fatal(err)
	}
	syscall.Umask(int(mask))
	ctx := context.Background()
	w, err := At(root, Options{Now: time.Now}).Create(ctx, quickstart)
	if err != nil {
		t.Fatal(err)
	}
	start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 1})
	step(t, w, 1, train(t, w, 1))
	commit(t, w, 1)
	answers, err := w.Answers()
	if err != nil {
		t.Fatal(err)
	}
	if err := answers.Keep(1, "a", &sdk.GenerateResponse{}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.PluginDir("reward"); err != nil {
		t.Fatal(err)
	}
	log, err := w.OpenLog("reward")
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	closeRun(t, w)
}
