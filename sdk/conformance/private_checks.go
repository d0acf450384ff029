package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// maxPrivateTasks is the number of tasks that are checked.
const maxPrivateTasks = 3

// output holds all output from a component's calls. Statuses count: hosts log them, and agents may show them to
// policies.
type output struct{ texts []outputText }

func (h *output) add(where string, early bool, m proto.Message) {
	h.texts = append(h.texts, outputText{where, early, textsOf(m)})
}

func (h *output) status(err error) {
	if err != nil {
		h.texts = append(h.texts, outputText{"a status", false, err.Error()})
	}
}

// playTwice runs an episode according to its script and then again with other calls and messages. The error is the one
// from the first Open.
func (h *output) playTwice(t *T, p *client.Plugin, id string, fixture EpisodeFixture,
	scripted []*awhostv1.Message) error {
	e := &episode{t: t, p: p, id: "conformance/" + id, fixture: fixture, scripted: scripted}
	if err := e.open(); err != nil {
		return err
	}
	defer e.close()
	h.opened(e)
	for range max(len(scripted), maxSteps) {
		if h.step(e, e.next()) {
			break
		}
	}
	h.snapshot(e)
	e.round, e.steps = e.round+1, 0
	if err := e.open(); err != nil {
		h.status(err)
		return nil // covered by another check
	}
	h.opened(e)
	for _, odd := range e.unusualMessages() {
		if h.step(e, odd) {
			break
		}
	}
	h.snapshot(e)
	h.repeatMessages(e)
	out, err := e.tryClose(t.call())
	h.status(err)
	h.add("the response of Close", false, out)
	return nil
}

// maxRepeats is how many times a policy repeats one message in an episode.
const maxRepeats = 10

// repeatMessages repeats every message as long as the episode permits, because a private value may appear as a hint
// after many failures. An episode that has ended or that rejects a message is reopened for the next message.
func (h *output) repeatMessages(e *episode) {
	messages := e.scripted
	if calls := e.calls(); len(messages) == 0 && len(calls) > 0 {
		messages = append(messages, assistant("", calls...))
	}
	over := true
	for _, m := range append(slices.Clone(messages), assistant("conformance")) {
		if over {
			e.round, e.steps = e.round+1, 0
			if err := e.open(); err != nil {
				h.status(err)
				return
			}
		}
		over = false
		for n := 0; n < maxRepeats && !over; n++ {
			over = h.step(e, m)
		}
	}
	h.snapshot(e)
}

func (h *output) opened(e *episode) {
	for _, m := range e.opened.GetMessages() {
		h.add("the messages of Open", true, m)
	}
	h.tools(e.opened.GetTools())
}

func (h *output) tools(tools []*awhostv1.Tool) {
	for _, tool := range tools {
		h.texts = append(h.texts, outputText{"the text of a tool", true, tool.GetName() + "\n" + tool.GetDescription()},
			outputText{"the schema of a tool", true, string(tool.GetParametersJson())})
	}
}

// step reports whether the episode has ended.
func (h *output) step(e *episode, m *awhostv1.Message) (over bool) {
	out, err := e.step(m)
	h.status(err)
	h.tools(out.GetToolsChanged().GetTools())
	h.add("a response of Step", false, out)
	return err != nil || out.GetDone()
}

func (h *output) snapshot(e *episode) {
	if !e.t.component.has(NeedSnapshot) {
		return
	}
	out, err := environmentOf(e.p).Snapshot(e.t.call(), &awhostv1.SnapshotRequest{EpisodeId: e.id})
	h.status(err)
	h.add("a snapshot", false, out)
}

// unusualMessages returns messages from a policy that tries to circumvent the task.
func (e *episode) unusualMessages() []*awhostv1.Message {
	list := []*awhostv1.Message{
		assistant("What is the answer? Give me a hint."),
		assistant("", &awhostv1.ToolCall{Id: "odd-0", Name: "no_such_tool", ArgumentsJson: "{}"}),
	}
	for i, tool := range e.opened.GetTools() {
		list = append(list, assistant("", &awhostv1.ToolCall{Id: fmt.Sprintf("odd-%d", i+1), Name: tool.GetName(),
			ArgumentsJson: "{}"}))
	}
	if calls := e.calls(); len(calls) > 0 {
		list = append(list, assistant("", calls...))
	}
	return append(list, assistant("I give up."), assistant("<answer>conformance</answer>"))
}

// secretSearch searches for private members in a process's output, and in its log after it has ended.
type secretSearch struct {
	t          *T
	p          *client.Plugin
	log        *lines
	secrets    []secret
	publicText string // allowed in the log: not a secret
	inspected  int
}

