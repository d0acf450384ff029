// Command kills checks that no work is lost. It kills processes of runs at random moments, hundreds of times, and
// compares the results with an undisturbed run.
//
//	go run ./bench/kills -n 200          about two minutes on two cores
//	go run ./bench/kills -n 20 -seed 7
//
// It runs `awhost apply` on a small spec with the real plugins: calculator, gaia, format and local. In each run, it
// repeatedly picks a role at random (host, adapter, environment, reward, guard) and kills one of that role's processes
// with SIGKILL, even during recovery. A killed host is restarted at once, and so is a run that ended in a resumable
// state because a plugin was killed before it had started. When the run has ended,
//
//   - its checkpoint digest equals the undisturbed run's,
//   - its lineage counts every slot once, and everything that it counts is recorded,
//   - no process, socket or temporary file of it is left.
//
// Runs alternate between 1 and 64 concurrent episodes, and between GOMAXPROCS 1, 2 and 4. Any violation ends the
// program with an error, and the run's directory is kept. The time from a kill to the next sign of progress is printed
// at the end, but not checked. The same seed gives the same roles and pauses, but the states of the processes at those
// moments still vary.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
)

func main() { program.Main(run) }

// options holds the flags.
type options struct {
	kills  int
	seed   uint64
	data   string
	awhost string
	keep   bool
}

// bench is the state of the program.
type bench struct {
	options
	scratch string
	random  *rand.Rand
	digest  string        // of the undisturbed run
	whole   time.Duration // duration of the undisturbed run
	done    []kill
	refused int // starts while the run was still locked
	stopped int // runs that ended, resumably, because a starting plugin was killed
}

// kill is one killed process.
type kill struct {
	role     string
	at       time.Time
	recovery time.Duration // until the next sign of progress; 0: another kill came first, or the run had ended
}

func run(ctx context.Context, args []string) error {
	b := bench{}
	flags := flag.NewFlagSet("kills", flag.ContinueOnError)
	flags.IntVar(&b.kills, "n", 200, "`kills`, over as many runs as they need")
	flags.Uint64Var(&b.seed, "seed", 1, "picks roles and pauses")
	flags.StringVar(&b.data, "data", "data", "`directory` with the data of the quick start")
	flags.StringVar(&b.awhost, "awhost", "", "`program` to kill, instead of building ./cmd/awhost")
	flags.BoolVar(&b.keep, "keep", false, "keep the runs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if b.scratch, err = os.MkdirTemp("", "kills-"); err != nil {
		return err
	}
	if b.awhost, err = awhost.Build(ctx, b.scratch, b.awhost); err != nil {
		return err
	}
	b.random = rand.New(rand.NewPCG(b.seed, 0))
	if err := b.measure(ctx); err != nil {
		return fmt.Errorf("%w (the runs are in %s)", err, b.scratch)
	}
	b.report()
	if b.keep {
		fmt.Println("the runs are in", b.scratch)
		return nil
	}
	return os.RemoveAll(b.scratch)
}

// variants are used in turn.
var variants = []struct{ concurrency, procs int }{{64, 2}, {1, 4}, {64, 1}, {1, 2}, {64, 4}, {1, 1}}

// measure performs the undisturbed run and then the disturbed ones.
func (b *bench) measure(ctx context.Context) error {
	fmt.Println(machine.Describe())
	whole, err := b.newRun("undisturbed", 64, 2)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := whole.undisturbed(ctx); err != nil {
		return err
	}
	b.digest, b.whole = whole.digest, time.Since(began)
	fmt.Printf("undisturbed: %.1f s, digest %s\n", b.whole.Seconds(), b.digest)
	for n := 1; len(b.done) < b.kills; n++ {
		v := variants[(n-1)%len(variants)]
		r, err := b.newRun(fmt.Sprintf("run-%03d", n), v.concurrency, v.procs)
		if err != nil {
			return err
		}
		if err := r.disturbed(ctx); err != nil {
			return fmt.Errorf("%s with %d at a time and GOMAXPROCS=%d, after killing %s: "+
				"%w", r.name, v.concurrency, v.procs,
				r.roles(), err)
		}
		fmt.Printf("%s: %d at a time, GOMAXPROCS=%d: %d kills (%s), digest equal, nothing left; %d kills so far\n",
			r.name, v.concurrency, v.procs, len(r.kills), r.roles(), len(b.done))
		if !b.keep {
			if err := os.RemoveAll(r.dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// newRun creates a run's directory.
func (b *bench) newRun(name string, concurrency, procs int) (*tortured, error) {
	r := &tortured{bench: b, name: name, dir: filepath.Join(b.scratch, name), concurrency: concurrency, procs: procs}
	for _, dir := range []string{r.dir, r.temp()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(r.dir, "train.hcl"), []byte(spec), 0o644); err != nil {
		return nil, err
	}
	return r, os.CopyFS(filepath.Join(r.dir, "data"), os.DirFS(b.data))
}
