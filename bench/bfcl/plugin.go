package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/internal/processes"
	"github.com/awhost/awhost/plugins/bfcl-env/measure"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// rig holds the environment as a plugin process, with its tasks.
type rig struct {
	plugin *client.Plugin
	env    sdk.EnvironmentWithTasks
	tasks  []sdk.Task
	data   *measure.Data
}

// throughPlugin plays every task, and then opens many concurrently.
func throughPlugin(ctx context.Context, o options, theirs reference) (err error) {
	r := rig{}
	if r.data, err = measure.Open(o.older, "v3"); err != nil {
		return err
	}
	stop, err := r.start(ctx, o.older)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	if err := r.measure(ctx, o.repeat, theirs); err != nil {
		return err
	}
	return r.fill(ctx, o.episodes)
}

// start starts this program as the plugin.
func (r *rig) start(ctx context.Context, source string) (stop func() error, err error) {
	authority, err := mtls.NewAuthority()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	sockets, err := process.NewSocketDir()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "awhost-bench-")
	if err != nil {
		return nil, errors.Join(err, process.RemoveSocketDir(sockets))
	}
	clean := func() error { return errors.Join(process.RemoveSocketDir(sockets), os.RemoveAll(dir)) }
	r.plugin, err = client.Start(ctx, client.Config{
		Name: "bench.bfcl", Command: []string{self}, Authority: authority, SocketDir: sockets,
		LogFile: dir + "/plugin.log", Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		return nil, errors.Join(err, clean())
	}
	stop = func() error {
		return errors.Join(r.plugin.Stop(context.WithoutCancel(ctx), 10*time.Second, "the benchmark has ended",
			func(string) {}), clean())
	}
	if err := r.configure(ctx, source, dir); err != nil {
		return nil, errors.Join(err, stop())
	}
	return stop, nil
}

func (r *rig) configure(ctx context.Context, source, dir string) error {
	config, err := json.Marshal(map[string]any{"source": source, "profile": "envtuning", "mode": "envtuning",
		"held_out": 0})
	if err != nil {
		return err
	}
	problems, err := r.plugin.Configure(ctx, sdk.ConfigureRequest{Kind: sdk.KindEnvironment, Type: "bfcl", Config: config,
		RunID: "bench", Incarnation: 1, Dir: dir})
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return fmt.Errorf("%s: %s", problems[0].Summary, problems[0].Detail)
	}
	var ok bool
	if r.env, ok = r.plugin.Environment().(sdk.EnvironmentWithTasks); !ok {
		return errors.New("the environment lists no tasks")
	}
	return r.env.Tasks(ctx, sdk.SplitTrain, 0, func(t sdk.Task) bool { r.tasks = append(r.tasks, t); return true })
}

// round is the cost of playing every task a few times.
type round struct {
	steps             int64
	wall, here, there float64 // seconds: wall time, and CPU time of this process and of the plugin
}

// passes is the number of times that each round plays every task.
const passes = 4

// measure plays rounds. The best round counts, for wall time and CPU time separately.
func (r *rig) measure(ctx context.Context, repeat int, theirs reference) error {
	var quickest, cheapest round
	for i := range repeat {
		took, err := r.play(ctx)
		if err != nil {
			return err
		}
		if i == 0 || took.wall < quickest.wall {
			quickest = took
		}
		if i == 0 || took.there < cheapest.there {
			cheapest = took
		}
	}
	steps := float64(quickest.steps) // equal in all rounds
	fmt.Printf("\nthrough the protocol, the environment in a separate process, the best of %d; %d episodes, %.0f steps\n",
		repeat, passes*len(r.tasks), steps)
	fmt.Printf("  %-34s %12s  %12s  %8s\n", "", "here", "reference", "factor")
	theirs.Dialogue.printWithReference("steps by the clock", "steps", steps/quickest.wall)
	theirs.Dialogue.printWithReference("steps by its CPU time, one thread", "steps", steps/cheapest.there)
	fmt.Printf("  CPU time of a step: %.0f µs in the plugin, %.0f µs here; by the clock %.2f processors were busy\n",
		cheapest.there/steps*1e6, cheapest.here/steps*1e6, (quickest.here+quickest.there)/quickest.wall)
	return nil
}

// play plays every task to its end, with enough concurrency to use all processors.
func (r *rig) play(ctx context.Context) (round, error) {
	var steps atomic.Int64
	here, there, began := cpuSeconds(), r.used().CPU, time.Now()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8 * runtime.NumCPU())
	for pass := range passes {
		for _, task := range r.tasks {
			group.Go(func() error {
				n, err := r.episode(ctx, fmt.Sprintf("%s/%d", task.ID, pass), task)
				steps.Add(int64(n))
				return err
			})
		}
	}
	err := group.Wait()
	return round{steps: steps.Load(), wall: time.Since(began).Seconds(), here: cpuSeconds() - here,
		there: r.used().CPU - there}, err
}

// episode plays a task as a perfect model and returns the number of steps.
func (r *rig) episode(ctx context.Context, id string, task sdk.Task) (int, error) {
	opened, err := r.env.Open(ctx, sdk.OpenRequest{EpisodeID: id, Task: task, Split: sdk.SplitTrain})
	if err != nil {
		return 0, err
	}
	steps := 0
	for _, text := range r.data.Messages(task.ID) {
		message := sdk.Message{Role: sdk.RoleAssistant, Content: text}
		response, err := r.env.Step(ctx, sdk.StepRequest{EpisodeID: id, InstanceID: opened.InstanceID,
			StepID: strconv.Itoa(steps), Message: message})
		if err != nil {
			return steps, err
		}
		if steps++; response.Done {
			break
		}
	}
	_, err = r.env.Close(ctx, sdk.CloseRequest{EpisodeID: id, InstanceID: opened.InstanceID, Reason: "done"})
	return steps, err
}

// fill opens episodes, plays one turn in each, and measures the plugin's memory.
func (r *rig) fill(ctx context.Context, episodes int) error {
	before := r.used().RSS
	for i := range episodes {
		task := r.tasks[i%len(r.tasks)]
		id := fmt.Sprintf("open-%d", i)
		opened, err := r.env.Open(ctx, sdk.OpenRequest{EpisodeID: id, Task: task, Split: sdk.SplitTrain})
		if err != nil {
			return err
		}
		message := sdk.Message{Role: sdk.RoleAssistant, Content: r.data.Messages(task.ID)[0]}
		if _, err := r.env.Step(ctx, sdk.StepRequest{EpisodeID: id, InstanceID: opened.InstanceID, StepID: "0",
			Message: message}); err != nil {
			return err
		}
	}
	after := r.used().RSS
	const mib = 1 << 20
	fmt.Printf("\nmemory of the plugin process\n  %d MiB with no episode, after the last round; %d MiB with %d open, each after a turn\n", before/mib, after/mib, episodes)
	return nil
}

// used returns the resource usage of the plugin process.
func (r *rig) used() processes.Process {
	for _, p := range processes.List() {
		if p.PID == r.plugin.PID() {
			return p
		}
	}
	return processes.Process{}
}
