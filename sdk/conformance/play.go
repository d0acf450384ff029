package conformance

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk/client"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
	"github.com/awhost/awhost/sdk/toolargs"
)

// episode is an episode that a check runs.
type episode struct {
	t        *T
	p        *client.Plugin
	id       string
	fixture  EpisodeFixture
	split    awhostv1.Split // 0: training
	opened   *awhostv1.OpenResponse
	scripted []*awhostv1.Message
	round    int // how often it was reopened
	steps    int // of this round
	largest  int // size of the largest answer in bytes
}

// episode opens an episode in the shared process.
func (t *T) episode(id string) *episode { return t.episodeIn(t.shared(), id, 0) }

// episodeIn opens the nth episode that can be run.
func (t *T) episodeIn(p *client.Plugin, id string, n int) *episode {
	e := t.newEpisode(p, id, n)
	t.need(e.open(), "Open of the task of "+e.fixture.place)
	return e
}

// newEpisode returns the nth episode that can be run, to be opened.
func (t *T) newEpisode(p *client.Plugin, id string, n int) *episode {
	e := &episode{t: t, p: p, id: "conformance/" + id}
	e.fixture, e.scripted = t.playable(p, n)
	t.cleanup(e.close)
	return e
}

// close closes the episode. Repeated calls are allowed. Errors are covered by another check.
func (e *episode) close() {
	limit := e.t.suite.config.CallTimeout
	if e.t.component.hangs.Load() {
		limit = min(limit, 100*time.Millisecond) // hundreds of episodes are closed
	}
	_, _ = e.tryClose(e.t.within(limit))
}

func (e *episode) tryClose(ctx context.Context) (*awhostv1.CloseResponse, error) {
	e.t.mu.Lock()
	e.t.open = slices.DeleteFunc(e.t.open, func(o *episode) bool { return o == e })
	e.t.mu.Unlock()
	out, err := environmentOf(e.p).Close(ctx,
		&awhostv1.CloseRequest{EpisodeId: e.id, InstanceId: e.opened.GetInstanceId(), Reason: "done"})
	return out, e.t.sees(err)
}

// makeRoom records that the check opens the episode, and closes the check's oldest other one if the process already has
// max_sessions of them. A check that needs several open episodes reads max_sessions itself.
func (e *episode) makeRoom() {
	most := int(e.t.component.GetEnvironment().GetMaxSessions())
	e.t.mu.Lock()
	others := slices.DeleteFunc(slices.Clone(e.t.open), func(o *episode) bool { return o == e || o.p != e.p })
	if !slices.Contains(e.t.open, e) {
		e.t.open = append(e.t.open, e)
	}
	e.t.mu.Unlock()
	if most > 0 && len(others) >= most {
		others[0].close()
	}
}

func (e *episode) open() (err error) {
	e.makeRoom()
	e.opened, err = environmentOf(e.p).Open(e.t.call(), e.request())
	e.t.sees(err)
	e.shortenTexts(e.opened, e.opened.GetMessages())
	return err
}

// shortenTexts replaces long strings in a response with their digests, because an environment may send 256 MiB in each
// step of each of many episodes.
func (e *episode) shortenTexts(answer proto.Message, messages []*awhostv1.Message) {
	size := proto.Size(answer)
	if e.largest = max(e.largest, size); size <= maxComparedText {
		return
	}
	for _, m := range messages {
		for _, part := range m.GetContent() {
			if text, ok := part.GetPart().(*awhostv1.ContentPart_Text); ok {
				text.Text = shortened(text.Text)
			}
		}
	}
}

func (e *episode) request() *awhostv1.OpenRequest {
	return &awhostv1.OpenRequest{EpisodeId: e.id, Seed: e.fixture.Seed, Split: cmp.Or(e.split, awhostv1.Split_SPLIT_TRAIN),
		Task: e.fixture.Task.wire()}
}

// playable returns an episode from the fixtures, or else one with a task from the environment itself, or else one with
// an empty task.
func (t *T) playable(p *client.Plugin, n int) (EpisodeFixture, []*awhostv1.Message) {
	if list := t.component.fixture.Episodes; len(list) > 0 {
		f := list[n%len(list)]
		f.place = t.component.fixture.at("episodes", n%len(list), "task")
		var messages []*awhostv1.Message
		for i, m := range f.Messages {
			messages = append(messages, m.wire(i))
		}
		return f, messages
	}
	if t.component.has(NeedTasks) {
		if own := t.tasks(p, int64(n), 1); len(own) > 0 {
			return EpisodeFixture{Seed: 1, place: "the environment itself",
				Task: TaskFixture{ID: own[0].GetId(), Public: own[0].GetPublicJson(),
					Private: own[0].GetPrivateJson()}}, nil
		}
	}
	return EpisodeFixture{Seed: 1, place: "the suite, as the fixtures have none", Task: TaskFixture{ID: "conformance",
		Public: json.RawMessage(`{"prompt":"conformance"}`)}}, nil
}

