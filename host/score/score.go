// Package score judges answers offline: lines of JSON go in, a reward plugin scores them, lines of JSON come out, in
// order.
//
//	err := score.Run(ctx, score.Config{Catalog: c, Type: "gaia", Settings: map[string]string{"compatibility": "reference"}, In: in, Out: out})
//
// One {"id", "task": {"ground_truth": …}, "messages": […] or "answer": "…"} per line goes in. Out comes one {"id",
// "score", "components"} or {"id", "failure"}: an item that cannot be judged ends nothing. A line that is no item does:
// its error names it, and the results of the lines before it have been written.
//
// The reward sees of a task what it sees in a run: the answer only where it declares that it needs it. Memory is bounded:
// items are read, scored and written in batches. The package must not know runs or episodes.
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
	"github.com/awhost/awhost/host/solo"
	"github.com/awhost/awhost/sdk"
)

// Config says what to score with what.
type Config struct {
	Catalog  *catalog.Catalog
	Type     string            // of the reward
	Settings map[string]string // its configuration, as --set gives it
	PassEnv  []string          // environment variables that the plugin gets beside the allow-list
	Guard    []string          // see solo.Config
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
		return fmt.Errorf("reward %q compares the samples of a group, and here every item stands alone: score with another reward", c.Type)
	}
	p, err := solo.Start(ctx, solo.Config{
		Catalog: c.Catalog, Kind: sdk.KindReward, Type: c.Type, Settings: c.Settings, PassEnv: c.PassEnv, Guard: c.Guard, For: "score",
	})
	if err != nil {
		return err
	}
	defer p.Close()
	s := &scorer{plugin: p, needs: component.Reward.Needs, most: max(1, component.Reward.BatchSize), out: bufio.NewWriter(c.Out)}
	return s.lines(ctx, c.In)
}

// The bounds of a batch, beside what the reward declares.
const (
	mostItems    = 256
	mostBytes    = 4 << 20 // far below what one message may hold
	maxLineBytes = 64 << 20
)

// scorer scores items in batches.
type scorer struct {
	plugin *solo.Plugin
	needs  []sdk.Need
	most   int // items per call
	out    *bufio.Writer

	batch []item
	bytes int
}

// lines scores what it reads, to the end.
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

// flush scores and writes what has been read.
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

// callTimeout bounds one call of the reward.
const callTimeout = 10 * time.Minute

// score judges items that can be judged, and answers in order. Where the reward fails a call of several, each is asked
// about alone, so that one item cannot take the others along.
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

// failureOf makes a failure of an error about one item, or says that the scoring cannot go on.
func failureOf(ctx context.Context, err error) (*sdk.Failure, error) {
	var failure *sdk.Failure
	switch {
	case ctx.Err() != nil, errors.Is(err, sdk.ErrUnavailable):
		return nil, err
	case errors.As(err, &failure):
		return failure, nil
	}
	return &sdk.Failure{Class: sdk.FailureReward, Detail: err.Error()}, nil
}

func needs(all []sdk.Need, need sdk.Need) bool { return slices.Contains(all, need) }
