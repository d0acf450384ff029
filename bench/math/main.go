// Command math compares the verdicts of reward "math" on answer pairs with the verdicts of a person and of math-verify.
//
//	go run ./bench/math -pairs pairs.jsonl -python PYTHON       PYTHON has math-verify; without it, only awhost judges
//	go run ./bench/math -pairs pairs.jsonl -list                also prints each wrong verdict
//
// A pair is a JSON line with the task, the answer, the category, and the person's verdict: equal is 1 or 0.
package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
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
	text, err := os.ReadFile(*file)
	if err != nil {
		return err
	}
	var pairs []pair
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		var p pair
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("read %s: %w", *file, err)
		}
		pairs = append(pairs, p)
	}
	own, err := judge(ctx, pairs)
	if err != nil {
		return err
	}
	report("awhost", pairs, own, *list)
	if *python == "" {
		return nil
	}
	theirs, version, err := verify(ctx, *python, text)
	if err != nil {
		return err
	}
	report("math-verify "+version, pairs, theirs, false)
	return nil
}

// judge returns the verdicts of reward "math". A failed item is not a correct answer.
func judge(ctx context.Context, pairs []pair) ([]bool, error) {
	reward, err := mathreward.Plugin().Rewards[0].New(ctx, sdk.Setup{})
	if err != nil {
		return nil, err
	}
	var request sdk.ScoreRequest
	for _, p := range pairs {
		item := sdk.ScoreItem{Task: sdk.Task{Private: p.Task}, FinalAnswer: p.Answer}
		request.Items = append(request.Items, item)
	}
	scores, err := reward.Score(ctx, request)
	if err != nil {
		return nil, err
	}
	var verdicts []bool
	for _, s := range scores.Items {
		verdicts = append(verdicts, s.Failure == nil && s.Score == 1)
	}
	return verdicts, nil
}

// verify returns the verdicts of math-verify, and its version.
func verify(ctx context.Context, python string, pairs []byte) (verdicts []bool, version string, err error) {
	command := exec.CommandContext(ctx, python, "-c", verifyScript)
	command.Stdin, command.Stderr = bytes.NewReader(pairs), io.Discard // it logs each time-out
	out, err := command.Output()
	if err != nil {
		return nil, "", fmt.Errorf("run math-verify: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Scan()
	if err := json.Unmarshal(lines.Bytes(), &version); err != nil {
		return nil, "", err
	}
	for lines.Scan() {
		verdicts = append(verdicts, lines.Text() == "true")
	}
	return verdicts, version, nil
}

func report(judge string, pairs []pair, verdicts []bool, list bool) {
	var equal, different, refused, accepted int
	for i, p := range pairs {
		switch {
		case p.Equal == 1 && !verdicts[i]:
			refused++
		case p.Equal == 0 && verdicts[i]:
			accepted++
		}
		if p.Equal == 1 {
			equal++
		} else {
			different++
		}
		if list && verdicts[i] != (p.Equal == 1) {
			fmt.Printf("  equal %d: %s %s %s\n", p.Equal, p.Category, p.Task, p.Answer)
		}
	}
	fmt.Printf("%-20s %2d of %d equal pairs refused (%.1f %%), %d of %d others accepted (%.1f %%)\n", judge,
		refused, equal, 100*float64(refused)/float64(equal), accepted, different, 100*float64(accepted)/float64(different))
}
