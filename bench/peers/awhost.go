package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/awhost/awhost/bench/internal/awhost"
)

// prepareAwhost writes the spec of a variant into a directory that all its runs use, and accepts its plugins.
func (s *system) prepareAwhost(ctx context.Context, o options) error {
	command, err := python(ctx, o, "client")
	if err != nil {
		return err
	}
	if len(command) > 1 { // in a root filesystem, where awhost cannot start it
		return fmt.Errorf("%w: awhost needs a Python on this machine, version 3.11 to 3.13", errNotHere)
	}
	interpreter := command[0]
	dir := filepath.Join(o.scratch, "spec-"+s.spec)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	source := filepath.Join(o.root, "bench", "peers", "awhost")
	for _, file := range []string{"base.hcl", s.spec + ".hcl", "agents.py", "rewards.py"} {
		text, err := os.ReadFile(filepath.Join(source, file))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
			return err
		}
	}
	if err := os.CopyFS(filepath.Join(dir, "desk"), os.DirFS(filepath.Join(source, "desk"))); err != nil {
		return err
	}
	if err := writeTasks(filepath.Join(dir, "tasks.jsonl"), o.mostEpisodes()); err != nil {
		return err
	}
	if err := awhost.Init(ctx, o.awhost, dir, ".", "--var", "base_url=http://127.0.0.1", "--var", "python="+interpreter); err != nil {
		return err
	}
	s.command = func(j job) ([]string, error) {
		return []string{
			o.awhost, "eval", dir, "--model", "model.openai.fake", "--samples", "1",
			"--var", "base_url=" + j.engine, "--var", "python=" + interpreter, "--var", fmt.Sprintf("raising=%t", j.raising),
			"--concurrency", strconv.Itoa(j.concurrency), "--limit", strconv.Itoa(j.episodes),
			"--out", filepath.Join(j.dir, "episodes.jsonl"),
		}, nil
	}
	s.read = func(j job, _ []byte) (outcome, error) { return readEpisodes(filepath.Join(j.dir, "episodes.jsonl")) }
	return nil
}

// writeTasks writes the questions that task.py asks, too.
func writeTasks(path string, n int) error {
	var out bytes.Buffer
	for i := range n {
		a, b := i%1000+10, i%7+1
		fmt.Fprintf(&out, `{"id": "%d", "prompt": "Q%d: what is %d + %d? Use the tool.", "ground_truth": "%d"}`+"\n", i, i, a,
			b, a+b)
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// readEpisodes counts the episodes that `awhost eval --out` wrote.
func readEpisodes(path string) (out outcome, err error) {
	file, err := os.Open(path)
	if err != nil {
		return out, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e struct {
			Outcome string
			Reward  *float64
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return out, fmt.Errorf("%s: %w", path, err)
		}
		switch {
		case e.Outcome != "SCORED" || e.Reward == nil:
			out.Failed++
		case *e.Reward == 0:
			out.Zero++
			fallthrough
		default:
			out.Scored++
		}
	}
	return out, lines.Err()
}
