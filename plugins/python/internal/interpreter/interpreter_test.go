package interpreter

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start starts the Python on PATH.
func start(t *testing.T) *Interpreter {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED, no Python was driven: install python3 (3.8 or newer) and put it on PATH")
	}
	p, err := Start(t.Context(), Config{Python: path, Name: "python test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}

func TestCall(t *testing.T) {
	p := start(t)
	if !strings.HasPrefix(p.Version, "3.") || !filepath.IsAbs(p.Executable) {
		t.Errorf("version %q of %q", p.Version, p.Executable)
	}
	if answer, err := p.Call(t.Context(), "ping", nil); err != nil || string(answer) != "true" {
		t.Errorf("ping: %s, %v", answer, err)
	}
	var refused *Refusal
	if _, err := p.Call(t.Context(), "no such thing", nil); !errors.As(err, &refused) ||
		!strings.Contains(refused.Summary, "KeyError") {
		t.Errorf("an unknown operation: %v", err)
	}
	deep := []byte(`"x":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000))
	if _, err := p.Call(t.Context(), "ping", deep); !errors.As(err, &refused) {
		t.Errorf("what Python cannot decode: %v", err)
	}
	large := []byte(`"x":"` + strings.Repeat("x", 10<<20) + `"`)
	if _, err := p.Call(t.Context(), "ping", large); err != nil {
		t.Errorf("a large call: %v", err)
	}
}

// Calls must be answered in order, and abandoned calls must not block others.
func TestSend_Pipelines(t *testing.T) {
	p := start(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		_, _ = p.Call(ended, "ping", nil)
	}
	var pending []<-chan Answer
	for range 100 {
		answer, err := p.Send(t.Context(), "ping", nil)
		if err != nil {
			t.Fatal(err)
		}
		pending = append(pending, answer)
	}
	for _, answer := range pending {
		if a := <-answer; a.Err != nil {
			t.Fatal(a.Err)
		}
	}
}

// The end of the process must end all current and future calls.
func TestKill_AnswersAllCalls(t *testing.T) {
	p := start(t)
	waiting, err := p.Send(t.Context(), "ping", nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	p.Kill()
	<-waiting // answered before or after the end
	if _, err := p.Call(t.Context(), "ping", nil); !errors.Is(err, ErrExited) {
		t.Errorf("a call to a dead process: %v", err)
	}
	select {
	case <-p.Done():
	default:
		t.Error("it is not said to be gone")
	}
}

// A program that is not Python, or writes invalid output, must give a clear error.
func TestStart_Refuses(t *testing.T) {
	dir := t.TempDir()
	script := func(name, body string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "absent"):                                "no such file",
		script("ends", "echo why >&2; exit 5"):                      "exited with status 5; last lines: why",
		script("nonsense", "echo hello >&4; sleep 60"):              "invalid answer to awhost",
		script("endless", "yes | tr -d '\\n' >&4"):                  "the answer exceeds 8 MiB",
		script("deaf", "exec 3<&- 4>&-; sleep 60"):                  "it closed awhost's file descriptors",
		script("another version", `printf '{"id":0,"ok":3}\n' >&4`): "cannot unmarshal",
	} {
		p, err := Start(t.Context(), Config{Python: path, Name: "python test"})
		if err == nil {
			p.Kill()
			t.Fatalf("%s is taken for Python", path)
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, Config{Python: script("mute", "sleep 60"), Name: "python test"}); err == nil {
		t.Error("a mute program is taken for Python")
	}
}

func TestHandedOn_LeavesOutWhatMakesAPlugin(t *testing.T) {
	got := userEnviron([]string{
		"PATH=/bin", "TOKEN=x=y", "PLUGIN_MIN_PORT=1", "AWHOST_TLS_DIR=/x", "AWHOST_MARK=m", "=odd",
	})
	if strings.Join(got, " ") != "PATH TOKEN" {
		t.Errorf("%q", got)
	}
}