// playableEpisodes returns the number of episodes in the fixtures that a check plays, which is one without fixtures.
func (t *T) playableEpisodes() int {
	return min(max(1, len(t.component.fixture.Episodes)), maxBadAnswerTasks)
}

// next returns the policy's next message: from the fixtures, or else calls to all tools with arguments that fit, or
// else text.
func (e *episode) next() *awhostv1.Message {
	if e.steps < len(e.scripted) {
		return e.scripted[e.steps]
	}
	if calls := e.calls(); len(e.scripted) == 0 && len(calls) > 0 {
		return assistant("", calls...)
	}
	return assistant("conformance")
}

func (e *episode) calls() []*awhostv1.ToolCall {
	var calls []*awhostv1.ToolCall
	for i, tool := range e.opened.GetTools() {
		calls = append(calls, &awhostv1.ToolCall{Id: fmt.Sprintf("call-%d-%d", e.steps, i), Name: tool.GetName(),
			ArgumentsJson: toolargs.Generate(tool.GetParametersJson())})
	}
	return calls
}

func assistant(text string, calls ...*awhostv1.ToolCall) *awhostv1.Message {
	m := &awhostv1.Message{Role: awhostv1.Role_ROLE_ASSISTANT, ToolCalls: calls}
	if text != "" {
		m.Content = []*awhostv1.ContentPart{{Part: &awhostv1.ContentPart_Text{Text: text}}}
	}
	return m
}

// reopen opens the episode again.
func (e *episode) reopen() {
	e.round, e.steps = e.round+1, 0
	e.t.need(e.open(), "Open, for an open episode")
}

// stepID returns the ID of the last step.
func (e *episode) stepID() string { return fmt.Sprintf("%s/%d/%d", e.id, e.round, e.steps) }

// step sends a message with a new step ID.
func (e *episode) step(m *awhostv1.Message) (*awhostv1.StepResponse, error) {
	e.steps++
	return e.stepAs(e.stepID(), m)
}

func (e *episode) stepAs(id string, m *awhostv1.Message) (*awhostv1.StepResponse, error) {
	out, err := environmentOf(e.p).Step(e.t.call(), &awhostv1.StepRequest{EpisodeId: e.id,
		InstanceId: e.opened.GetInstanceId(), StepId: id, Message: m})
	return out, e.t.sees(err)
}

// play runs the episode according to its script, for at most the given number of steps, and returns the responses.
func (e *episode) play(most int) []*awhostv1.StepResponse {
	answers, err := e.tryPlay(most)
	e.t.need(err, fmt.Sprintf("step %d of episode %s, with the task of %s", e.steps, e.id, e.fixture.place))
	return answers
}

// tryPlay does what play does but returns errors, because goroutines cannot end a check.
func (e *episode) tryPlay(most int) ([]*awhostv1.StepResponse, error) {
	var answers []*awhostv1.StepResponse
	for range most {
		out, err := e.step(e.next())
		if err != nil {
			return answers, err
		}
		e.shortenTexts(out, out.GetMessages())
		if answers = append(answers, out); out.GetDone() {
			break
		}
	}
	return answers, nil
}

// transcript returns all of the environment's output, for comparison.
func (e *episode) transcript(answers []*awhostv1.StepResponse) string {
	var b strings.Builder
	for _, m := range e.opened.GetMessages() {
		b.WriteString(plain(m) + "\n")
	}
	for _, a := range answers {
		for _, m := range a.GetMessages() {
			b.WriteString(plain(m) + "\n")
		}
		reward := "none"
		if a.TurnReward != nil {
			reward = fmt.Sprint(a.GetTurnReward())
		}
		fmt.Fprintf(&b, "reward %s, done %v, truncated %v\n", reward, a.GetDone(), a.GetTruncated())
	}
	return b.String()
}

func plain(m *awhostv1.Message) string {
	return m.GetRole().String() + " " + m.GetToolCallId() + " " + textOf(m)
}

func textOf(m *awhostv1.Message) string {
	text := ""
	for _, part := range m.GetContent() {
		text += part.GetText()
	}
	return text
}

// maxSteps is the maximum number of steps in an episode that a check runs.
const maxSteps = 8
