// Command week measures whether the costs of a run grow with its length.
//
//	go run ./bench/week -steps 200       about five minutes on two cores
//	go run ./bench/week                  20,000 steps, 1,000,000 episodes
//
// It runs `awhost apply` with the adapter local, a learning rate of 0, and one turn of two tokens per episode. It
// measures the tenth of the steps before 1/10, 1/2, and the end, and then copies the run's directory while the host and
// the trainer are stopped. At the end, the copies answer `runs`, `show`, and `ui`, and resume after `kill -9`. The
// baseline of each figure is the first one: "flat" is a ratio of at most 1.2. The program never fails because of a
// figure.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
)

func main() { program.Main(run) }

func run(ctx context.Context, args []string) (err error) {
	w := &watch{pids: map[int]string{}}
	flags := flag.NewFlagSet("week", flag.ContinueOnError)
	flags.IntVar(&w.steps, "steps", 20_000, "`steps` of the run, a multiple of 10, at least 50")
	group := flags.Int("group", 5, "`episodes` of each of the 10 tasks of a step")
	named := flags.String("awhost", "", "`program` to measure, instead of building ./cmd/awhost")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if w.steps < 50 || w.steps%10 != 0 {
		return fmt.Errorf("-steps %d: give a multiple of 10, at least 50", w.steps)
	}
	scratch, err := os.MkdirTemp("", "bench-week-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	if w.program, err = awhost.Build(ctx, scratch, *named); err != nil {
		return err
	}
	w.dir = filepath.Join(scratch, "run")
	data, err := filepath.Abs("data/arithmetic.train.jsonl")
	text := fmt.Sprintf(spec, data, w.steps+extra, *group)
	if err := errors.Join(err, os.Mkdir(w.dir, 0o755),
		os.WriteFile(filepath.Join(w.dir, "train.hcl"), []byte(text), 0o644)); err != nil {
		return err
	}
	fmt.Println(machine.Describe())
	if _, err := awhost.Apply(ctx, w.program, w.dir, w); err != nil || w.err != nil {
		return errors.Join(err, w.err)
	}
	for _, p := range w.points {
		if err := p.ask(ctx, w.program); err != nil {
			return fmt.Errorf("step %d: %w", p.step, err)
		}
	}
	w.report()
	return nil
}

// extra is the number of steps after the last point: a run that has ended cannot be resumed.
const extra = 10

const spec = `
dataset "jsonl" "questions" { path = %q }
environment "calculator" "desk" {}
agent "react" "solver" {
  environment = environment.calculator.desk
  max_turns   = 1
}
reward "calculator" "shape" {}
adapter "local" "policy" {
  tokens_every = 0
  health { patience = 10000 }
}
train "week" {
  agent   = agent.react.solver
  dataset = dataset.jsonl.questions
  adapter = adapter.local.policy
  reward  = reward.calculator.shape.score + (episode.truncated ? 0 : 1)
  success = episode.truncated == false
  steps   = %d
  batch {
    prompts    = 10
    group_size = %d
  }
  optimizer { learning_rate = 0 }
  limits { message_tokens = 2 }
  checkpoint { every = 100 }
}
`
