package swarm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/sdk"
)

// episodeRun is one episode.
type episodeRun struct {
	*Swarm
	ctx      context.Context
	episode  agent.Episode
	question []sdk.Message
	players  map[string]*player
	results  chan turnResult
	finished chan struct{} // closed: the swarm has its answer, and waiting members end
	running  sync.WaitGroup

	mu      sync.Mutex
	tools   []sdk.Tool   // of the environment, currently
	offered []sdk.Tool   // at first, including the members
	turns   int          // assistant messages
	steps   int          // messages sent to the environment
	most    int          // limit of steps; 0: no limit
	limit   agent.Finish // a limit of the swarm was reached
	by      *agent.Limit // the reached limit; nil: the limit of hops
	failure *sdk.Failure // of class POLICY: it ended the swarm
	path    []string     // the called members, in order
	ended   bool         // the environment has ended the episode
	parts   []part       // in chronological order
	runs    []*run
	depth   int // number of members that wait for the active one
}

// player is a member in an episode.
type player struct {
	*Member
	cues    chan turnInput
	run     *run // in progress; nil: none
	waiting *request
	missed  *turnResult // received during another member's turn
}

// run is one run of a member's agent.
type run struct {
	player *player
	depth  int // at its start
	seen   int // messages of its conversation that are in parts
	result *agent.Result
	err    error
}

// part is a piece of a run's conversation.
type part struct {
	run   *run
	to    int // messages, from the end of the run's previous part
	depth int
}

// turnInput is a member's input at the start of its turn.
type turnInput struct {
	messages []sdk.Message // the opening of a run, or the messages after the member's own answer
	reply    *sdk.Message  // the result of its call of another member
}

// request is a call to another member.
type request struct {
	call    sdk.ToolCall
	to      string
	content string
}

// turnResult is the result of a member's turn: one of request, answer and ended.
type turnResult struct {
	from    *player
	request *request      // it called another member
	answer  *string       // it answered, and can continue
	next    []sdk.Message // the environment's messages after the answer
	ended   *run
}

// ending is the end of a member's turn: an answer, or the end of its run.
type ending struct {
	from   *player
	answer string
	next   []sdk.Message // the environment's messages
	run    *run          // nil: it continues when it is called again
}

// errHops reports that a swarm exceeded its maximum number of calls between members.
var errHops = errors.New("the limit of hops is reached")

func (s *Swarm) begin(ctx context.Context, episode agent.Episode) (*episodeRun, error) {
	p := &episodeRun{
		Swarm: s, ctx: ctx, episode: episode, players: map[string]*player{}, results: make(chan turnResult),
		finished: make(chan struct{}),
	}
	question, err := agent.Question(episode)
	if err != nil {
		return nil, err
	}
	p.question = question
	if episode.Environment != nil {
		opened := episode.Environment.Opened()
		p.tools = opened.Tools
		p.most = opened.MaxTurns
	}
	p.offered = slices.Clone(p.tools)
	for i := range s.settings.Members {
		m := &s.settings.Members[i]
		p.players[m.Name] = &player{Member: m, cues: make(chan turnInput)}
		if !s.called(m.Name) {
			continue
		}
		if slices.ContainsFunc(p.tools, func(t sdk.Tool) bool { return t.Name == m.Name }) {
			return nil, &agent.SpecError{Detail: fmt.Sprintf(
				"the environment has a tool %s, and a member of swarm %s has that name, too: give the member's block another "+
					"name", m.Name, s.settings.Name)}
		}
		p.offered = append(p.offered, toolOf(m))
	}
	return p, nil
}

// called reports whether a member is a tool of another member.
func (s *Swarm) called(name string) bool {
	return slices.ContainsFunc(s.settings.Members, func(m Member) bool { return slices.Contains(m.Neighbours, name) })
}

// stages runs a workflow: it runs the stages in order, and repeats all of them for the environment's response to the
// last stage.
func (p *episodeRun) stages() (*ending, error) {
	for {
		last, err := p.round()
		if err != nil || last.next == nil {
			return last, err
		}
		p.question = last.next
	}
}

// round runs each stage once.
func (p *episodeRun) round() (last *ending, err error) {
	var said []string
	for _, stage := range p.settings.Stages {
		opening := p.after(said)
		for _, name := range stage {
			last, err = p.runMember(p.players[name], turnInput{messages: opening})
			if err != nil || p.hasEnded() || last.run != nil && !answered(last.run.result) {
				return last, err
			}
			said = append(said, name+":\n"+last.answer)
		}
	}
	return last, nil
}

// answered reports whether a run ended with an answer, rather than at a limit or with an unreadable message.
func answered(r *agent.Result) bool {
	return r.Failure == nil && !r.Finish.Truncated() && r.Finish != agent.FinishMaxHops
}