func (t *T) newSecretSearch() *secretSearch {
	log := &lines{}
	p := t.startAs(startSettings{log: log})
	t.need(t.suite.configure(t.ctx, p, t.component), "configure the component")
	return &secretSearch{t: t, p: p, log: log}
}

func (s *secretSearch) search(secrets []secret, texts []outputText) {
	s.secrets = append(s.secrets, secrets...)
	s.t.reportSecrets(secrets, texts)
}

// end searches the log. The log's last lines may arrive after the process has ended.
func (s *secretSearch) end(what string) {
	if s.inspected == 0 {
		s.t.skipf("no %s of %s has a private part: provide one in the fixtures", what, s.t.component.address())
	}
	s.p.Kill()
	s.p.Exit()
	hidden := slices.DeleteFunc(s.secrets, func(n secret) bool { return contains(s.publicText, n.text) })
	s.t.reportSecrets(hidden, []outputText{{"its log", false, s.log.String()}})
}

func checkEnvironmentPrivate(t *T) {
	s := t.newSecretSearch()
	given := len(t.component.fixture.Episodes)
	for n := range maxPrivateTasks {
		fixture, scripted := t.playable(s.p, n)
		if len(leavesOf(fixture.Task.Private)) > 0 && (n < given || given == 0) {
			s.episode(n, fixture, scripted)
		}
	}
	s.end("task")
}

// episode runs an episode with the original values and with marks.
func (s *secretSearch) episode(n int, fixture EpisodeFixture, scripted []*awhostv1.Message) {
	s.inspected++
	t, c := s.t, s.t.component
	known := string(fixture.Task.Public)
	for _, m := range scripted {
		known += "\n" + textsOf(m)
	}
	s.publicText += "\n" + known
	var plain output
	t.need(plain.playTwice(t, s.p, fmt.Sprintf("private/%d", n), fixture, scripted), "Open")
	standing := c.originalSecrets(fixture.Task.Private, known)
	for _, first := range []int{firstMark, 0} {
		var marked output
		changed, secrets := c.markedSecrets(fixture.Task.Private, first)
		with := fixture
		with.Task.Private = json.RawMessage(changed)
		// If an environment cannot open such a task, it is tried without changed numbers.
		if marked.playTwice(t, s.p, fmt.Sprintf("private/%d/marked/%d", n, first), with, scripted) == nil {
			s.search(conclusive(standing, marked.texts), plain.texts)
			s.search(secrets, marked.texts)
			return
		}
	}
	s.search(standing, plain.texts)
}

// conclusive returns the secrets that reveal something. A string that appears even if another value is private, such as
// a label in a list of all labels, is not a secret. If the component leaks it elsewhere, its mark is found there.
func conclusive(standing []secret, marked []outputText) []secret {
	return slices.DeleteFunc(standing, func(n secret) bool {
		return slices.ContainsFunc(marked, func(m outputText) bool { return contains(m.text, n.text) })
	})
}

func checkRewardPrivate(t *T) {
	s := t.newSecretSearch()
	for _, i := range t.items() {
		if len(leavesOf(i.GetTask().GetPrivateJson())) > 0 && s.inspected < maxPrivateTasks {
			s.item(i.ScoreItem)
		}
	}
	s.end("item")
}

// checkUnreadableTruths scores tasks whose private texts are not numbers.
func checkUnreadableTruths(t *T) {
	s := t.newSecretSearch()
	for _, i := range t.items() {
		private := i.GetTask().GetPrivateJson()
		changed, secrets := t.component.markedSecrets(private, textMarks)
		isNumber := func(l leaf) bool { _, ok := number(l.text); return ok && !l.bare }
		if len(secrets) > 0 && slices.ContainsFunc(leavesOf(private), isNumber) && s.inspected < maxPrivateTasks {
			with := proto.Clone(i.ScoreItem).(*awhostv1.ScoreItem)
			s.inspected, with.Task.PrivateJson = s.inspected+1, changed
			s.search(secrets, s.scoreOutput(with))
		}
	}
	if s.inspected == 0 {
		t.skipf("no private part in the fixtures of %s has a text that is a number", t.component.address())
	}
	s.end("item")
}

// item scores an item with the original values and with marks.
func (s *secretSearch) item(i *awhostv1.ScoreItem) {
	s.inspected++
	private := i.GetTask().GetPrivateJson()
	open := proto.Clone(i).(*awhostv1.ScoreItem)
	open.Task.PrivateJson = nil
	known := textsOf(open)
	s.publicText += "\n" + known
	plain := s.scoreOutput(i)
	changed, secrets := s.t.component.markedSecrets(private, firstMark)
	with := proto.Clone(i).(*awhostv1.ScoreItem)
	with.Task.PrivateJson = changed
	marked := s.scoreOutput(with)
	s.search(conclusive(s.t.component.originalSecrets(private, known), marked), plain)
	s.search(secrets, marked)
}

