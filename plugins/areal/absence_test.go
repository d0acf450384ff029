package areal

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk/bridge"
)

// abandoned is a driver whose adapter goes away for good: with a worker of its own, and a trainer that does not hear an interrupt.
const abandoned = `
import subprocess, sys, time
from awhost_areal import reporting
reporting._LOOK_SECONDS, reporting._CLOSING_SECONDS = 0.05, 0.2
subprocess.Popen(["sleep", "600"], stdout=sys.stdout)
reporting.Reporter(sys.argv[1], "1")
print("up", flush=True)
while True:
    try:
        time.sleep(600)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
`

func TestDriver_EndsWithItsWorkersWhereNoAdapterComesBack(t *testing.T) {
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: there is no python3 on PATH")
	}
	dir := folder(t.TempDir())
	r := &resolved{inputs: inputs{dir: dir}}
	if err := r.unpack(); err != nil {
		t.Fatal(err)
	}
	relay := relayOf(t, &record{Prompts: 1, GroupSize: 2}, nil, nil)
	server, err := bridge.Listen(bridge.Options{Dir: dir.bridge(), Run: "r", Epoch: 1, Handler: relay, PingInterval: 50 * time.Millisecond, Grace: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), interpreter, "-c", abandoned, server.EndpointFile())
	cmd.Env = append(os.Environ(), "PYTHONPATH="+dir.shim())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out) // it ends when the worker, which has the pipe too, is gone
	if !lines.Scan() || lines.Text() != "up" {
		t.Fatalf("it says %q, %v", lines.Text(), lines.Err())
	}
	if err := server.Close(context.Background()); err != nil {
		t.Error(err)
	}
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("it ended with %v", err)
	}
	if all := strings.Join(said, "\n"); !strings.Contains(all, "because awhost is gone") || !strings.Contains(all, "interrupted") {
		t.Errorf("it says %q", all)
	}
}
