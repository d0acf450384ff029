// Command code measures the cost of an interpreter in an environment "code", compared with a plain start of the same
// Python.
//
//	go run ./bench/code                          half a minute on two cores
//	go run ./bench/code -python .venv/bin/python -imports numpy -n 20
//
// Everything except the interpreters runs in this process, sequentially. The plain start is `python3 -c pass`. A cold
// start is an episode without a prepared interpreter, from Open to its response; a warm start has a prepared one. If
// the sandbox can be reset, an episode reuses the interpreter of the previous one. A call runs code that does nothing,
// in an open episode. All are measured with and without a sandbox.
//
// The program prints the figures and never fails because of them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
	codeenv "github.com/awhost/awhost/plugins/code-env"
	"github.com/awhost/awhost/sdk"
)

// options holds the flags.
type options struct {
	python  string
	imports string
	n       int
}

func main() { program.Main(run) }

func run(ctx context.Context, args []string) error {
	var o options
	flags := flag.NewFlagSet("code", flag.ContinueOnError)
	flags.StringVar(&o.python, "python", "", "`program` to measure; default: the shell's")
	flags.StringVar(&o.imports, "imports", "", "`modules` that interpreters import, with commas between them")
	flags.IntVar(&o.n, "n", 50, "`times` that each is done")
	if err := flags.Parse(args); err != nil {
		return err
	}
	fmt.Printf("%s\n\n| milliseconds | median | least | 9 of 10 |\n|---|---|---|---|\n", machine.Describe())
	if err := o.plain(ctx); err != nil {
		return err
	}
	for _, sandbox := range []string{"none", "process"} {
		for _, state := range []string{"kept", "fresh"} {
			if err := o.measure(ctx, sandbox, state); err != nil {
				return err
			}
		}
	}
	return nil
}

// times runs do n times and prints a table row.
func (o options) times(what string, do func() (time.Duration, error)) error {
	var took []time.Duration
	for range o.n {
		one, err := do()
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		took = append(took, one)
	}
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	fmt.Printf("| %s | %.2f | %.2f | %.2f |\n", what, ms(took[len(took)/2]), ms(took[0]), ms(took[len(took)*9/10]))
	return nil
}

// timed measures the total time that do takes.
func timed(do func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		began := time.Now()
		err := do()
		return time.Since(began), err
	}
}

// plain measures the baseline: the interpreter's own executable, which the environment also starts.
func (o options) plain(ctx context.Context) error {
	python := o.python
	if python == "" {
		python = "python3"
	}
	said, err := exec.CommandContext(ctx, python, "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return fmt.Errorf("run %s: %w", python, err)
	}
	code := "pass"
	if o.imports != "" {
		code = "import " + o.imports
	}
	return o.times("plain start of Python: `-c '"+code+"'`", timed(func() error {
		return exec.CommandContext(ctx, strings.TrimSpace(string(said)), "-c", code).Run()
	}))
}

// measure starts interpreters and calls them.
func (o options) measure(ctx context.Context, sandbox, state string) error {
	called := "sandbox `" + sandbox + "`, state `" + state + "`: "
	cold, closeCold, err := o.environment(ctx, sandbox, state, 0)
	if err != nil {
		return err
	}
	defer closeCold()
	episode := 0
	begin := func(e sdk.Environment) (string, error) {
		episode++
		id := fmt.Sprint(episode)
		_, err := e.Open(ctx, sdk.OpenRequest{EpisodeID: id, Task: sdk.Task{ID: "t", Public: json.RawMessage("{}")}})
		return id, err
	}
	// The first episode takes the interpreter that was started to check the configuration.
	open, err := begin(cold)
	if err != nil {
		return err
	}
	if state == "kept" { // starts do not depend on state
		if err := o.times(called+"a start", timed(func() error { _, err := begin(cold); return err })); err != nil {
			return err
		}
		if err := o.warm(ctx, called, sandbox, begin); err != nil {
			return err
		}
		if err := o.next(ctx, called, sandbox, begin); err != nil {
			return err
		}
	}
	steps := 0
	return o.times(called+"a call", timed(func() error {
		steps++
		return doNothing(ctx, cold, open, steps)
	}))
}

// doNothing calls the tool with code that does nothing.
func doNothing(ctx context.Context, e sdk.Environment, episode string, step int) error {
	out, err := e.Step(ctx, sdk.StepRequest{EpisodeID: episode, StepID: fmt.Sprint(step), Message: sdk.Message{
		Role:      sdk.RoleAssistant,
		ToolCalls: []sdk.ToolCall{{ID: "c", Name: "execute_python_code", Arguments: `{"code":"pass"}`}},
	}})
	if err == nil && out.Messages[0].IsError {
		err = errors.New(out.Messages[0].Content)
	}
	return err
}

// refill is the time to wait until an interpreter is ready.
const refill = 500 * time.Millisecond

// warm measures starts with a prepared interpreter.
func (o options) warm(ctx context.Context, called, sandbox string, begin func(sdk.Environment) (string, error)) error {
	e, closeIt, err := o.environment(ctx, sandbox, "kept", 1)
	if err != nil {
		return err
	}
	defer closeIt()
	return o.times(called+"a warm start", func() (time.Duration, error) {
		time.Sleep(refill)
		began := time.Now()
		_, err := begin(e)
		return time.Since(began), err
	})
}

// next measures how consecutive episodes start and end.
func (o options) next(ctx context.Context, called, sandbox string, begin func(sdk.Environment) (string, error)) error {
	e, closeIt, err := o.environment(ctx, sandbox, "kept", 0)
	if err != nil {
		return err
	}
	defer closeIt()
	return o.times(called+"an episode after another: its start, and its end", timed(func() error {
		id, err := begin(e)
		if err == nil {
			_, err = e.Close(ctx, sdk.CloseRequest{EpisodeID: id})
		}
		return err
	}))
}

func (o options) environment(ctx context.Context, sandbox, state string, warm int) (sdk.Environment, func(), error) {
	component := codeenv.Plugin().Environments[0]
	config := map[string]any{"sandbox": sandbox, "state": state, "warm": warm}
	if o.python != "" {
		config["python"] = o.python
	}
	if o.imports != "" {
		config["imports"] = strings.Split(o.imports, ",")
	}
	raw, err := json.Marshal(config)
	if err != nil {
		return nil, nil, err
	}
	if raw, err = component.Schema.Complete(raw); err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "bench-code")
	if err != nil {
		return nil, nil, err
	}
	e, err := component.New(ctx, sdk.Setup{Config: raw, Dir: dir, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		os.RemoveAll(dir)
		return nil, nil, err
	}
	return e, func() {
		if err := e.(sdk.Stopper).Stop(context.WithoutCancel(ctx), func(string) {}); err != nil {
			fmt.Fprintln(os.Stderr, "Error:", err)
		}
		os.RemoveAll(dir)
	}, nil
}