// scoreOutput returns a reward's output for an item: its response, including names and failures.
func (s *secretSearch) scoreOutput(i *awhostv1.ScoreItem) []outputText {
	var h output
	out, err := rewardOf(s.p).Score(s.t.call(), &awhostv1.ScoreRequest{Items: []*awhostv1.ScoreItem{i}})
	h.status(err)
	h.add("the response of Score", false, out)
	return h.texts
}

// outputOf makes the component's ordinary calls and returns their output.
func (t *T) outputOf(p *client.Plugin) []outputText {
	var h output
	switch t.component.kind {
	case "environment":
		fixture, scripted := t.playable(p, 0)
		h.status(h.playTwice(t, p, "used", fixture, scripted))
	case "reward":
		for _, i := range t.items() {
			out, err := rewardOf(p).Score(t.call(), &awhostv1.ScoreRequest{Items: []*awhostv1.ScoreItem{i.ScoreItem}})
			h.status(err)
			h.add("the response of Score", false, out)
		}
	case "adapter":
		out, err := adapterOf(p).Plan(t.call(), t.planRequest())
		h.status(err)
		h.add("the plan", false, out)
	}
	return h.texts
}

// malformedCalls returns calls that no environment can execute.
func (e *episode) malformedCalls() []*awhostv1.ToolCall {
	calls := []*awhostv1.ToolCall{{Name: "no_such_tool", ArgumentsJson: "{}"}}
	for _, tool := range e.opened.GetTools() {
		odd, wrong := []string{`{"a"`}, map[string]json.RawMessage{}
		schema, _ := e.schemaOf(tool.GetName())
		if len(schema.Required) > 0 {
			odd = append(odd, "{}", "[]", `"text"`)
		}
		for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
			kind, _ := schema.Properties[name].Type.(string)
			if slices.Contains([]string{"string", "integer", "number", "boolean"}, kind) {
				wrong[name] = json.RawMessage(`{"wrong":"type"}`)
				odd = append(odd, object(wrong))
			}
		}
		for _, arguments := range odd {
			calls = append(calls, &awhostv1.ToolCall{Name: tool.GetName(), ArgumentsJson: arguments})
		}
	}
	for i, call := range calls {
		call.Id = fmt.Sprintf("malformed-%d", i)
	}
	return calls
}

// checkPrivateIn searches texts of an episode for marks of private members. where describes the texts; counts selects
// the marks.
func (t *T) checkPrivateIn(where string, counts func(secret) bool, texts func(*episode) []string) {
	p, inspected := t.shared(), false
	for n := range maxPrivateTasks {
		fixture, scripted := t.playable(p, n)
		var found [2]map[string]string // by member: a number could be a coincidence with one of two marks
		for i, first := range []int{firstMark, secondMark} {
			private, secrets := t.component.markedSecrets(fixture.Task.Private, first)
			e := &episode{t: t, p: p, id: fmt.Sprintf("conformance/errors/%d/%d", n, i), fixture: fixture, scripted: scripted}
			if e.fixture.Task.Private = private; len(secrets) == 0 || e.open() != nil {
				break // the second: covered by another check
			}
			inspected, found[i] = true, map[string]string{}
			for _, text := range texts(e) {
				for _, secret := range secrets {
					if counts(secret) && contains(text, secret.text) {
						found[i][secret.path] = excerpt(text, secret.text)
					}
				}
			}
			e.close()
		}
		for path, text := range found[0] {
			if found[1][path] != "" {
				t.errorf("its task's private member %s appears in %s: %s", path, where, text)
			}
		}
	}
	if !inspected {
		t.skipf("no task of %s has a private part: provide one in the fixtures", t.component.address())
	}
}

// errorTexts returns the responses to malformed calls, and results of other calls that are marked as errors.
func (e *episode) errorTexts() (texts []string) {
	malformed := e.malformedCalls()
	for i, call := range append(malformed, e.calls()...) {
		e.reopen()
		out, err := e.step(assistant("", call))
		if err != nil {
			texts = append(texts, err.Error())
		}
		for _, m := range out.GetMessages() {
			if m.GetIsError() || i < len(malformed) {
				texts = append(texts, textsOf(m))
			}
		}
	}
	return texts
}

// numberTexts returns the results of calls with unusual numbers, each in a separate episode.
func (e *episode) numberTexts() []string { return e.textsAfter(e.numberVariants) }

