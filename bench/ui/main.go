// Command ui measures the response times and the resource usage of the viewer on a run with a hundred thousand
// generated episodes.
//
//	go run ./bench/ui                          about two minutes on two cores
//	go run ./bench/ui -episodes 20000
//
// The viewer is `awhost ui`, with the requests of its page. The baseline for each row is the cost of the same operation
// without an index, by reading the records as `awhost show --episodes` does. The program prints the figures and never
// fails because of them.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
	"github.com/awhost/awhost/bench/internal/viewer"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/runstore/runstoretest"
	"github.com/awhost/awhost/sdk"
)

// shape describes steps of 512 episodes, with a checkpoint at every tenth step.
var shape = runstoretest.Shape{Groups: 32, Samples: 16, Words: 60, Uncommitted: 9}

func main() {
	program.Main(func(ctx context.Context, args []string) error { return run(ctx, args, os.Stdout) })
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("ui", flag.ContinueOnError)
	episodes := flags.Int("episodes", 100_000, "`episodes` of the run")
	named := flags.String("awhost", "", "measure this `program`; default: the one of this checkout")
	if err := flags.Parse(args); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "bench-ui-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	binary, err := awhost.Build(ctx, scratch, *named)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, machine.Describe())
	b := &bench{out: out, binary: binary, dir: filepath.Join(scratch, "spec"), cache: filepath.Join(scratch, "cache")}
	if err := b.record(ctx, *episodes); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.writer.Writer.Close(context.WithoutCancel(ctx))) }()
	return b.measure(ctx)
}

// bench is a growing run and its viewer.
type bench struct {
	out        io.Writer
	binary     string
	dir, cache string
	writer     *runstoretest.Run
	run        *runstore.Run
}

func (b *bench) record(ctx context.Context, episodes int) error {
	store := runstore.In(b.dir, runstore.Options{Version: sdk.Version})
	var err error
	if b.writer, err = runstoretest.Begin(ctx, store, shape); err != nil {
		return err
	}
	perStep := shape.Groups * shape.Samples
	for b.writer.Steps*perStep < episodes {
		if err := b.writer.Step(ctx); err != nil {
			return err
		}
	}
	if b.run, err = store.Open(""); err != nil {
		return err
	}
	info, err := os.Stat(b.run.JournalPath())
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%d episodes, a journal of %d MiB\n\n", b.writer.Steps*perStep, info.Size()>>20)
	return nil
}

func (b *bench) start(ctx context.Context) (*viewer.Viewer, error) {
	return viewer.Start(ctx, b.binary, b.dir, b.cache)
}

func (b *bench) measure(ctx context.Context) (err error) {
	fmt.Fprintf(b.out, "%-34s %10s %10s   %-34s %10s %10s\n", "viewer", "seconds", "CPU-s", "baseline", "seconds", "CPU-s")
	list := "/api/runs/recorded-1/episodes?limit=100"
	read := taken{what: "all records are read"}
	if err := read.by(func() error { return b.scan(ctx, func(runstore.Episode) {}) }); err != nil {
		return err
	}
	for _, row := range []string{"start without an index, first list", "start with one, first list"} {
		v, err := b.start(ctx)
		if err != nil {
			return err
		}
		first := taken{what: row}
		_, err = v.Get(ctx, list)
		first.wall, first.cpu = time.Since(v.Began), v.Used()
		if err = errors.Join(err, v.Stop()); err != nil {
			return err
		}
		b.row(first, read)
	}
	v, err := b.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Stop()) }()
	if _, err := v.Get(ctx, list); err != nil {
		return err
	}
	if err := b.appended(ctx, v, read); err != nil {
		return err
	}
	return b.looks(ctx, v)
}

