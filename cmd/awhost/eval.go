package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
)

func newEval(a *app) *cobra.Command {
	var flags specFlags
	var model modelFlags
	var o evalOptions
	cmd := &cobra.Command{
		Use:   "eval [spec]",
		Short: "Measure a checkpoint or a served model: success, pass@k, rewards",
		Long: `Play the validation tasks of a spec, or the tasks of another dataset, with the spec's agent, environment, and
rewards. The policy is a checkpoint of a run, or a model of any OpenAI-compatible server. Failed episodes count as
unsolved.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := defaultSpec
			if len(args) > 0 {
				path = args[0]
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop() // Ctrl-C also ends the plugins
			p, err := a.prepare(ctx, path, flags, model, plan.Evaluation{Dataset: o.dataset})
			if err != nil {
				return err
			}
			defer p.close()
			return a.eval(ctx, p, o)
		},
	}
	flags.register(cmd)
	model.register(cmd)
	cmd.Flags().StringVar(&o.dataset, "dataset", "validation", "dataset of the tasks: `dataset.TYPE.NAME`, "+
		"validation, or train")
	cmd.Flags().IntVar(&o.samples, "samples", 0, "number of samples of each task: `k`; default: as in the "+
		"spec's validation")
	cmd.Flags().IntVar(&o.limit, "limit", 0, "play only the first `n` tasks")
	cmd.Flags().IntVar(&o.concurrency, "concurrency", 0, "number of concurrent episodes: `n`; default: the spec's")
	cmd.Flags().StringToStringVar(&o.failUnder, "fail-under", nil, "exit with 19 if a result is lower: "+
		"`success=0.9`, reward=0.5, pass@4=0.9")
	cmd.Flags().StringVar(&o.out, "out", "", "write every episode to a `file`, one JSON object per line")
	return cmd
}

type evalOptions struct {
	dataset, out                string
	samples, limit, concurrency int
	failUnder                   map[string]string
}

func (o evalOptions) check() error {
	for name, n := range map[string]int{"samples": o.samples, "limit": o.limit, "concurrency": o.concurrency} {
		if n < 0 {
			return fmt.Errorf("--%s %d: want a number above 0", name, n)
		}
	}
	for name, least := range o.failUnder {
		if n, err := strconv.ParseFloat(least, 64); err != nil || math.IsNaN(n) {
			return fmt.Errorf("--fail-under %s=%s: want a number, such as 0.9", name, least)
		}
		if k, isPass := strings.CutPrefix(name, "pass@"); isPass {
			if n, err := strconv.Atoi(k); err == nil && n > 0 {
				continue
			}
		}
		if name != "success" && name != "reward" {
			return fmt.Errorf("--fail-under %s=%s: want success, reward, or pass@k, such as pass@4", name, least)
		}
	}
	return nil
}

// tooLow returns an error about the results that are lower than --fail-under allows, or nil.
func (o evalOptions) tooLow(r *eval.Report) error {
	var low []error
	for _, name := range slices.Sorted(maps.Keys(o.failUnder)) {
		least, _ := strconv.ParseFloat(o.failUnder[name], 64) // checked
		var value *eval.Interval
		switch name {
		case "success":
			value = r.Success
		case "reward":
			value = r.Reward
		default:
			if k, _ := strconv.Atoi(strings.TrimPrefix(name, "pass@")); k <= len(r.PassAt) {
				value = &r.PassAt[k-1]
			}
		}
		if value == nil {
			low = append(low, fmt.Errorf("--fail-under %s: the evaluation has no such result", name))
		} else if value.Value < least {
			low = append(low, fmt.Errorf("%s is %.4g, and --fail-under requires %s", name, value.Value, o.failUnder[name]))
		}
	}
	return errors.Join(low...)
}

func (a *app) eval(ctx context.Context, p *prepared, o evalOptions) error {
	if err := o.check(); err != nil {
		return exit(run.ExitUsage, err)
	}
	c := p.config
	c.Samples, c.Limit, c.Concurrency = o.samples, o.limit, o.concurrency
	progress := a.status()
	c.Progress = func(done, total int) { progress.Show(fmt.Sprintf("%d of %d episodes", done, total)) }
	if o.out != "" {
		file, err := os.Create(o.out)
		if err != nil {
			return exit(run.ExitUsage, err)
		}
		defer file.Close()
		c.Episode = writeEpisodes(file)
	}
	adaptTo(c.Concurrency)
	report, err := eval.Run(ctx, c)
	progress.Clear()
	if err != nil {
		return measured(ctx, err)
	}
	if err := a.show(result.EvaluationOf(*report, p.source)); err != nil {
		return err
	}
	if report.Failed == report.Episodes {
		return exit(run.ExitFailed, errors.New("every episode failed: no results"))
	}
	if err := o.tooLow(report); err != nil {
		return exit(run.ExitExpectation, err)
	}
	return nil
}

// writeEpisodes writes episodes as JSON lines.
func writeEpisodes(out io.Writer) func(*rollout.EpisodeRecord) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return func(r *rollout.EpisodeRecord) error {
		return encoder.Encode(result.Evaluated{Type: "evaluated", Episode: eval.Describe(r)})
	}
}

// pluginLine prints plugin logs to standard error: at level info and above, or only warnings and errors with --json.
func (a *app) pluginLine() func(level, source, message string, fields map[string]string) {
	var mu sync.Mutex
	status := a.status()
	return func(level, source, message string, fields map[string]string) {
		if a.json && level == "info" {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			message += fmt.Sprintf(" %s=%s", name, fields[name])
		}
		mu.Lock()
		defer mu.Unlock()
		for _, line := range text.CleanLines(message) {
			status.Above(text.Join("  ", level, source, line))
		}
	}
}
