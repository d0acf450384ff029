//go:build linux

package control_test

import (
	"context"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk/process"
)

// sockets uses a short directory for the sockets of this test's runs.
func sockets(t *testing.T) {
	t.Helper()
	base, err := os.MkdirTemp("/tmp", "m")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	t.Setenv("XDG_RUNTIME_DIR", base)
	t.Setenv("TMPDIR", base)
}

func host(t *testing.T, listen func(sockets string)) {
	t.Helper()
	sockets, err := process.NewSocketDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = process.RemoveSocketDir(sockets) })
	listen(sockets)
}

func TestMachine_AsksEveryHost(t *testing.T) {
	sockets(t)
	home := filepath.Join(t.TempDir(), "quickstart-")
	serve := func(name string) func(string) {
		return func(sockets string) {
			hello := control.Hello{Run: name, ID: "id-" + name, Dir: home + name, PID: 42}
			server := control.NewServer(control.Config{Hello: hello})
			waits := []control.Wait{{Who: control.WaiterTrainer, For: "episodes", Episodes: 3}}
			if err := server.Open(sockets, func() []control.Wait { return waits }); err != nil {
				t.Fatal(err)
			}
			server.Handle(event.Event{Payload: event.RunStarted{Step: 2}})
			t.Cleanup(func() {
				ctx, cancel := context.WithTimeout(context.Background(), limit)
				defer cancel()
				server.Close(ctx)
			})
		}
	}
	host(t, serve("a"))
	host(t, serve("b"))
	// A host that does not respond, one that no longer listens, and a folder without a host.
	host(t, func(sockets string) {
		listener, err := net.Listen("unix", filepath.Join(sockets, "control"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { listener.Close() })
	})
	host(t, func(sockets string) {
		listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(sockets, "control"), Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		listener.SetUnlinkOnClose(false)
		listener.Close()
	})
	host(t, func(string) {})

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second) // used up by the unresponsive host
	defer cancel()
	var mine []control.Running
	silent := 0
	// other tests have runs on this machine, too
	for _, r := range control.Machine(ctx, slices.Collect(maps.Keys(process.SocketDirs()))) {
		switch {
		case strings.HasPrefix(r.Status.Dir, home):
			mine = append(mine, r)
		case r.Problem != nil && strings.HasPrefix(r.Folder, os.Getenv("TMPDIR")):
			silent++
		}
	}
	if len(mine) != 2 || silent != 1 {
		t.Fatalf("%d hosts answer, %d do not; want 2 and 1", len(mine), silent)
	}
	for i, name := range []string{"a", "b"} {
		r := mine[i]
		if r.Status.Run != name || r.ID != "id-"+name || r.Status.Step != 2 || len(r.Waits) != 1 || r.Problem != nil {
			t.Errorf("host %d says %+v", i, r)
		}
	}
}
