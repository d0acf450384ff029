//go:build linux

package commandplugin

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sandbox"
)

// needSandbox skips a test if no sandbox is available.
func needSandbox(t *testing.T) {
	t.Helper()
	if missing := sandbox.Probe().Missing; missing != "" {
		t.Skip("SKIPPED: no program was run in a sandbox: " + missing)
	}
}

// newSandboxedAgent returns an agent with a shell script in a sandbox.
func newSandboxedAgent(t *testing.T, script string, config map[string]any) (sdk.Agent, string) {
	t.Helper()
	full := map[string]any{"sandbox": "process"}
	for name, value := range config {
		full[name] = value
	}
	return shell(t, script, full)
}

func TestAgent_InASandbox(t *testing.T) {
	needSandbox(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("policy\n"))
			c.Close()
		}
	})
	defer serving.Wait()
	defer l.Close()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	const script = `cat; pwd; cat $AWHOST_PROMPT_FILE kept.txt; echo mine >out.txt; echo x >"$HOME/h"; echo x >"$TMPDIR/t"
cat "$SECRET" 2>&1 | grep -oE 'No such file|Permission denied'; ls ../.. | wc -l; echo x >>"$AWHOST_PROMPT_FILE"
exec 3<>/dev/tcp/${OPENAI_BASE_URL#http://}; cat <&3; exit 3`
	a, directory := newSandboxedAgent(t, "", map[string]any{
		"command": []string{
			"bash",
			"-c",
			script,
		},
		"env":      map[string]any{"SECRET": secret, "OPENAI_BASE_URL": "http://127.0.0.1/" + port(t, l)},
		"template": template(t),
		"collect":  []string{"out.txt"},
		"accept":   []string{"exit"},
		"diff":     true,
	})
	request := newRequest()
	request.Models[sdk.ModelPolicy] = sdk.ModelEndpoint{BaseURL: "http://" + l.Addr().String(), APIKey: "key"}
	out, err := a.Run(t.Context(), request, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(directory, "00c0ffee", "work")
	const asked = "Be brief.\n\n1 + 2?"
	hidden := "No such file\n1\n"
	if !sandbox.Probe().Own { // with landlock alone, the parent folder cannot be listed
		hidden = "Permission denied\n0\n"
	}
	if want := asked + work + "\n" + asked + "same\n" + hidden + "policy"; *out.FinalAnswer != want {
		t.Errorf("%q, want %q", *out.FinalAnswer, want)
	}
	if seen := seenOf(
		t,
		out,
	).Program; seen.ExitCode != 3 || seen.Files["out.txt"] != "mine\n" ||
		!strings.Contains(seen.Diff, "b/out.txt") {
		t.Errorf("%+v", seen)
	}
	if left, err := os.ReadDir(directory); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func port(t *testing.T, l net.Listener) string {
	t.Helper()
	_, out, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// In a sandbox, limits, ends and the environment's turns are the same as without one.
func TestAgent_InASandboxAsWithout(t *testing.T) {
	needSandbox(t)
	for name, test := range map[string]struct {
		script string
		config map[string]any
		fails  string // empty: success
	}{
		"a daemon holds its output": {script: "setsid sh -c 'exec sleep 600' & echo 3"},
		"a signal":                  {script: "kill -SEGV $$", fails: "sh exited with signal segmentation fault"},
		"a status":                  {script: "echo why >&2; exit 4", fails: "sh exited with status 4; last lines: why"},
		"a time limit": {
			script: "trap '' TERM; while :; do sleep 1; done", config: map[string]any{"timeout": "1s"},
			fails: "longer than timeout (1s)",
		},
		"output": {
			script: "exec cat /dev/zero", config: map[string]any{"output_bytes": 1 << 20},
			fails: "more than output_bytes (1048576)",
		},
		"processes": {
			script: "for i in 1 2 3 4 5 6 7 8; do sleep 600 & done; wait", config: map[string]any{"processes": 5},
			fails: "more than processes (5)",
		},
		"files": {
			script: "for i in 1 2 3 4 5 6; do head -c 1000000 /dev/zero >f$i; done; sleep 600",
			config: map[string]any{"disk_bytes": 4 << 20}, fails: "more than disk_bytes (4194304)",
		},
		"a program that is not shown": {
			config: map[string]any{"command": []string{hidden(t)}}, fails: "List the required files in read",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, directory := newSandboxedAgent(t, test.script, test.config)
			out, err := a.Run(t.Context(), newRequest(), nil, nil)
			var failure *sdk.Failure
			if test.fails == "" && err != nil {
				t.Error(err)
			}
			if test.fails != "" &&
				(!errors.As(err, &failure) || failure.Class != sdk.FailureAgent || !strings.Contains(failure.Detail, test.fails)) {
				t.Errorf("%+v, %v; want %s", out, err, test.fails)
			}
			if left, err := os.ReadDir(directory); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
	a, _ := newSandboxedAgent(t, "printf 'again: '; cat; echo x >>seen; wc -l <seen", map[string]any{"turns": "restart"})
	d := &fakeEnvironment{turns: []string{"And then?"}}
	if out := play1(t, a, d); *out.FinalAnswer != "again: And then?2" {
		t.Errorf("after a turn: %q", *out.FinalAnswer)
	}
}

// hidden returns a program with an interpreter that no sandbox shows.
func hidden(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"program": "#!" + filepath.Join(dir, "run") + "\n", "run": "#!/bin/sh\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "run"), 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "program")
}

func TestSandboxIsForeseen(t *testing.T) {
	needSandbox(t)
	c := &config{Command: []string{"/bin/sh"}}
	if got := c.describeSandbox(); got.Severity != sdk.SeverityNote ||
		!strings.Contains(got.Summary, "sandbox: sh writes nothing but its own folders") {
		t.Errorf("%+v", got)
	}
	for _, test := range []struct {
		config config
		want   string
	}{
		{config{Sandbox: "none", Read: []string{"/opt"}}, "Sandbox settings without a sandbox"},
		{config{Read: []string{"/"}}, "Files that cannot be shown"},
		{config{Connect: []string{"10.0.0.1:80"}}, "Address outside"},
	} {
		got := test.config.checkSandbox()
		if len(got) != 1 || got[0].Summary != test.want {
			t.Errorf("%+v, want %q", got, test.want)
		}
	}
}
