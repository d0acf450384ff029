package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// burn is a shell loop that uses CPU time. A shell prints with `times` what it and its children used.
const burn = `i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; `

// TestAccount_CountsEachSecondOnce compares the account with the times that shells report.
func TestAccount_CountsEachSecondOnce(t *testing.T) {
	if err := adoptOrphans(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		script   string
		reported int // line of `times` that has the time: 0 for the shell's own, 1 for its children's
		orphan   bool
	}{
		"running":               {script: burn + `times; read line`},
		"child that ended":      {script: `sh -c '` + burn + `'; times; read line`, reported: 1},
		"grandchild that ended": {script: `sh -c 'sh -c "` + burn + `"; true'; times; read line`, reported: 1},
		"orphan":                {script: `exec 3<&0; (sh -c '` + burn + `times; read line <&3' &)`, orphan: true},
	} {
		t.Run(name, func(t *testing.T) {
			a := openAccount()
			cmd := exec.Command("sh", "-c", c.script)
			stdin, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer write.Close()
			read, stdout, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer read.Close()
			cmd.Stdin, cmd.Stdout = stdin, stdout
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_, _ = stdin.Close(), stdout.Close()
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			if c.orphan {
				<-ended
			}
			lines := bufio.NewReader(read)
			var times []string
			for range 2 {
				line, err := lines.ReadString('\n')
				if err != nil && err != io.EOF {
					t.Fatal(err)
				}
				times = append(times, line)
			}
			want := seconds(t, times[c.reported])
			a.watchMemory(cmd.Process.Pid, true)
			running := a.take(0).cpu
			if err := a.endAll(cmd.Process.Pid, 0); err != nil {
				t.Fatal(err)
			}
			// The kernel counts in steps of 10 ms, and the shells take a little more than the loop.
			for moment, got := range map[string]float64{"while it runs": running, "at the end": a.take(0).cpu} {
				if got < want-0.05 || got > 1.5*want+0.05 {
					t.Errorf("%s, the account has %.2f s; want %.2f, as the shell reports", moment, got, want)
				}
			}
			if p := a.peaks; p.Processes == 0 || p.RSS == 0 || p.PSS == 0 || p.PSS > p.RSS {
				t.Errorf("got the peaks %+v; want at least one process, and PSS up to RSS", p)
			}
			if _, below := descendants(); len(below) > 0 {
				t.Errorf("%d processes are left", len(below))
			}
		})
	}
}

// seconds adds up a line such as "0m0.120s 0m0.010s".
func seconds(t *testing.T, line string) (sum float64) {
	for field := range strings.FieldsSeq(line) {
		d, err := time.ParseDuration(field)
		if err != nil {
			t.Fatal(err)
		}
		sum += d.Seconds()
	}
	return sum
}

func TestAccount_KillsByCommandLine(t *testing.T) {
	if err := adoptOrphans(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", "read line; : environment-of-the-test")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	a := openAccount()
	if n := a.kill("another text"); n != 0 {
		t.Errorf("killed %d processes with another text; want none", n)
	}
	if n := a.kill("environment-of-the-test"); n != 1 {
		t.Errorf("killed %d processes; want 1", n)
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("the process ended with %v; want killed", err)
	}
}
