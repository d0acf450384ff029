package mcpenv_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/mcp-env/internal/mcptest"
	"github.com/awhost/awhost/sdk"
)

// counted returns a server block whose processes append their server's name to a file when they start. If there is a
// FIFO next to the file, each process then waits for a byte from it.
func counted(file, name string) object {
	server := stdio(mcptest.Modern, object{"warm": 0, "connect_timeout": "10m"})
	script := `echo "$2" >>"$1"; [ -p "$1.gate" ] && read -r _ <"$1.gate"; exec "$0"`
	server["command"] = append([]string{"sh", "-c", script}, append(server["command"].([]string), file, name)...)
	return server
}

func startsIn(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(slices.Values(strings.Fields(string(data))))
}

// An episode starts only the servers that it calls.
func TestEnvironment_StartsServersAtTheFirstCall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "starts")
	r := newRig(t, object{"server": object{"a": counted(file, "a"), "b": counted(file, "b"), "c": counted(file, "c")}})
	for _, episode := range []string{"e1", "e2", "e3"} {
		r.open(episode)
	}
	r.call("e1", "a__note", `{"text":"mine"}`) // uses the process that listed the tools
	r.call("e2", "a__notes", `{}`)
	if got := r.call("e2", "a__notes", `{}`); got.Content != "" {
		t.Errorf("an episode reads %q of another", got.Content)
	}
	r.call("e3", "a__add", `{"a":1,"b":2}`)
	for _, episode := range []string{"e1", "e2", "e3"} {
		r.close(episode)
	}
	if diff := cmp.Diff([]string{"a", "a", "a", "b", "c"}, startsIn(t, file)); diff != "" {
		t.Errorf("servers that were started (-want +got): %s", diff)
	}
}

// At most 8 processes start concurrently, however many episodes call a server for the first time.
func TestEnvironment_BoundsConcurrentStarts(t *testing.T) {
	const episodes, most = 12, 8
	file := filepath.Join(t.TempDir(), "starts")
	r := newRig(t, object{"server": object{"a": counted(file, "a")}})
	r.open("first")
	r.call("first", "add", `{"a":1,"b":2}`) // uses the process that listed the tools
	if err := syscall.Mkfifo(file+".gate", 0o600); err != nil {
		t.Fatal(err)
	}
	gate, err := os.OpenFile(file+".gate", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gate.Close() })
	called := make(chan error)
	for i := range episodes {
		episode := fmt.Sprintf("e%d", i)
		r.open(episode)
		go func() {
			_, err := r.Step(t.Context(), sdk.StepRequest{EpisodeID: episode, StepID: "s", Message: calling("add", `{"a":1}`)})
			called <- err
		}()
	}
	for released := range episodes {
		want := 1 + min(episodes, released+most)
		for len(startsIn(t, file)) < want {
			time.Sleep(time.Millisecond)
		}
		if got := len(startsIn(t, file)); got > want {
			t.Errorf("%d processes start at the same time, want at most %d", got-1-released, most)
		}
		if _, err := gate.WriteString("\n"); err != nil {
			t.Fatal(err)
		}
	}
	for range episodes {
		if err := <-called; err != nil {
			t.Error(err)
		}
	}
}
