package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSlurm_RealCluster submits to a real cluster.
func TestSlurm_RealCluster(t *testing.T) {
	conf := os.Getenv("AWHOST_SLURM")
	if conf == "" {
		t.Skip("SKIPPED: set AWHOST_SLURM to the slurm.conf of a cluster whose nodes are this machine; .ci/frameworks/slurm makes one")
	}
	o := SlurmOptions{Conf: conf, Nodes: 1, Options: []string{"--comment=test"}, Setup: []string{"ulimit -c 0"}}
	l, other := NewSlurm(o), NewSlurm(o)
	testLauncher(t, l, other)
	t.Run("a second submission finds the first job", func(t *testing.T) { testOneOnly(t, l, other) })
	t.Run("a second job of a launch does not train", func(t *testing.T) {
		j := testJob(t, `echo began >> count; sleep 3`)
		h, err := l.Start(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		until(t, l, h, Running)
		command := l.Command(j)
		second, err := l.run(t.Context(), l.Script(j), command[0], command[1:]...)
		if err != nil {
			t.Fatal(err)
		}
		late := h
		late.ID = strings.TrimSpace(second)
		until(t, l, h, Ended)
		if s := until(t, l, late, Ended); !s.Succeeded() {
			t.Errorf("the second job's handle says %s, want what became of the one that trained", s)
		}
		eventually(t, "the second job's words", func() bool { return strings.Contains(read(j.LogFile), "job "+late.ID+" ends") }, time.Minute)
		if n := strings.Count(read(filepath.Join(j.Dir, "count")), "began"); n != 1 {
			t.Errorf("%d trainers ran, want 1", n)
		}
	})
	t.Run("a job that waits can be stopped", func(t *testing.T) {
		held := o
		held.Options = append(slices.Clone(o.Options), "--hold")
		l := NewSlurm(held)
		h, err := l.Start(t.Context(), testJob(t, `:`))
		if err != nil {
			t.Fatal(err)
		}
		if s := until(t, l, h, Pending); !strings.Contains(s.Reason, "JobHeldUser") {
			t.Errorf("it waits: %s", s)
		}
		if err := l.Stop(t.Context(), h, time.Second); err != nil {
			t.Error(err)
		}
		if s := until(t, l, h, Ended); s.Succeeded() || !strings.Contains(s.Reason, "CANCELLED") {
			t.Errorf("a cancelled job ended with %s", s)
		}
	})
	t.Run("what sbatch refuses", func(t *testing.T) {
		wrong := o
		wrong.Partition = "nosuch"
		_, err := NewSlurm(wrong).Start(t.Context(), testJob(t, `:`))
		if err == nil || errors.Is(err, ErrUnreachable) || !strings.Contains(err.Error(), "invalid partition") {
			t.Errorf("%v, want what sbatch says of the partition", err)
		}
	})
}

// controller is a runner that answers as it was told to.
type controller struct {
	answers map[string]func(args []string) (string, error)
	ran     [][]string
	input   string // of the last command that had one
}

func (c *controller) run(_ context.Context, input, name string, args ...string) (string, error) {
	c.ran = append(c.ran, append([]string{name}, args...))
	c.input = cmp.Or(input, c.input)
	f, ok := c.answers[name]
	if !ok {
		return "", fmt.Errorf("unexpected %s %v", name, args)
	}
	return f(args)
}

func says(out string, err error) func([]string) (string, error) {
	return func([]string) (string, error) { return out, err }
}

func newController(answers map[string]func([]string) (string, error), o SlurmOptions) (*controller, *Slurm) {
	c := &controller{answers: answers}
	return c, &Slurm{options: o, run: c.run, interval: time.Millisecond}
}

func TestSlurm_Command(t *testing.T) {
	s := NewSlurm(SlurmOptions{Partition: "gpu", Time: "1-0", Nodes: 2, GPUsPerNode: 8, Options: []string{"--account=lab", "--export=ALL"}})
	j := Job{LaunchID: "run.i1", Dir: "/d", LogFile: "/d/50%.log"}
	got := strings.Join(s.Command(j), " ")
	want := "sbatch --parsable --job-name=awhost-run.i1 --output=/d/50%%.log --open-mode=append --chdir=/d --nodes=2 --ntasks-per-node=1 --no-requeue " +
		"--export=" + exported + " --partition=gpu --time=1-0 --gpus-per-node=8 --account=lab --export=ALL"
	if got != want {
		t.Errorf("command\n%s\nwant\n%s", got, want)
	}
	s.options.Options = []string{"--gres=gpu:a100:8"}
	if got := strings.Join(s.Command(j), " "); strings.Contains(got, "--gpus-per-node") {
		t.Errorf("GPUs are asked for twice: %s", got)
	}
}

func TestSlurm_StartWithSeveralClusters(t *testing.T) {
	c, s := newController(map[string]func([]string) (string, error){
		"squeue": says("", nil), "sbatch": says("12;west\n", nil), "scancel": says("", nil),
	}, SlurmOptions{Options: []string{"-M", "west"}})
	h, err := s.Start(t.Context(), testJob(t, `:`))
	if err != nil || h.ID != "12" || h.Cluster != "west" {
		t.Fatalf("%+v, %v", h, err)
	}
	if err := s.cancel(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	for _, ran := range [][]string{c.ran[0], c.ran[2]} {
		if !slices.Contains(ran, "--clusters=west") {
			t.Errorf("%v does not name the cluster", ran)
		}
	}
}

func TestSlurm_StartDoesNotSubmitWhileNobodyAnswers(t *testing.T) {
	c, s := newController(map[string]func([]string) (string, error){"squeue": says("", fmt.Errorf("%w: squeue", ErrUnreachable))}, SlurmOptions{})
	if _, err := s.Start(t.Context(), testJob(t, `:`)); !errors.Is(err, ErrUnreachable) {
		t.Errorf("%v, want ErrUnreachable", err)
	}
	if len(c.ran) != 1 {
		t.Errorf("ran %v; a job may be there already", c.ran)
	}
}

func TestSlurm_Status(t *testing.T) {
	invalid := &commandError{name: "squeue", said: "slurm_load_jobs error: Invalid job id specified", err: errors.New("exit status 1")}
	for name, test := range map[string]struct {
		exit, out string
		err       error
		want      string
		state     State
		wantErr   error
	}{
		"an exit status counts":  {exit: "3\n", want: "exit status 3", state: Ended},
		"waiting":                {out: "awhost|PENDING|Resources\n", want: "waiting (Slurm: PENDING, Resources)", state: Pending},
		"running":                {out: "CLUSTER: west\nawhost|RUNNING|None\n", want: "running", state: Running},
		"completing is no end":   {out: "awhost|COMPLETING|None\n", want: "running", state: Running},
		"its time was over":      {out: "awhost|TIMEOUT|TimeLimit\n", want: "an unknown exit status (Slurm: TIMEOUT, TimeLimit)", state: Ended},
		"a node died":            {out: "awhost|NODE_FAIL|NodeDown\n", want: "an unknown exit status (Slurm: NODE_FAIL, NodeDown)", state: Ended},
		"completed, file late":   {out: "awhost|COMPLETED|None\n", want: "exit status 0 (Slurm: COMPLETED)", state: Ended},
		"forgotten":              {err: invalid, want: "an unknown exit status (Slurm knows the job no longer, and it has left no exit status)", state: Ended},
		"forgotten, without err": {want: "an unknown exit status (Slurm knows the job no longer, and it has left no exit status)", state: Ended},
		"away":                   {err: ErrUnreachable, wantErr: ErrUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			_, s := newController(map[string]func([]string) (string, error){"squeue": says(test.out, test.err)}, SlurmOptions{})
			h := newHandle(KindSlurm, Job{Dir: t.TempDir()})
			if test.exit != "" {
				if err := os.WriteFile(filepath.Join(h.Dir, exitFile), []byte(test.exit), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := s.Status(t.Context(), h)
			if !errors.Is(err, test.wantErr) {
				t.Fatalf("%v, want %v", err, test.wantErr)
			}
			if err == nil && (got.String() != test.want || got.State != test.state) {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// The folder of a run holds no secrets: only Slurm gets the values of variables.
func TestSlurm_KeepsNoValuesOfVariables(t *testing.T) {
	c, s := newController(map[string]func([]string) (string, error){"squeue": says("", nil), "sbatch": says("12\n", nil)}, SlurmOptions{})
	j := testJob(t, ":")
	j.Env = map[string]string{"HF_TOKEN": "geheim"}
	if _, err := s.Start(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if kept := read(filepath.Join(j.Dir, scriptFile)); !strings.Contains(kept, "export HF_TOKEN=...\n") || strings.Contains(kept, "geheim") {
		t.Errorf("the script that is kept:\n%s", kept)
	}
	if !strings.Contains(c.input, "export HF_TOKEN='geheim'\n") {
		t.Errorf("Slurm got:\n%s", c.input)
	}
}

func TestSlurm_ScriptIsBash(t *testing.T) {
	for _, o := range []SlurmOptions{
		{Nodes: 1}, {Nodes: 4, RayStart: []string{"--num-cpus=4", "it's"}}, {Nodes: 4, Script: "/my script", Setup: []string{"module load cuda || true"}},
	} {
		s := NewSlurm(o)
		j := testJob(t, "echo 'a b'")
		j.Env = map[string]string{"PYTHONPATH": "/shim", "A": "it's $x"}
		cmd := exec.Command("bash", "-n")
		cmd.Stdin = strings.NewReader(s.Script(j))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s\n%s", err, out, s.Script(j))
		}
		if ray := strings.Contains(s.Script(j), "ray.scripts"); ray != (o.Nodes > 1 && o.Script == "") {
			t.Errorf("a Ray cluster: %v with %+v", ray, o)
		}
	}
}

func TestCommands_TellWhatPassesFromWhatDoesNot(t *testing.T) {
	run := commands("/dev/null")
	for script, want := range map[string]error{
		"echo 'sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)' >&2; exit 1": ErrUnreachable,
		"echo 'squeue: error: Socket timed out on send/recv operation' >&2; exit 1":                                           ErrUnreachable,
	} {
		if _, err := run(t.Context(), "", "sh", "-c", script); !errors.Is(err, want) {
			t.Errorf("%s: %v", script, err)
		}
	}
	_, err := run(t.Context(), "", "sh", "-c", "echo 'sbatch: error: invalid partition specified: x' >&2; exit 1")
	if err == nil || errors.Is(err, ErrUnreachable) || !strings.Contains(err.Error(), "invalid partition") {
		t.Errorf("%v, want what it says, for good", err)
	}
	if _, err := run(t.Context(), "", "no-such-command-of-slurm"); err == nil || !strings.Contains(err.Error(), "not on PATH") {
		t.Errorf("%v, want that it is not on PATH", err)
	}
	if out, err := run(t.Context(), "", "sh", "-c", "echo $SLURM_CONF"); err != nil || strings.TrimSpace(out) != "/dev/null" {
		t.Errorf("SLURM_CONF is %q, %v", out, err)
	}
}