func (p *episodeRun) hasEnded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended || p.limit != ""
}

// after returns the question followed by the other members' answers, in one message, because some chat templates reject
// two consecutive messages with the same role.
func (p *episodeRun) after(said []string) []sdk.Message {
	messages := slices.Clone(p.question)
	if len(said) == 0 {
		return messages
	}
	text := strings.Join(said, "\n\n")
	if n := len(messages) - 1; n >= 0 && messages[n].Role == sdk.RoleUser {
		messages[n].SetParts(append(messages[n].Parts(), sdk.Part{Text: "\n\n" + text}))
		return messages
	}
	return append(messages, sdk.Message{Role: sdk.RoleUser, Content: text})
}

// runMember runs a member until it has answered. It executes the member's calls to other members and returns their
// answers to it.
func (p *episodeRun) runMember(who *player, with turnInput) (*ending, error) {
	did, err := p.give(who, with)
	for err == nil && did.request != nil {
		if err = p.pass(who, did.request); err != nil {
			break
		}
		var inner *ending
		p.deeper(1)
		inner, err = p.runMember(p.players[did.request.to], turnInput{messages: user(did.request.content)})
		p.deeper(-1)
		if err != nil || p.hasEnded() || inner.run != nil && inner.run.result.Failure != nil {
			return inner, err
		}
		did, err = p.give(who, turnInput{reply: reply(did.request, inner)})
	}
	return p.end(who, did, err)
}

// deeper changes the number of waiting members.
func (p *episodeRun) deeper(by int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.depth += by
}

// reply returns the result of a call to another member.
func reply(r *request, from *ending) *sdk.Message {
	m := &sdk.Message{Role: sdk.RoleTool, ToolCallID: r.call.ID, Name: r.call.Name, Content: from.answer}
	if from.run != nil && !answered(from.run.result) {
		m.IsError = true
		m.Content = fmt.Sprintf("%s came to no answer: %s", r.to, from.run.result.Finish)
	}
	return m
}

func user(text string) []sdk.Message { return []sdk.Message{{Role: sdk.RoleUser, Content: text}} }

// handoffs runs a swarm whose members pass control.
func (p *episodeRun) handoffs() (*ending, error) {
	who, with := p.players[p.settings.Members[0].Name], turnInput{messages: p.question}
	for {
		did, err := p.give(who, with)
		if err != nil || did.request == nil {
			return p.end(who, did, err)
		}
		if err := p.pass(who, did.request); err != nil {
			return p.end(who, did, err)
		}
		who.waiting = did.request
		next := p.players[did.request.to]
		with = p.handed(who, next, did.request.content)
		who = next
	}
}

// handed returns a member's input when it receives control: first the question and the handoff's text, and later the
// text as the result of its call.
func (p *episodeRun) handed(from, to *player, content string) turnInput {
	if to.run == nil || to.waiting == nil {
		return turnInput{messages: p.after([]string{from.Name + ":\n" + content})}
	}
	r := to.waiting
	to.waiting = nil
	if r.to != from.Name {
		content = from.Name + ":\n" + content
	}
	return turnInput{reply: &sdk.Message{Role: sdk.RoleTool, ToolCallID: r.call.ID, Name: r.call.Name, Content: content}}
}

// pass counts a call to a member.
func (p *episodeRun) pass(from *player, r *request) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if most := p.settings.MaxHops; most > 0 && len(p.path) > most {
		tail := append(slices.Clone(p.path[max(0, len(p.path)-4):]), r.to)
		p.limit, p.by = agent.FinishMaxHops, nil
		p.failure = &sdk.Failure{Class: sdk.FailurePolicy, Detail: fmt.Sprintf(
			"swarm %s called members %d times and came to no answer, last %s",
			p.settings.Name, most, strings.Join(tail, " → "))}
		return errHops
	}
	if len(p.path) == 0 {
		p.path = append(p.path, from.Name)
	}
	p.path = append(p.path, r.to)
	return nil
}

// end builds the ending from the last event of a turn.
func (p *episodeRun) end(who *player, did turnResult, err error) (*ending, error) {
	last := &ending{from: who}
	switch {
	case err != nil:
		return last, err
	case did.answer != nil:
		last.answer, last.next = *did.answer, did.next
	case did.ended != nil:
		last.run = did.ended
		last.answer, _ = did.ended.result.FinalAnswer()
	}
	return last, nil
}

// give starts a member's turn and waits for the result.
func (p *episodeRun) give(who *player, with turnInput) (turnResult, error) {
	if who.missed != nil && who.missed.ended != nil { // after its answer
		who.run, who.missed = nil, nil
	}
	tell := who.cues
	if who.run == nil {
		p.start(who, with)
		tell = nil
	}
	for {
		select {
		case tell <- with:
			tell = nil
		case did := <-p.results:
			if did.from == who {
				return p.took(who, did)
			}
			did.from.missed = &did
			if did.ended != nil {
				p.setLength(did.ended, math.MaxInt)
			}
		case <-p.ctx.Done():
			return turnResult{}, p.ctx.Err()
		}
	}
}