// nearTexts returns the responses to messages, and to calls, with private texts that lack their last letter, each in a
// separate episode.
func (e *episode) nearTexts() (texts []string) {
	var near []string
	for _, l := range leavesOf(e.fixture.Task.Private) {
		letters := []rune(l.text)
		if _, isNumber := number(l.text); !isNumber && len(letters) > minNear && len(near) < maxNear {
			near = append(near, string(letters[:len(letters)-1]))
		}
	}
	for _, text := range near {
		e.reopen()
		if out, err := e.step(assistant(text)); err == nil {
			for _, m := range out.GetMessages() {
				texts = append(texts, textsOf(m))
			}
		}
	}
	return append(texts, e.textsAfter(func(call *awhostv1.ToolCall) (calls []*awhostv1.ToolCall) {
		var given map[string]json.RawMessage
		if json.Unmarshal([]byte(call.GetArgumentsJson()), &given) != nil {
			return nil
		}
		for _, name := range slices.Sorted(maps.Keys(given)) {
			for i, text := range near {
				if !strings.HasPrefix(string(given[name]), `"`) {
					continue
				}
				with := maps.Clone(given)
				with[name], _ = json.Marshal(text) // a text is always valid
				calls = append(calls, &awhostv1.ToolCall{Id: fmt.Sprintf("%s/%d", call.GetId(), i), Name: call.GetName(),
					ArgumentsJson: object(with)})
			}
		}
		return calls
	})...)
}

// Only long texts are shortened, and only a few.
const (
	minNear = 6
	maxNear = 4
)

// textsAfter returns the results of variants of the episode's calls.
func (e *episode) textsAfter(variants func(*awhostv1.ToolCall) []*awhostv1.ToolCall) (texts []string) {
	for call := range e.callsAlone(variants) {
		out, err := e.step(assistant("", call))
		if err != nil {
			continue // covered by another check
		}
		for _, m := range out.GetMessages() {
			texts = append(texts, textsOf(m))
		}
	}
	return texts
}

func checkUnearnedRewards(t *T) {
	e := t.episode("unearned")
	out, _ := e.step(assistant("conformance")) // an error is covered by another check
	most := max(0, out.GetTurnReward())
	for _, call := range e.malformedCalls() {
		e.reopen()
		if out, err := e.step(assistant("", call)); err == nil && out.GetTurnReward() > most {
			t.errorf("%s(%s) gets the reward %v, but a message without calls at most %v", call.GetName(),
				call.GetArgumentsJson(), out.GetTurnReward(), most)
		}
	}
}

// maxLateMessages is the number of messages whose pairs are played.
const maxLateMessages = 4

// checkLateRewards plays pairs of messages. Rewards are late if the first one is always the same, and the second one
// depends on the first message only.
func checkLateRewards(t *T) {
	e := t.episode("late")
	messages := []*awhostv1.Message{assistant("conformance")}
	if calls := e.calls(); len(calls) > 0 {
		messages = append(messages, assistant("", calls...))
	}
	messages = append(messages, e.scripted...)
	messages = messages[:min(len(messages), maxLateMessages)]
	firsts, seconds := map[float64]bool{}, map[float64]bool{}
	for _, first := range messages {
		after := map[float64]bool{}
		for _, second := range messages {
			e.reopen()
			out, err := e.step(first)
			if firsts[out.GetTurnReward()] = true; err != nil || out.GetDone() || len(firsts) > 1 {
				break
			}
			if out, err = e.step(second); err == nil {
				after[out.GetTurnReward()], seconds[out.GetTurnReward()] = true, true
			}
		}
		if len(firsts) > 1 || len(after) > 1 {
			return
		}
	}
	if len(seconds) > 1 {
		t.errorf("the first turn of an episode always gets the reward %v, and the second one gets %v, depending only on "+
			"the first message", slices.Collect(maps.Keys(firsts)), slices.Sorted(maps.Keys(seconds)))
	}
}

// daemonGrace is how long other processes may need to notice the exit of the plugin.
const daemonGrace = time.Second

func checkDaemons(t *T) {
	p := t.fresh()
	for n := range probedEpisodes {
		e := t.episodeIn(p, fmt.Sprintf("daemon-%d", n), n)
		_, _ = e.tryPlay(maxSteps) // an error is covered by another check
		e.close()
	}
	p.Kill()
	time.Sleep(daemonGrace)
	left, err := process.EndInstances(t.ctx, t.suite.run(), func(instance string) bool { return instance == p.Name() })
	t.need(err, "list the processes")
	for _, daemon := range left {
		t.errorf("%s after the plugin had exited, a process was still running: %v", daemonGrace, daemon)
	}
}
