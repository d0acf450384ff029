//go:build unix

package client_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
)

// write creates a file for a test.
func write(t *testing.T, name, content string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// Each way not to be a plugin must have one clear diagnostic.
func TestStart_Errors(t *testing.T) {
	short := func(c *client.Config) { c.StartTimeout = 3 * time.Second }
	command := func(argv ...string) func(*client.Config) {
		return func(c *client.Config) { c.Command = argv }
	}
	for name, test := range map[string]struct {
		role   string
		change func(*client.Config)
		want   []string
		is     error
	}{
		"hangs at the start": {role: "hang", change: short,
			want: []string{"no handshake within 3s", "loading 70B weights"}, is: process.ErrStartTimeout},
		"exits at the start": {role: "exit", want: []string{"status 42", "no module named torch", "plugin.log"},
			is: process.ErrExited},
		"panics at the start": {role: "panic", want: []string{"status 2", "no GPU"}, is: process.ErrExited},
		"prints forever":      {role: "babbler", want: []string{"no handshake", "describe"}, is: process.ErrNotAPlugin},
		"true": {change: command("/bin/true"), want: []string{"status 0", "is /bin/true an awhost plugin"},
			is: process.ErrExited},
		"a script": {change: command("/bin/sh", "-c", "echo Usage: frobnicate; exit 1"),
			want: []string{"status 1", "Usage: frobnicate"}, is: process.ErrExited},
		"a file without rights": {change: command(write(t, "notes.txt", "no program", 0o644)),
			want: []string{"notes.txt", "permission denied", "chmod +x"}, is: os.ErrPermission},
		"a file without format": {change: command(write(t, "notes", "no program", 0o755)),
			want: []string{"notes", "exec format error", "#!/bin/sh"}},
		"a missing file": {change: command("/nowhere/plugin"),
			want: []string{"/nowhere/plugin", "no such file", "check the path"}, is: os.ErrNotExist},
		"a missing program": {change: command("awhost-no-such-program"),
			want: []string{"awhost-no-such-program", "not found", "installed"}},
		"no command": {change: command(), want: []string{"command"}},
		"a missing directory": {role: "plugin", change: func(c *client.Config) { c.Dir = "/nowhere" },
			want: []string{"/nowhere"}, is: os.ErrNotExist},
		"another version": {role: "next version", want: []string{"unsupported version of the plugin " +
			"protocol", "supports 1", "release"}},
		"another core": {role: "other core", want: []string{"not the handshake of an awhost plugin"}},
		"no last bar": {
			role: "no last bar", want: []string{"1|1|unix|/nowhere|grpc", "final bar"}, is: process.ErrCutHandshake,
		},
		"net/rpc":     {role: "net rpc", want: []string{"not the handshake of an awhost plugin", "netrpc"}},
		"without TLS": {role: "without tls", want: []string{"cannot be reached", "AWHOST_TLS_DIR"}},
		"crashes after it": {role: "crashes after its handshake", want: []string{"right after its " +
			"handshake", "status 7", "out of memory"}},
		"a contract's variable": {role: "plugin", change: func(c *client.Config) { c.PassEnv = []string{"AWHOST_RUN"} },
			want: []string{"pass_env", "AWHOST_RUN"}},
		"a log that cannot be": {role: "plugin", change: func(c *client.Config) { c.LogFile = "/nowhere/plugin.log" },
			want: []string{"/nowhere/plugin.log"}, is: os.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := config(t, test.role)
			if test.change != nil {
				test.change(&c)
			}
			var p *client.Plugin
			var err error
			within(t, "Start", func() { p, err = client.Start(t.Context(), c) })
			if err == nil {
				p.Kill()
				t.Fatal("it was started")
			}
			t.Log(err)
			if context := "start plugin " + c.Name + ": "; strings.Count(err.Error(), context) != 1 ||
				!strings.HasPrefix(err.Error(), context) {
				t.Errorf("the plugin is not named once, at the start: %v", err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("not %v: %v", test.is, err)
			}
			if len(err.Error()) > 4000 {
				t.Errorf("the message has %d bytes", len(err.Error()))
			}
		})
	}
}

func TestStart_IgnoresNoiseBeforeTheHandshake(t *testing.T) {
	p := startReward(t, config(t, "noisy"))
	if got := command(t, p, "length four"); got != 4 {
		t.Errorf("the plugin answered %d, want 4", got)
	}
}

// The key of a running plugin must not be readable from a file, and the plugin must not need the file.
func TestStart_LeavesNoKey(t *testing.T) {
	c := config(t, "plugin")
	startReward(t, c)
	keys, err := filepath.Glob(filepath.Join(c.SocketDir, "*", "*.key"))
	if err != nil || len(keys) > 0 {
		t.Errorf("keys %v, %v", keys, err)
	}
	if found, err := filepath.Glob(filepath.Join(c.SocketDir, "*", "host.crt")); err != nil || len(found) != 1 {
		t.Errorf("certificates %v, %v", found, err)
	}
}

func TestStart_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := config(t, "hang")
	result := make(chan error, 1)
	go func() {
		_, err := client.Start(ctx, c)
		result <- err
	}()
	until(t, "the plugin runs", func() bool {
		text, _ := os.ReadFile(c.LogFile)
		return strings.Contains(string(text), "weights")
	})
	cancel()
	var err error
	within(t, "Start after the cancellation", func() { err = <-result })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("want Canceled, got %v", err)
	}
}

func TestStart_SeveralAtOnce(t *testing.T) {
	c := config(t, "plugin")
	for i := range 4 {
		t.Run(string(rune('a'+i)), func(t *testing.T) {
			t.Parallel()
			own := c
			own.Name, own.LogFile, own.Log = t.Name(), filepath.Join(t.TempDir(), "plugin.log"), nil
			p := startReward(t, own)
			if got := command(t, p, "length four"); got != 4 {
				t.Errorf("the plugin answered %d, want 4", got)
			}
		})
	}
}
