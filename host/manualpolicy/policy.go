package manualpolicy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// Turn requests a message from an agent, as a line of output.
type Turn struct {
	Type   string `json:"type"`
	Turn   int    `json:"turn" jsonschema:"minimum=1"` // over all members
	Member string `json:"member"`                      // the agent: "react.solver"
	// The conversation, omitting messages that the member received in earlier turns.
	Conversation string        `json:"conversation"`
	Messages     []sdk.Message `json:"messages"` // new messages
	Tools        []sdk.Tool    `json:"tools"`
}

// Policy lets a user or a program replace the policy, for one agent or for all members of a swarm, one at a time:
//
//	policy := manualpolicy.NewLinePolicy(in, out)
//	record, _, err := eval.Ask(ctx, eval.Config{Plan: p, Player: policy}, task)
//	err = policy.Err() // the error of the answers
//
// It is a rollout.Generator.
type Policy struct {
	read func(ctx context.Context, turn Turn) (sdk.Message, error)

	mu            sync.Mutex
	turns         int
	conversations int
	left          bool
	err           error
}

// NewLinePolicy uses a program: it writes a Turn and reads an assistant message, each as a line of JSON.
func NewLinePolicy(in io.Reader, out io.Writer) *Policy {
	reader, w := lineReader{in: bufio.NewReaderSize(in, 64<<10)}, writer{out}
	return &Policy{read: func(ctx context.Context, turn Turn) (sdk.Message, error) {
		if err := w.write(turn); err != nil {
			return sdk.Message{}, err
		}
		line, err := readContext(ctx, reader.next)
		var message sdk.Message
		if err == nil {
			message, err = parseMessage(line)
		}
		if err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
			err = &InputError{reader.number, err}
		}
		return message, err
	}}
}

// NewConsolePolicy uses a user at a console.
func NewConsolePolicy(console Console, out *text.Printer) *Policy {
	p := &consolePolicy{consoleInput: consoleInput{
		out: out, console: console, commands: []string{"/help", "/quit", "/tools"},
	}}
	p.currentTools = func() []sdk.Tool { return p.turn.Tools }
	return &Policy{read: p.take}
}

// Err returns the reason why the player stopped responding, or nil if it did not stop or has left.
func (p *Policy) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Left reports whether the player left before the episode ended.
func (p *Policy) Left() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left
}

// Generate requests a message from the player. After the input ends, conversations end as if the context were full:
// earlier messages are kept.
func (p *Policy) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	contextFull := &sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "the player left"}
	if p.left {
		return nil, contextFull
	}
	chain := req.Chain
	if chain == "" {
		p.conversations++
		chain = fmt.Sprintf("%s-%d", req.Agent, p.conversations)
	}
	message, err := p.read(ctx, Turn{
		Type: "turn", Turn: p.turns + 1, Member: req.Agent, Conversation: chain,
		Messages: list(req.Messages), Tools: list(req.Tools),
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		p.left = true
		if !errors.Is(err, io.EOF) {
			p.err = err
		}
		return nil, contextFull
	}
	p.turns++
	nameCalls(&message, p.turns)
	finish := sdk.FinishStop
	if len(message.ToolCalls) > 0 {
		finish = sdk.FinishToolCalls
	}
	return &sdk.GenerateResponse{
		Message: message, Finish: finish, Chain: chain, ChainLength: req.Base + len(req.Messages) + 1,
	}, nil
}

// consolePolicy is a user at a console.
type consolePolicy struct {
	consoleInput
	turn   Turn
	last   string            // the last agent
	toolOf map[string]string // the tools last shown to each member, by its name
}

// take shows a member's messages and reads its response. It returns io.EOF if the user leaves.
func (p *consolePolicy) take(ctx context.Context, turn Turn) (sdk.Message, error) {
	p.turn = turn
	p.printHeader()
	p.showMessages(turn.Messages)
	for {
		line, err := readContext(ctx, func() (string, error) { return p.console.ReadLine(p.name()+"> ", p.complete) })
		if err != nil {
			return sdk.Message{}, err
		}
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case line == "/quit" || line == "/exit":
			return sdk.Message{}, io.EOF
		case strings.HasPrefix(line, "/"):
			p.command(strings.Fields(line)[0])
			continue
		}
		message, err := p.consoleInput.read(line)
		if err == nil {
			return message, nil
		}
		p.printLabeled(p.out.Styles.Warn, "not sent", err.Error())
	}
}

// name returns the name of the member's block without terminal control characters.
func (p *consolePolicy) name() string { return text.Clean(p.turn.Member) }

// printHeader prints the current member and its tools if they have changed.
func (p *consolePolicy) printHeader() {
	if p.last != p.turn.Member {
		p.out.Blank()
		p.out.Heading("You are " + p.name())
		p.last = p.turn.Member
	}
	if p.toolOf == nil {
		p.toolOf = map[string]string{}
		p.out.Line(p.out.Styles.Dim("You answer instead of the policy. /help explains how."))
	}
	var names []string
	for _, tool := range p.turn.Tools {
		names = append(names, tool.Name)
	}
	if now := strings.Join(names, " "); now != p.toolOf[p.turn.Member] {
		p.toolOf[p.turn.Member] = now
		p.showTools(false)
		p.out.Blank()
	}
}

func (p *consolePolicy) command(name string) {
	switch name {
	case "/tools":
		p.showTools(true)
	case "/help":
		p.out.Pairs(
			text.Pair{Key: "some words", Value: "are the member's answer, or what it says before the next turn"},
			text.Pair{Key: `tool {"arg": 1}`, Value: "calls a tool, or another member; Tab finds its name"},
			text.Pair{Key: "{…}", Value: "a whole message as JSON, for several calls at once"},
			text.Pair{Key: "/tools", Value: "the tools and their parameters"},
			text.Pair{Key: "/quit", Value: "ends the episode, as Ctrl-D does"},
		)
	default:
		p.out.Line(p.out.Styles.Warn("unknown command " + text.Clean(name) + ": see /help"))
	}
}