// took finishes the run of a member that has ended and returns its error.
func (p *episodeRun) took(who *player, did turnResult) (turnResult, error) {
	if did.ended == nil {
		return did, nil
	}
	who.run, who.waiting = nil, nil
	p.setLength(did.ended, math.MaxInt)
	return did, did.ended.err
}

// start starts a run of a member's agent.
func (p *episodeRun) start(who *player, with turnInput) {
	r := &run{player: who, depth: p.depth}
	who.run = r
	p.runs = append(p.runs, r)
	own := p.episode
	own.Member = true
	own.Model = &memberModel{p, r}
	own.Environment = &memberEnvironment{episode: p, run: r, opening: with.messages}
	p.running.Go(func() {
		r.result, r.err = who.Agent.Run(p.ctx, own)
		if r.result == nil {
			r.result = &agent.Result{}
		}
		if answer := r.result.Answer; len(r.result.Messages) == 0 && answer != nil && *answer != "" { // a rule-based agent
			r.result.Messages = []sdk.Message{{Role: sdk.RoleAssistant, Name: who.Name, Content: *answer}}
		}
		select {
		case p.results <- turnResult{from: who, ended: r}:
		case <-p.finished:
		}
	})
}

// close ends the waiting members and waits for all of them.
func (p *episodeRun) close() {
	close(p.finished)
	p.running.Wait()
}

// result returns the episode's result, with all messages in chronological order.
func (p *episodeRun) result(last *ending) *agent.Result {
	out := &agent.Result{Sampled: []int{}, Tools: p.offered, Failure: p.failure, Finish: p.limit, Limit: p.by}
	p.transcribe(out)
	metadata := map[string]json.RawMessage{}
	for _, r := range p.runs {
		out.MalformedCalls += r.result.MalformedCalls
		out.RefusedCalls += r.result.RefusedCalls
		out.Unordered = out.Unordered || r.player.Concurrent || r.result.Unordered
		for name, value := range r.result.Metrics {
			out.Metrics = with(out.Metrics, r.player.Name+"/"+name, value)
		}
		if out.SelfReport == nil && r.result.SelfReport != nil {
			out.SelfReport = map[string]agent.SelfReport{}
		}
		maps.Copy(out.SelfReport, r.result.SelfReport) // if an agent ran several times, its last assessment counts
		if len(r.result.Metadata) > 0 {
			metadata[r.player.Name] = r.result.Metadata
		}
	}
	if len(metadata) > 0 {
		out.Metadata, _ = json.Marshal(metadata) // each value is JSON
	}
	if last == nil || last.run == nil {
		return out
	}
	out.Failure = cmp.Or(out.Failure, last.run.result.Failure)
	if out.Finish == "" {
		out.Finish, out.Limit = last.run.result.Finish, last.run.result.Limit
	}
	out.Answer = last.run.result.Answer
	return out
}

func with(metrics map[string]float64, name string, value float64) map[string]float64 {
	if metrics == nil {
		metrics = map[string]float64{}
	}
	metrics[name] += value
	return metrics
}

// path returns a member's name, followed by the inner member's name if the member is a swarm.
func path(name, inner string) string {
	if inner == "" {
		return name
	}
	return name + "/" + inner
}

// transcribe merges the conversations.
func (p *episodeRun) transcribe(out *agent.Result) {
	done := map[*run]int{} // messages already in out
	add := func(r *run, to, depth int) {
		from := done[r]
		to = min(to, len(r.result.Messages))
		if to <= from {
			return
		}
		done[r] = to
		at := len(out.Messages)
		for i, m := range r.result.Messages[from:to] {
			if _, sampled := slices.BinarySearch(r.result.Sampled, from+i); sampled {
				m.Name = path(r.player.Name, m.Name)
				out.Sampled = append(out.Sampled, at+i)
			}
			out.Messages = append(out.Messages, m)
		}
		out.AddPart(agent.Part{Member: r.player.Name, First: at, Len: to - from, Depth: depth}, r.result.Parts, from)
	}
	last := map[*run]int{} // last part of each run
	for i, piece := range p.parts {
		last[piece.run] = i
	}
	for i, piece := range p.parts {
		if i == last[piece.run] { // results of its last calls precede the others' later messages
			piece.to = len(piece.run.result.Messages)
		}
		add(piece.run, piece.to, piece.depth)
	}
	for _, r := range p.runs {
		add(r, len(r.result.Messages), r.depth)
	}
}
