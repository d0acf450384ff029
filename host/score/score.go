// Package score scores answers offline: it reads JSON lines, scores them with a reward plugin, and writes JSON lines in
// the same order.
//
//	err := score.Run(ctx, score.Config{
//		Catalog: c, Type: "gaia", Settings: map[string]string{"compatibility": "reference"}, In: in, Out: out,
//	})
//
// Each input line is {"id", "task": {"ground_truth": …}, "messages": […] or "answer": "…"}. Each output line is {"id",
// "score", "components"} or {"id", "failure"}: an item that cannot be scored does not end the process. A line that is
// not an item does end it: the error names the line, and the results for earlier lines have been written.
//
// The reward receives the same parts of a task as in a run: the ground truth only if it declares the need. Memory is
// limited: items are read, scored and written in batches. The package must not depend on runs or episodes.
package score

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/standalone"
	"github.com/awhost/awhost/sdk"
)

// Config configures the scoring.
type Config struct {
	Catalog  *catalog.Catalog
	Type     string            // of the reward
	Settings map[string]string // its configuration from --set
	PassEnv  []string          // environment variables that the plugin gets in addition to the allow-list
	Guard    []string          // see standalone.Config
	In       io.Reader
	Out      io.Writer
}

// Run scores every line.
func Run(ctx context.Context, c Config) error {
	entry, err := c.Catalog.Resolve(string(sdk.KindReward), c.Type)
	if err != nil {
		return err
	}
	component, _ := entry.Description.Component(sdk.KindReward, c.Type)
	if component.Reward.GroupRelative {
		return fmt.Errorf("reward %q compares the samples of a group, but items are scored separately: use another "+
			"reward", c.Type)
	}
	p, err := standalone.Start(ctx, standalone.Config{
		Catalog: c.Catalog, Kind: sdk.KindReward, Type: c.Type, Settings: c.Settings, PassEnv: c.PassEnv, Guard: c.Guard,
		For: "score",
	})
	if err != nil {
		return err
	}
	defer p.Close()
	s := &scorer{plugin: p, needs: component.Reward.Needs, most: max(1, component.Reward.BatchSize),
		out: bufio.NewWriter(c.Out)}
	return s.lines(ctx, c.In)
}

// The limits of a batch, in addition to those declared by the reward.
const (
	mostItems    = 256
	mostBytes    = 4 << 20 // far below the limit of one message
	maxLineBytes = 64 << 20
)

// scorer scores items in batches.
type scorer struct {
	plugin *standalone.Plugin
	needs  []sdk.Need
	most   int // items per call
	out    *bufio.Writer

	batch []item
	bytes int
}

// lines scores all lines in its input.
func (s *scorer) lines(ctx context.Context, in io.Reader) error {
	reader := lineReader{in: bufio.NewReaderSize(in, 64<<10)}
	for {
		text, err := reader.next()
		if errors.Is(err, io.EOF) {
			return s.flush(ctx)
		}
		var i item
		if err == nil && len(text) > 0 {
			i, err = parse(text)
		}
		if err != nil {
			return errors.Join(s.flush(ctx), fmt.Errorf("line %d: %w", reader.number, err))
		}
		if len(text) == 0 {
			continue
		}
		s.batch, s.bytes = append(s.batch, i), s.bytes+len(text)
		if len(s.batch) >= min(s.most, mostItems) || s.bytes >= mostBytes {
			if err := s.flush(ctx); err != nil {
				return err
			}
		}
	}
}

// flush scores the pending items and writes the results.
func (s *scorer) flush(ctx context.Context) error {
	results, err := s.score(ctx, s.batch)
	if err != nil {
		return err
	}
	for i, scored := range results {
		line, err := event.AppendLine(nil, s.batch[i].result(scored))
		if err == nil {
			_, err = s.out.Write(line)
		}
		if err != nil {
			return fmt.Errorf("write results: %w", err)
		}
	}
	s.batch, s.bytes = s.batch[:0], 0
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}

// callTimeout limits the duration of one call to the reward.
const callTimeout = 10 * time.Minute

// score scores the valid items and returns results in order. If the reward fails a call with several items, each item
// is scored separately, so that one item cannot fail the others.
func (s *scorer) score(ctx context.Context, batch []item) ([]sdk.Scored, error) {
	results := make([]sdk.Scored, len(batch))
	var sound []int
	for i, it := range batch {
		if it.failure != nil {
			results[i].Failure = it.failure
			continue
		}
		sound = append(sound, i)
	}
	if len(sound) == 0 {
		return results, nil
	}
	answers, err := s.call(ctx, batch, sound)
	if err == nil {
		for n, i := range sound {
			results[i] = answers[n]
		}
		return results, nil
	}
	for _, i := range sound {
		if answers, err = s.call(ctx, batch, []int{i}); err != nil {
			failure, fatal := failureOf(ctx, err)
			if fatal != nil {
				return nil, fatal
			}
			answers = []sdk.Scored{{Failure: failure}}
		}
		results[i] = answers[0]
	}
	return results, nil
}

func (s *scorer) call(ctx context.Context, batch []item, chosen []int) ([]sdk.Scored, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var req sdk.ScoreRequest
	for n, i := range chosen {
		req.Items = append(req.Items, batch[i].forReward(n, s.needs))
	}
	answer, err := s.plugin.Reward().Score(ctx, req)
	if err != nil {
		return nil, s.plugin.Explain(err)
	}
	return answer.Items, nil
}

// failureOf converts an error about one item into a failure, or returns the error if scoring cannot continue.
func failureOf(ctx context.Context, err error) (*sdk.Failure, error) {
	if ctx.Err() != nil || errors.Is(err, sdk.ErrUnavailable) {
		return nil, err
	}
	return sdk.RewardFailure(err), nil
}

func needs(all []sdk.Need, need sdk.Need) bool { return slices.Contains(all, need) }
