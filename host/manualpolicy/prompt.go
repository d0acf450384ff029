package manualpolicy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// Console reads a user's input.
type Console interface {
	// ReadLine returns a line, or io.EOF at the end of the input. complete completes a word.
	ReadLine(prompt string, complete func(line string) string) (string, error)
}

// Prompt runs an episode with a user. It returns when the episode ends or the user leaves.
func Prompt(ctx context.Context, c Config, console Console, out *text.Printer) error {
	e, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer e.close()
	p := &prompt{episode: e, consoleInput: consoleInput{
		out: out, console: console, currentTools: func() []sdk.Tool { return e.tools },
		commands: []string{"/help", "/quit", "/state", "/tools"},
	}}
	p.printHeader(c)
	if err := p.converse(ctx); err != nil {
		return err
	}
	ended, err := e.finish(ctx)
	if ended != nil && ended.closed != nil {
		p.printResult(c.Reward, ended)
	}
	return errors.Join(err, out.Err())
}

type prompt struct {
	*episode
	consoleInput
}

func (p *prompt) printHeader(c Config) {
	p.out.Heading(c.Type)
	facts := []text.Pair{{Key: "seed", Value: fmt.Sprint(c.Seed)}}
	if p.task.ID != "none" {
		facts = append(facts, text.Pair{Key: "task", Value: text.Clean(p.task.ID)})
	}
	if p.opened.MaxTurns > 0 {
		facts = append(facts, text.Pair{Key: "at most", Value: text.Plural(p.opened.MaxTurns, "message")})
	}
	p.out.Pairs(facts...)
	p.showTools(false)
	p.out.Blank()
	p.showMessages(p.first)
	p.out.Line(p.out.Styles.Dim("You are the assistant. /help explains how to play."))
}

// converse processes the user's input until the episode has ended.
func (p *prompt) converse(ctx context.Context) error {
	for p.over == "" {
		line, err := readContext(ctx, func() (string, error) { return p.console.ReadLine("you> ", p.complete) })
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := p.take(ctx, strings.TrimSpace(line)); err != nil {
			return err
		}
	}
	return nil
}

func (p *prompt) take(ctx context.Context, line string) error {
	switch {
	case line == "":
		return nil
	case strings.HasPrefix(line, "/"):
		return p.command(ctx, line)
	}
	message, err := p.read(line)
	if err != nil {
		p.printLabeled(p.out.Styles.Warn, "not sent", err.Error())
		return nil
	}
	answer, err := p.say(ctx, message)
	if err != nil {
		return err
	}
	p.showAnswer(answer)
	return nil
}

func (p *prompt) command(ctx context.Context, line string) error {
	switch strings.Fields(line)[0] {
	case "/quit", "/exit":
		p.over = overLeft
	case "/tools":
		p.showTools(true)
	case "/state":
		return p.showState(ctx)
	case "/help":
		p.help()
	default:
		p.out.Line(p.out.Styles.Warn("unknown command " + text.Clean(strings.Fields(line)[0]) + ": see /help"))
	}
	return nil
}

func (p *prompt) help() {
	p.out.Pairs(
		text.Pair{Key: "some words", Value: "are said to the environment, as the assistant"},
		text.Pair{Key: `tool {"arg": 1}`, Value: "calls a tool; Tab finds its name"},
		text.Pair{Key: "{…}", Value: "a whole message as JSON, for several calls at once"},
		text.Pair{Key: "/tools", Value: "the tools and their parameters"},
		text.Pair{Key: "/state", Value: "the state of the environment, as rewards see it"},
		text.Pair{Key: "/quit", Value: "ends the episode, as Ctrl-D does"},
	)
}

func (p *prompt) showAnswer(answer *sdk.StepResponse) {
	p.showMessages(answer.Messages)
	var notes []string
	if answer.TurnReward != nil {
		notes = append(notes, "turn reward "+number(*answer.TurnReward))
	}
	notes = append(notes, numbers(answer.Metrics)...)
	if len(notes) > 0 {
		p.out.Line(p.out.Styles.Dim(strings.Join(notes, " · ")))
	}
	if answer.ToolsChanged {
		p.out.Line(p.out.Styles.Warn("the tools have changed"))
		p.showTools(false)
	}
	if p.over == "" && len(answer.Messages) == 0 {
		p.out.Line(p.out.Styles.Dim("the environment sends no message and continues"))
	}
}

func numbers(metrics map[string]float64) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		out = append(out, text.Clean(name)+" "+number(metrics[name]))
	}
	return out
}

// number formats integers without decimals.
func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e6 {
		return strconv.Itoa(int(x))
	}
	return text.Number(x)
}

func (p *prompt) showState(ctx context.Context) error {
	state, err := p.state(ctx)
	if err != nil {
		return err
	}
	if state == nil {
		p.out.Line("the environment does not show its state")
		return nil
	}
	p.showJSON(state)
	return nil
}

func (p *prompt) showJSON(value json.RawMessage) {
	indented, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		indented = value
	}
	p.out.Lines(strings.Split(string(indented), "\n"))
}

// printResult prints the result of the episode.
func (p *prompt) printResult(reward string, ended *end) {
	p.out.Blank()
	p.out.Line(p.out.Styles.Title(headline(p.over)) + " after " + text.Plural(p.turns, "message"))
	pairs := []text.Pair{{Key: "metrics", Value: strings.Join(numbers(ended.closed.Metrics), " · ")}}
	if len(p.rewards) > 0 {
		total := 0.0
		for _, reward := range p.rewards {
			total += reward
		}
		pairs = append(pairs, text.Pair{Key: "turn rewards", Value: number(total) + " in all"})
	}
	pairs = append(pairs, text.Pair{Key: "state digest", Value: text.Clean(ended.closed.StateDigest)})
	if s := ended.scored; s != nil && s.Failure == nil {
		pairs = append(pairs,
			text.Pair{Key: "reward " + reward, Value: p.out.Styles.Accent(number(s.Score)) + solved(s)},
			text.Pair{Key: "components", Value: strings.Join(numbers(s.Components), " · ")})
		for _, name := range slices.Sorted(maps.Keys(s.Notes)) {
			pairs = append(pairs, text.Pair{Key: "  " + text.Clean(name), Value: text.Clean(s.Notes[name])})
		}
	}
	p.out.Pairs(pairs...)
	if s := ended.scored; s != nil && s.Failure != nil {
		p.printLabeled(p.out.Styles.Bad, reward+" gives no score", string(s.Failure.Class)+": "+s.Failure.Detail)
	}
}

func solved(s *sdk.Scored) string {
	switch {
	case s.IsSuccess == nil:
		return ""
	case *s.IsSuccess:
		return ", solved"
	}
	return ", not solved"
}

func headline(over string) string {
	switch over {
	case overTruncated:
		return "cut off by a limit of the environment"
	case overMaxTurns:
		return "over: the environment takes no more messages,"
	case overLeft:
		return "left"
	}
	return "done"
}
