//go:build linux

package process

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A process must not write a core dump, and the kernel must end it before its host when memory runs out. The guard,
// which has to end it, must be as safe as the host.
func TestStart_RaisesOOMScore(t *testing.T) {
	g := openGuard(t)
	for name, c := range map[string]Config{"own": actorConfig(t, "block"), "guarded": guardedConfig(t, g, "block")} {
		t.Run(name, func(t *testing.T) {
			p := startActor(t, c)
			if own, got := oomScore(t, os.Getpid()), oomScore(t, p.PID()); got != min(1000, own+500) {
				t.Errorf("oom_score_adj %d, and %d of the host", got, own)
			}
			raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", p.PID()))
			if err != nil || !regexp.MustCompile(`Max core file size +[01] `).Match(raw) {
				t.Errorf("limits %s, %v", raw, err)
			}
		})
	}
	if own, got := oomScore(t, os.Getpid()), oomScore(t, g.process().PID); got != own {
		t.Errorf("oom_score_adj %d of the guard, and %d of the host", got, own)
	}
}

func oomScore(t *testing.T, pid int) int {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid))
	if err != nil {
		t.Fatal(err)
	}
	score, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return score
}
