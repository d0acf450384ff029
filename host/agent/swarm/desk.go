package swarm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/sdk"
)

// memberModel is a member's view of the model.
type memberModel struct {
	episode *episodeRun
	run     *run
}

// Generate implements agent.Model.
func (v *memberModel) Generate(ctx context.Context, request agent.Request) (*agent.Reply, error) {
	if err := v.episode.turn(v.run.player); err != nil {
		return nil, err
	}
	reply, err := v.episode.episode.Model.Generate(ctx, request)
	if err == nil && !v.run.player.Concurrent {
		v.episode.setLength(v.run, v.run.seen+len(request.Messages)+1)
	}
	return reply, err
}

// turn counts an assistant message. The environment's limit applies to the messages that it receives. Messages between
// members do not count as its turns.
func (p *episodeRun) turn(who *player) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	detail, by := "", &agent.Limit{}
	switch most := p.settings.MaxTurns; {
	case most > 0 && p.turns >= most:
		detail = fmt.Sprintf("the swarm has its %d assistant messages", most)
		by = &agent.Limit{Name: agent.LimitMaxTurns, Value: most, Of: "swarm." + p.settings.Name}
	case who.Acts && p.most > 0 && p.steps >= p.most:
		detail = fmt.Sprintf("the environment has its %d messages", p.most)
		by = &agent.Limit{Name: agent.LimitEnvironmentTurns, Value: p.most}
	default:
		p.turns++
		return nil
	}
	p.limit, p.by = agent.FinishMaxTurns, by
	return &sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: detail}
}

// setLength records that a conversation has grown to the given length; math.MaxInt means the entire conversation.
func (p *episodeRun) setLength(r *run, messages int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.seen = messages
	p.parts = append(p.parts, part{r, messages, p.depth})
}

// memberEnvironment is a member's view of the environment, with the other members among its tools.
type memberEnvironment struct {
	episode *episodeRun
	run     *run
	opening []sdk.Message
}

// Opened implements agent.Session.
func (d *memberEnvironment) Opened() *sdk.OpenResponse {
	out := &sdk.OpenResponse{}
	if environment := d.environment(); environment != nil {
		*out = *environment.Opened()
		out.MaxTurns = 0 // counted for all members
	}
	out.Messages, out.Tools = d.opening, d.tools()
	return out
}

// environment returns the episode's environment if the member acts in it, and nil otherwise.
func (d *memberEnvironment) environment() agent.Session {
	if !d.run.player.Acts {
		return nil
	}
	return d.episode.episode.Environment
}

// tools returns the environment's tools and the other members.
func (d *memberEnvironment) tools() []sdk.Tool {
	var tools []sdk.Tool
	if d.environment() != nil {
		d.episode.mu.Lock()
		tools = slices.Clone(d.episode.tools)
		d.episode.mu.Unlock()
	}
	for _, name := range d.run.player.Neighbours {
		tools = append(tools, toolOf(d.episode.members[name]))
	}
	return tools
}

// toolOf returns the tool that the other members use to call a member: its name and its description, as in AWorld.
func toolOf(m *Member) sdk.Tool {
	return sdk.Tool{Name: m.Name, Description: m.Description, Parameters: json.RawMessage(
		`{"type":"object","properties":{"content":{"type":"string","description":"What you tell ` + m.Name +
			`."}},"required":["content"],"additionalProperties":false}`)}
}

// Step implements agent.Session.
func (d *memberEnvironment) Step(ctx context.Context, callID string, message sdk.Message) (*sdk.StepResponse, error) {
	if len(message.ToolCalls) == 0 {
		return d.answered(ctx, callID, message)
	}
	var own, others []sdk.ToolCall
	for _, call := range message.ToolCalls {
		if slices.Contains(d.run.player.Neighbours, call.Name) {
			others = append(others, call)
		} else {
			own = append(own, call)
		}
	}
	out := &sdk.StepResponse{}
	if len(own) > 0 {
		acts := message
		acts.ToolCalls = own
		var err error
		if out, err = d.act(ctx, callID, acts); err != nil || out.Done || out.Truncated {
			return out, err
		}
	}
	replies := map[string]sdk.Message{}
	for i, call := range others {
		reply, err := d.ask(ctx, call, i)
		if errors.Is(err, errEnded) {
			return &sdk.StepResponse{Messages: out.Messages, Done: true}, nil
		}
		if err != nil {
			return nil, err
		}
		replies[call.ID] = *reply
	}
	out.Messages = inOrder(message.ToolCalls, out.Messages, replies)
	return out, nil
}

