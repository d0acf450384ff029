package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/bench/internal/viewer"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/internal/processes"
)

// watch samples the run at its step boundaries.
type watch struct {
	program, dir    string
	steps, episodes int
	host            int
	pids            map[int]string // processes with a name
	from            *point         // the beginning of the measured section
	points          []*point
	err             error
}

// point is the state of the run after a step, and the figures of the section that ends there.
type point struct {
	step, episodes int
	cpu            map[string]float64 // seconds
	bytes          float64
	dir            string // a copy of the run
	figures        []figure
}

type figure struct {
	name   string
	value  float64
	isFlat bool // it must not grow
}

func (p *point) add(name string, value float64, flat bool) {
	p.figures = append(p.figures, figure{name, value, flat})
}

// Started implements awhost.Observer.
func (w *watch) Started(pid int) { w.host, w.pids[pid] = pid, "host" }

// Take implements awhost.Observer. The first section starts when the heaps have been filled.
func (w *watch) Take(e event.Event) {
	switch p := e.Payload.(type) {
	case event.PluginState:
		if p.Instance == "adapter.local.policy" && p.PID > 0 {
			w.pids[p.PID] = "trainer"
		}
	case event.StepFinished:
		w.episodes += p.Episodes
		switch tenth := w.steps / 10; p.Step {
		case max(2, tenth/10), 4 * tenth, 9 * tenth:
			w.signal(syscall.SIGSTOP)
			w.from = w.now(p.Step)
		case tenth, 5 * tenth, 10 * tenth:
			w.signal(syscall.SIGSTOP)
			w.points = append(w.points, w.now(p.Step))
			w.err = errors.Join(w.err, w.measure(w.points[len(w.points)-1]))
		}
		w.signal(syscall.SIGCONT)
	}
}

// signal stops or continues the processes that change the directory.
func (w *watch) signal(signal syscall.Signal) {
	for pid := range w.pids {
		_ = syscall.Kill(pid, signal) // an error means that the process has ended
	}
}

func (w *watch) now(step int) *point {
	p := &point{step: step, episodes: w.episodes, cpu: map[string]float64{}}
	for _, of := range processes.Tree(w.host) {
		p.cpu["all processes"] += of.CPU
		p.cpu[w.pids[of.PID]] += of.CPU
	}
	out, err := exec.Command("du", "-sb", "--exclude=checkpoints", filepath.Join(w.dir, ".awhost", "runs")).Output()
	_, scanErr := fmt.Sscan(string(out), &p.bytes)
	if err != nil || scanErr != nil {
		w.err = errors.Join(w.err, fmt.Errorf("measure the run's files: %w", errors.Join(err, scanErr)))
	}
	return p
}

// measure compares a point with the beginning of its section, and copies the run as a kill would leave it.
func (w *watch) measure(p *point) error {
	steps, episodes := float64(p.step-w.from.step), float64(p.episodes-w.from.episodes)
	for _, name := range []string{"host", "trainer", "all processes"} {
		ms := 1000 * (p.cpu[name] - w.from.cpu[name])
		p.add("CPU-ms per step: "+name, ms/steps, true)
		p.add("CPU-ms per episode: "+name, ms/episodes, true)
	}
	p.add("bytes per episode, without checkpoints", (p.bytes-w.from.bytes)/episodes, true)
	for _, of := range processes.Tree(w.host) {
		if name := w.pids[of.PID]; name != "" {
			open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", of.PID))
			if err != nil {
				return err
			}
			p.add("open descriptors: "+name, float64(len(open)), true)
			p.add("RSS now, MB: "+name, float64(of.RSS)/1e6, true)
			p.add("RSS peak, MB: "+name, float64(processes.Peak(of.PID))/1e6, true)
		}
	}
	p.dir = fmt.Sprintf("%s-%d", w.dir, p.step)
	if out, err := exec.Command("cp", "-a", w.dir, p.dir).CombinedOutput(); err != nil {
		return fmt.Errorf("copy the run: %w\n%s", err, out)
	}
	return nil
}

// ask measures what the copy of a run answers, and removes it.
func (p *point) ask(ctx context.Context, program string) error {
	for _, args := range [][]string{{"runs"}, {"show", "week-1"}} {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir = p.dir
		began := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("awhost %s: %w\n%s", args[0], err, out)
		}
		used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		p.took("awhost "+args[0], began, used.Seconds(), args[0] == "runs")
	}
	for _, index := range []string{" without an index", " with an index"} {
		v, err := viewer.Start(ctx, program, p.dir, filepath.Join(p.dir, "cache"))
		if err != nil {
			return err
		}
		_, err = v.Get(ctx, "/api/runs/week-1")
		p.took("ui, overview"+index, v.Began, v.Used(), false)
		_, listErr := v.Get(ctx, "/api/runs/week-1/episodes?limit=100")
		p.took("ui, list"+index, v.Began, v.Used(), false)
		if err := errors.Join(err, listErr, v.Stop()); err != nil {
			return err
		}
	}
	if _, err := resume(ctx, program, p.dir); err != nil { // the copy only looks killed
		return err
	}
	killed := time.Now()
	cpu, err := resume(ctx, program, p.dir)
	if err != nil {
		return err
	}
	p.took("kill -9, resume, next commit", killed, cpu, false)
	return os.RemoveAll(p.dir)
}

func (p *point) took(what string, began time.Time, cpu float64, flat bool) {
	p.add(what+", CPU-s", cpu, flat)
	p.add(what+", wall-s", time.Since(began).Seconds(), false)
}

// resume continues the run until a step is committed, kills its host then, and returns the seconds of CPU time. The
// processes of a host that was killed before may still hold the run.
func resume(ctx context.Context, program, dir string) (cpu float64, err error) {
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(100 * time.Millisecond) {
		k := &killer{}
		if _, err = awhost.Resume(ctx, program, dir, k); k.cpu > 0 {
			return k.cpu, nil
		}
	}
	return 0, fmt.Errorf("no step was committed: %w", err)
}

// killer kills a host after a commit.
type killer struct {
	pid int
	cpu float64 // seconds, of the host and its plugins until then
}

// Started implements awhost.Observer.
func (k *killer) Started(pid int) { k.pid = pid }

// Take implements awhost.Observer.
func (k *killer) Take(e event.Event) {
	if _, ok := e.Payload.(event.CheckpointCommitted); !ok || k.cpu > 0 {
		return
	}
	for _, p := range processes.Tree(k.pid) {
		k.cpu += p.CPU
	}
	_ = syscall.Kill(k.pid, syscall.SIGKILL) // an error means that it has ended
}

// report prints the figures of all points and the ratios of the last to the first.
func (w *watch) report() {
	fmt.Printf("%d episodes. The machine may do other work: compare CPU times, not wall times.\n\n%-46s", w.episodes,
		"at step")
	for _, p := range w.points {
		fmt.Printf(" %10d", p.step)
	}
	fmt.Println("   ratio")
	for i, f := range w.points[0].figures {
		fmt.Printf("%-46s", f.name)
		for _, p := range w.points {
			fmt.Printf(" %10.3f", p.figures[i].value)
		}
		ratio, verdict := w.points[len(w.points)-1].figures[i].value/f.value, ""
		switch {
		case f.isFlat && ratio <= 1.2:
			verdict = "flat"
		case f.isFlat:
			verdict = "GROWS"
		}
		fmt.Printf(" %7.2f  %s\n", ratio, verdict)
	}
}
