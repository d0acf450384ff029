// Command math compares the verdicts of reward "math" on answer pairs with the verdicts of a person and of math-verify.
//
//	go run ./bench/math -pairs pairs.jsonl -python PYTHON       PYTHON has math-verify; without it, only awhost judges
//	go run ./bench/math -pairs pairs.jsonl -list                also prints each wrong verdict
//
// A pair is a JSON line with the task, the answer, the category, and the person's verdict: equal is 1 or 0.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"

	"github.com/awhost/awhost/bench/internal/program"
	mathreward "github.com/awhost/awhost/plugins/math-reward"
	"github.com/awhost/awhost/sdk"
)

//go:embed verify.py
var verifyScript string

func main() { program.Main(run) }

// pair is an answer with the verdict of a person.
type pair struct {
	Category string          `json:"category"`
	Equal    int             `json:"equal"`
	Task     json.RawMessage `json:"task"`
	Answer   string          `json:"answer"`
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("math", flag.ContinueOnError)
	file := flags.String("pairs", "", "`file` with the answer pairs")
	python := flags.String("python", os.Getenv("AWHOST_MATH_PYTHON"), "Python `interpreter` with math-verify")
	list := flags.Bool("list", false, "print each wrong verdict of awhost")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *file == "" {
		return errors.New("no answer pairs: name their file with -pairs")
	}
	text, err := os.ReadFile(*file)
	if err != nil {
		return err
	}
	var pairs []pair
	var request sdk.ScoreRequest
	for line := range bytes.Lines(text) {
		var p pair
		if err := json.Unmarshal(line, &p); err != nil {
			return fmt.Errorf("read %s: %w", *file, err)
		}
		pairs = append(pairs, p)
		request.Items = append(request.Items, sdk.ScoreItem{Task: sdk.Task{Private: p.Task}, FinalAnswer: p.Answer})
	}
	reward, err := mathreward.Plugin().Rewards[0].New(ctx, sdk.Setup{})
	if err != nil {
		return err
	}
	scores, err := reward.Score(ctx, request)
	if err != nil {
		return err
	}
	report("awhost", pairs, *list, func(i int) bool { return scores.Items[i].Score == 1 }) // a failure has no score
	if *python == "" {
		return nil
	}
	command := exec.CommandContext(ctx, *python, "-c", verifyScript)
	command.Stdin, command.Stderr = bytes.NewReader(text), os.Stderr
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("run math-verify: %w", err)
	}
	verdicts := bytes.Split(bytes.TrimSpace(out), []byte("\n")) // after the version
	if len(verdicts) != len(pairs)+1 {
		return fmt.Errorf("run math-verify: it printed %d lines for %d pairs", len(verdicts), len(pairs))
	}
	report("math-verify "+string(verdicts[0]), pairs, false, func(i int) bool { return string(verdicts[i+1]) == "true" })
	return nil
}

// report counts the verdicts by the person's: 0 or 1.
func report(judge string, pairs []pair, list bool, accepts func(i int) bool) {
	var all, wrong [2]int
	for i, p := range pairs {
		all[p.Equal]++
		if accepts(i) != (p.Equal == 1) {
			wrong[p.Equal]++
			if list {
				fmt.Printf("  equal %d: %s %s %s\n", p.Equal, p.Category, p.Task, p.Answer)
			}
		}
	}
	fmt.Printf("%-20s %2d of %d equal pairs refused (%.1f %%), %d of %d others accepted (%.1f %%)\n", judge,
		wrong[1], all[1], 100*float64(wrong[1])/float64(all[1]), wrong[0], all[0], 100*float64(wrong[0])/float64(all[0]))
}