// appended measures how long it takes until a page that follows the run can show a new episode.
func (b *bench) appended(ctx context.Context, v *viewer.Viewer, read taken) error {
	live, err := v.Follow(ctx, "/api/runs/recorded-1/live")
	if err != nil {
		return err
	}
	defer live.Close()
	var waits []time.Duration
	was := v.Used()
	for sample := range 20 {
		id, err := b.writer.Episode(ctx, sdk.SplitTrain, b.writer.Steps+1, 0, sample)
		if err != nil {
			return err
		}
		began := time.Now()
		if err := live.Await("episodes"); err != nil {
			return err
		}
		if _, err := v.Get(ctx, "/api/runs/recorded-1/episodes/"+url.PathEscape(id)); err != nil {
			return err
		}
		waits = append(waits, time.Since(began))
	}
	b.row(taken{"new episode on the page, longest", slices.Max(waits), (v.Used() - was) / 20}, read)
	return nil
}

// looks measures the requests made by a user who searches for something.
func (b *bench) looks(ctx context.Context, v *viewer.Viewer) error {
	tasks := map[string]bool{}
	for _, look := range []struct {
		what, query string
		fits        func(runstore.Episode) bool
	}{
		{"filter by class, by turns", "episodes?limit=100&class=ENVIRONMENT&sort=-turns",
			func(e runstore.Episode) bool { return e.Failure != nil }},
		{"search for a text that is nowhere", "episodes?limit=100&q=no+such+words", func(e runstore.Episode) bool {
			return says(e,
				"no such words")
		}},
		{"search for a text that is once", "episodes?limit=100&q=needle777x",
			func(e runstore.Episode) bool { return says(e, "needle777x") }},
		{"tasks, the least solved first", "tasks?sort=success", func(e runstore.Episode) bool {
			known := tasks[e.TaskID]
			tasks[e.TaskID] = true
			return !known
		}},
	} {
		ours := taken{what: look.what}
		was, began := v.Used(), time.Now()
		text, err := v.Get(ctx, "/api/runs/recorded-1/"+look.query)
		if err != nil {
			return err
		}
		ours.wall, ours.cpu = time.Since(began), v.Used()-was
		found, total := 0, total(text)
		scan := taken{what: "all records are read, and looked at"}
		err = scan.by(func() error {
			return b.scan(ctx, func(e runstore.Episode) {
				if look.fits(e) {
					found++
				}
			})
		})
		if err != nil {
			return err
		}
		b.row(ours, scan)
		if found != total {
			return fmt.Errorf("%s: the viewer found %d, but the records contain %d", look.what, total, found)
		}
	}
	fmt.Fprintf(b.out, "\nlargest resident memory of the viewer: %d MiB\n", v.Peak()>>20)
	return nil
}

// total returns the total that a response reports across all pages.
func total(answer []byte) int {
	var list struct {
		Total int `json:"total"`
	}
	if json.Unmarshal(answer, &list) != nil {
		return -1
	}
	return list.Total
}

// says reports whether a conversation contains a string, ignoring case.
func says(e runstore.Episode, text string) bool {
	for _, p := range e.Transcripts {
		for _, m := range p.Messages {
			if strings.Contains(strings.ToLower(m.Content), text) {
				return true
			}
		}
	}
	return false
}

// scan reads all episodes, as `show` does.
func (b *bench) scan(ctx context.Context, visit func(runstore.Episode)) error {
	for e, err := range b.run.Episodes(ctx) {
		if err != nil {
			return err
		}
		visit(e)
	}
	return nil
}

// taken is the cost of an operation.
type taken struct {
	what string
	wall time.Duration
	cpu  float64 // seconds
}

// by measures the cost of work in this process.
func (t *taken) by(work func() error) error {
	was, began := ownCPU(), time.Now()
	err := work()
	t.wall, t.cpu = time.Since(began), ownCPU()-was
	return err
}

func ownCPU() float64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

func (b *bench) row(ours, baseline taken) {
	fmt.Fprintf(b.out, "%-34s %10.3f %10.3f   %-34s %10.3f %10.3f\n", cmp.Or(ours.what, "–"), ours.wall.Seconds(),
		ours.cpu,
		baseline.what, baseline.wall.Seconds(), baseline.cpu)
}
