// Command bfcl measures the BFCL environment: calls, checks and EnvTuning's dialogues in this process on one thread,
// and dialogues and memory use through the protocol with the environment as a plugin process. Each result is printed
// next to the result of the Python reference programs.
//
//	pip download --no-deps --only-binary :all: bfcl-eval==2026.3.23     version 4 of the data
//	pip download --no-deps --only-binary :all: bfcl-eval==2025.6.15     version 3, which EnvTuning plays
//	go run ./bench/bfcl -source bfcl_eval-2026.3.23-py3-none-any.whl -older bfcl_eval-2025.6.15-py3-none-any.whl
//
// With -reference it measures BFCL's own code in the same run. The flag names a program that takes the same arguments
// as reference.py, such as ./bench/bfcl/reference.sh. Without it, recorded results are printed and labeled as such.
// EnvTuning's code is not published as a package. -envtuning names the directory of that name in a clone of
// github.com/inclusionAI/AWorld-RL: its own interaction class then plays the same dialogues in the same run. Without
// it, the comparison is omitted.
//
// Work on one thread is measured in CPU time, the best of several runs, because wall time is unreliable on a busy
// machine. The program never fails because of a measured value. docs/explain/performance.md explains the output.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
	bfclenv "github.com/awhost/awhost/plugins/bfcl-env"
	"github.com/awhost/awhost/sdk"
)

// options holds the flags.
type options struct {
	source    string // of version 4
	older     string // of version 3
	reference string
	envtuning string // a checkout of EnvTuning
	repeat    int
	episodes  int // open concurrently when memory is measured
}

func main() {
	if awhost.IsPlugin(os.Args) {
		sdk.Serve(bfclenv.Plugin())
	}
	program.Main(run)
}

func run(ctx context.Context, args []string) error {
	o := options{}
	flags := flag.NewFlagSet("bfcl", flag.ContinueOnError)
	flags.StringVar(&o.source, "source", "", "`wheel` or directory with version 4 of BFCL's data")
	flags.StringVar(&o.older, "older", "", "`wheel` or directory with version 3; none: EnvTuning's dialogue and the plugin are not measured")
	flags.StringVar(&o.reference, "reference", "", "`program` that measures BFCL's own code; default: compare with recorded figures")
	flags.StringVar(&o.envtuning, "envtuning", "", "`folder` EnvTuning of a clone of AWorld-RL, with -reference and -older; none: EnvTuning's own class is not measured")
	flags.IntVar(&o.repeat, "repeat", 7, "`times` that each is measured; the best counts")
	flags.IntVar(&o.episodes, "episodes", 4096, "`episodes` that are open at a time when memory is measured")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.source == "" || o.repeat < 1 || o.episodes < 1 {
		return errors.New("-source must name the BFCL data, and -repeat and -episodes must be at least 1: see -help")
	}
	if o.envtuning != "" && (o.reference == "" || o.older == "") {
		return errors.New("-envtuning requires -reference, whose Python runs the measurement, and -older, which " +
			"provides the data to play")
	}
	fmt.Println(machine.Describe())
	theirs, err := measureReference(ctx, o)
	if err != nil {
		return err
	}
	if err := inProcess(o, theirs); err != nil || o.older == "" {
		return err
	}
	return throughPlugin(ctx, o, theirs)
}