// act lets the environment execute calls.
func (d *memberEnvironment) act(ctx context.Context, callID string, message sdk.Message) (*sdk.StepResponse, error) {
	environment := d.environment()
	if environment == nil {
		out := &sdk.StepResponse{}
		for _, call := range message.ToolCalls {
			out.Messages = append(out.Messages, d.unknown(call))
		}
		return out, nil
	}
	step, err := environment.Step(ctx, callID, message)
	if err != nil {
		return nil, err
	}
	out := *step
	d.episode.mu.Lock()
	d.episode.steps++
	d.episode.ended = d.episode.ended || out.Done || out.Truncated
	if out.ToolsChanged {
		d.episode.tools = out.Tools
	}
	d.episode.mu.Unlock()
	if out.ToolsChanged {
		out.Tools = d.tools()
	}
	return &out, nil
}

func (d *memberEnvironment) unknown(call sdk.ToolCall) sdk.Message {
	content := fmt.Sprintf("there is no tool %.80q", call.Name)
	if names := d.run.player.Neighbours; len(names) > 0 {
		content += ": use one of " + strings.Join(names, ", ")
	}
	return failed(call, content)
}

func failed(call sdk.ToolCall, content string) sdk.Message {
	return sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name, Content: content, IsError: true}
}

// errEnded ends a waiting member when the swarm has ended.
var errEnded = errors.New("the swarm has ended")

// ask calls another member. In a handoff, control passes to one member.
func (d *memberEnvironment) ask(ctx context.Context, call sdk.ToolCall, number int) (*sdk.Message, error) {
	if number > 0 && d.episode.settings.Kind == Handoff {
		reply := failed(call, "you can hand over to one at a time")
		return &reply, nil
	}
	var arguments struct {
		Content *string `json:"content"`
	}
	if err := json.Unmarshal([]byte(call.Arguments), &arguments); err != nil || arguments.Content == nil {
		reply := failed(call, fmt.Sprintf(`the arguments of %s are {"content": "…"}`, call.Name))
		return &reply, nil
	}
	told, err := d.yield(ctx, turnResult{from: d.run.player, request: &request{call, call.Name, *arguments.Content}})
	return told.reply, err
}

// answered handles a message without calls: the swarm's answer, if this member answers for the swarm, or an answer to
// the other members. The member continues when it is called again.
func (d *memberEnvironment) answered(
	ctx context.Context, callID string, message sdk.Message,
) (*sdk.StepResponse, error) {
	did := turnResult{from: d.run.player, answer: &message.Content}
	out := &sdk.StepResponse{}
	if d.episode.answersForAll(d.run.player) {
		if d.environment() == nil {
			return out, nil
		}
		var err error
		out, err = d.act(ctx, callID, message)
		if err != nil || out.Done || out.Truncated || len(out.Messages) == 0 || d.episode.settings.Kind != Workflow {
			return out, err
		}
		did.next = out.Messages // for the first stage
	}
	told, err := d.yield(ctx, did)
	if errors.Is(err, errEnded) {
		return &sdk.StepResponse{Done: true}, nil
	}
	out.Messages = told.messages
	return out, err
}

// answersForAll reports whether a member's answer is the swarm's answer.
func (p *episodeRun) answersForAll(who *player) bool {
	switch p.settings.Kind {
	case Workflow:
		return who.Name == p.settings.Stages[len(p.settings.Stages)-1][0]
	case Team:
		return who.Name == p.settings.Members[0].Name
	}
	return true
}

// yield reports a member's action and waits for its next turn.
func (d *memberEnvironment) yield(ctx context.Context, did turnResult) (turnInput, error) {
	select {
	case d.episode.results <- did:
	case <-d.episode.finished:
		return turnInput{}, errEnded
	case <-ctx.Done():
		return turnInput{}, ctx.Err()
	}
	select {
	case told := <-d.run.player.cues:
		return told, nil
	case <-d.episode.finished:
		return turnInput{}, errEnded
	case <-ctx.Done():
		return turnInput{}, ctx.Err()
	}
}

// inOrder returns the results in the order of the calls, followed by the environment's other messages.
func inOrder(calls []sdk.ToolCall, said []sdk.Message, replies map[string]sdk.Message) []sdk.Message {
	var out []sdk.Message
	for _, call := range calls {
		if reply, ok := replies[call.ID]; ok {
			out = append(out, reply)
			continue
		}
		if len(said) > 0 && said[0].Role == sdk.RoleTool && said[0].ToolCallID == call.ID {
			out = append(out, said[0])
			said = said[1:]
		}
	}
	return append(out, said...)
}

var (
	_ agent.Model   = (*memberModel)(nil)
	_ agent.Session = (*memberEnvironment)(nil)
)
