// Package score judges answers offline: lines of JSON go in, a reward plugin scores them, lines of JSON come out, in
// order.
//
//	err := score.Run(ctx, score.Config{Catalog: c, Type: "gaia", Settings: map[string]string{"compatibility": "reference"}, In: in, Out: out})
//
// Memory is bounded: items are read, scored and written in batches. The package must not know runs or episodes.
package score

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"time"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
	"github.com/awhost/awhost/sdk/schema"
)

// Config says what to score with what.
type Config struct {
	Catalog  *catalog.Catalog
	Type     string            // of the reward
	Settings map[string]string // its configuration; values are JSON, or text where they are none
	In       io.Reader
	Out      io.Writer
}

// item is one line of input.
type item struct {
	ID       json.RawMessage `json:"id"`
	Task     json.RawMessage `json:"task"`
	Messages []sdk.Message   `json:"messages"`
	Answer   *string         `json:"answer"`
}

// result is one line of output.
type result struct {
	ID         json.RawMessage    `json:"id"`
	Score      *float64           `json:"score,omitempty"`
	Components map[string]float64 `json:"components,omitempty"`
	IsSuccess  *bool              `json:"is_success,omitempty"`
	Failure    *sdk.Failure       `json:"failure,omitempty"`
}

const (
	batchSize     = 256
	maxLineBytes  = 64 << 20
	batchTimeout  = 10 * time.Minute
	configTimeout = 60 * time.Second
)

// Run scores every line. An error names the line that cannot be read; the results of the lines before it have been
// written.
func Run(ctx context.Context, c Config) error {
	entry, err := c.Catalog.Resolve("reward", c.Type)
	if err != nil {
		return err
	}
	component, _ := entry.Description.Component(sdk.KindReward, c.Type)
	config, err := component.Schema.Complete(settings(c.Settings, component.Schema))
	if err != nil {
		return fmt.Errorf("reward %q: %w", c.Type, err)
	}
	sockets, err := process.NewSocketDir()
	if err != nil {
		return err
	}
	defer process.RemoveSocketDir(sockets)
	authority, err := mtls.NewAuthority()
	if err != nil {
		return err
	}
	p, err := client.Start(ctx, client.Config{
		Name: "reward." + c.Type, Command: entry.Command, Authority: authority, SocketDir: sockets, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	defer p.Kill()
	if err := configure(ctx, p, c.Type, config); err != nil {
		return err
	}
	return scoreLines(ctx, c, p)
}

// settings reads the values of --set: as JSON where the attribute is no string.
func settings(given map[string]string, block schema.Block) json.RawMessage {
	out := map[string]json.RawMessage{}
	for key, value := range given {
		out[key] = json.RawMessage(strconv.Quote(value))
		if quoted, err := json.Marshal(value); err == nil {
			out[key] = quoted
		}
		for _, a := range block.Attributes {
			if a.Name == key && a.Type != schema.TypeString && json.Valid([]byte(value)) {
				out[key] = json.RawMessage(value)
			}
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil // values are valid JSON by construction
	}
	return text
}

func configure(ctx context.Context, p *client.Plugin, typ string, config json.RawMessage) error {
	ctx, cancel := context.WithTimeout(ctx, configTimeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "awhost-score")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	problems, err := p.ValidateConfig(ctx, sdk.KindReward, typ, config, nil)
	if err == nil && !hasError(problems) {
		problems, err = p.Configure(ctx, sdk.ConfigureRequest{Kind: sdk.KindReward, Type: typ, Config: config, RunID: "score", Incarnation: 1, Dir: dir})
	}
	if err != nil {
		return fmt.Errorf("configure reward %q: %w", typ, p.Explain(err))
	}
	for _, d := range problems {
		if d.Severity == sdk.SeverityError {
			return fmt.Errorf("reward %q: %s: %s", typ, d.Summary, d.Detail)
		}
	}
	return nil
}

func hasError(problems []sdk.Diagnostic) bool {
	for _, d := range problems {
		if d.Severity == sdk.SeverityError {
			return true
		}
	}
	return false
}

func scoreLines(ctx context.Context, c Config, p *client.Plugin) error {
	lines := bufio.NewScanner(c.In)
	lines.Buffer(make([]byte, 64<<10), maxLineBytes)
	out := bufio.NewWriter(c.Out)
	var batch []item
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := scoreBatch(ctx, p, batch, out); err != nil {
			return err
		}
		batch = batch[:0]
		return out.Flush()
	}
	number := 0
	for lines.Scan() {
		number++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		i, err := parse(text)
		if err != nil {
			return errors.Join(flush(), fmt.Errorf("line %d: %w", number, err))
		}
		if batch = append(batch, i); len(batch) == batchSize {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return errors.Join(flush(), fmt.Errorf("line %d: %w", number+1, err))
	}
	return flush()
}

func parse(text []byte) (item, error) {
	var i item
	if err := json.Unmarshal(text, &i); err != nil {
		return i, fmt.Errorf("it is no item: %w: want {\"id\": …, \"task\": {\"ground_truth\": …}, \"messages\": […] or \"answer\": \"…\"}", err)
	}
	if i.Messages == nil && i.Answer == nil {
		return i, errors.New("it has neither messages nor answer: add one of them")
	}
	if i.Messages != nil && i.Answer != nil {
		return i, errors.New("it has messages and answer: which text is meant? leave one out")
	}
	return i, nil
}

func scoreBatch(ctx context.Context, p *client.Plugin, batch []item, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	req := sdk.ScoreRequest{}
	for n, i := range batch {
		scored := sdk.ScoreItem{EpisodeID: fmt.Sprintf("offline-%d", n), Messages: i.Messages, Task: sdk.Task{ID: string(i.ID), Public: json.RawMessage("{}"), Private: i.Task}}
		if len(i.Task) > 0 {
			scored.Task.Public = i.Task // offline the whole task is the user's own; rewards may read the prompt from it
		}
		if i.Answer != nil {
			scored.FinalAnswer = *i.Answer
		} else if n := len(i.Messages); n > 0 {
			scored.FinalAnswer = i.Messages[n-1].Content
		}
		req.Items = append(req.Items, scored)
	}
	answer, err := p.Reward().Score(ctx, req)
	if err != nil {
		return p.Explain(err)
	}
	encoder := json.NewEncoder(out)
	for n, s := range answer.Items {
		r := result{ID: batch[n].ID, Failure: s.Failure}
		if r.ID == nil {
			r.ID = json.RawMessage("null")
		}
		if s.Failure == nil {
			r.Score, r.Components, r.IsSuccess = &s.Score, s.Components, s.IsSuccess
		}
		if err := encoder.Encode(r); err != nil {
			return fmt.Errorf("write results: %w", err)
		}
	}
	return nil
}
