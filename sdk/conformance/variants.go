package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// checkUnknownEach declares each attribute alone as unknown, and then all others.
func checkUnknownEach(t *T) {
	names, p := t.attributes(), t.start()
	if len(names) < 2 {
		t.skipf("%s has fewer than two attributes", t.component.address())
	}
	for i, name := range names {
		t.reportUnknown(p, name)
		t.reportUnknown(p, slices.Delete(slices.Clone(names), i, i+1)...)
	}
}

// playedTexts returns the environment's output for the script, for repeated messages, and in snapshots.
func (e *episode) playedTexts() (texts []string) {
	var h output
	for range max(len(e.scripted), probedSteps) {
		if h.step(e, e.next()) {
			break
		}
	}
	h.snapshot(e)
	h.repeatMessages(e)
	for _, o := range h.texts {
		texts = append(texts, o.text)
	}
	return texts
}

// checkPrivateNumbers replaces the numbers in private parts by two marks each: one could be found by coincidence.
func checkPrivateNumbers(t *T) {
	s := t.newSecretSearch()
	var leaks []map[string]string // by member, per task and mark
	for _, i := range t.items() {
		for _, first := range []int{firstMark, secondMark} {
			private, secrets := t.component.markedSecrets(i.GetTask().GetPrivateJson(), first)
			secrets = slices.DeleteFunc(secrets, func(n secret) bool { return !n.onlyEarly })
			if len(secrets) == 0 || len(leaks) >= 2*maxPrivateTasks {
				break
			}
			with := proto.Clone(i.ScoreItem).(*awhostv1.ScoreItem)
			with.Task.PrivateJson = private
			found := map[string]string{}
			for _, said := range s.scoreOutput(with) {
				for _, n := range secrets {
					if contains(said.text, n.text) {
						found[n.path] = excerpt(said.text, n.text)
					}
				}
			}
			leaks = append(leaks, found)
		}
	}
	if len(leaks) == 0 {
		t.skipf("no private part in the fixtures of %s has a number", t.component.address())
	}
	for k := 1; k < len(leaks); k += 2 {
		for path, text := range leaks[k-1] {
			if leaks[k][path] != "" {
				t.errorf("the private member %s appears in the response of Score: %s", path, text)
			}
		}
	}
}

// checkRepeatedSteps plays each ordered pair of messages in a new episode.
func checkRepeatedSteps(t *T) {
	e := t.episode("pairs")
	messages := e.scripted[:min(len(e.scripted), maxLateMessages)]
	if len(messages) == 0 {
		t.skipf("the fixtures of %s contain no messages", t.component.address())
	}
	for i, first := range messages {
		for j, second := range messages {
			e.reopen()
			out, err := e.step(first)
			if err == nil && !out.GetDone() {
				again := proto.Clone(second).(*awhostv1.Message)
				for _, call := range again.GetToolCalls() {
					call.Id += "-again"
				}
				_, err = e.step(again)
			}
			if err != nil {
				t.errorf("message %d and then message %d of %s: %v", i+1, j+1, e.fixture.place, err)
			}
		}
	}
}

// arithmetic lists texts for arguments and answers that careless code computes or takes apart.
var arithmetic = []string{"1/0", "9**9**9**9", "0", "-1", "nan", "1e999", "(((", "a=", "2026-13-45", "10:75"}

// valueVariants returns calls with values that the tool's schema permits: each member of an enumeration, both booleans,
// empty lists, texts with arithmetic, and without each optional argument.
func (e *episode) valueVariants(call *awhostv1.ToolCall) (calls []*awhostv1.ToolCall) {
	var given map[string]json.RawMessage
	schema, known := e.schemaOf(call.GetName())
	if !known || json.Unmarshal([]byte(call.GetArgumentsJson()), &given) != nil {
		return nil
	}
	add := func(with map[string]json.RawMessage) {
		calls = append(calls, &awhostv1.ToolCall{Id: fmt.Sprintf("%s/%d", call.GetId(), len(calls)), Name: call.GetName(),
			ArgumentsJson: object(with)})
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		p := schema.Properties[name]
		values := p.Enum
		switch {
		case len(values) > 0:
		case p.Type == "boolean":
			values = []json.RawMessage{json.RawMessage("true"), json.RawMessage("false")}
		case p.Type == "array" && p.MinItems == 0:
			values = []json.RawMessage{json.RawMessage("[]")}
		case p.Type == "string" && p.Pattern == "" && p.Format == "":
			for _, text := range arithmetic {
				quoted, _ := json.Marshal(text) // a text is always valid
				values = append(values, quoted)
			}
		}
		for _, value := range values {
			with := maps.Clone(given)
			with[name] = value
			add(with)
		}
		if given[name] != nil && !slices.Contains(schema.Required, name) {
			with := maps.Clone(given)
			delete(with, name)
			add(with)
		}
	}
	return calls
}

func checkValues(t *T) {
	e, played := t.episode("values"), map[string]bool{}
	for call := range e.callsAlone(func(call *awhostv1.ToolCall) []*awhostv1.ToolCall {
		return slices.DeleteFunc(e.valueVariants(call), func(v *awhostv1.ToolCall) bool {
			key := v.GetName() + v.GetArgumentsJson()
			again := played[key]
			played[key] = true
			return again
		})
	}) {
		if _, err := e.step(assistant("", call)); err != nil {
			t.errorf("%s(%.200s): %v", call.GetName(), call.GetArgumentsJson(), err)
		}
		if len(t.failures) > maxReported {
			return
		}
	}
	if len(played) == 0 {
		t.skipf("no tool takes a text, a boolean, a list, an enumeration, or an optional argument")
	}
}

// seeds lists numbers that a conversion to 32 bits, or to a signed number, loses.
var seeds = []uint64{1, 1 << 31, 1 << 32, 1 << 63, math.MaxUint64}

func checkSeeds(t *T) {
	for _, seed := range seeds {
		e := t.newEpisode(t.shared(), fmt.Sprintf("seed-%d", seed), 0)
		e.fixture.Seed = seed
		err := e.open()
		if err == nil {
			_, err = e.tryPlay(probedSteps)
		}
		if err != nil {
			t.errorf("with the seed %d: %v", seed, err)
		}
	}
}

// checkSeedElsewhere plays an episode in two processes whose local dates differ, for runs with other ids.
func checkSeedElsewhere(t *T) {
	var said [2]string
	for i, zone := range []string{"AAA-14", "BBB+11"} {
		p := t.startAs(startSettings{env: map[string]string{"TZ": zone}})
		req := t.suite.configureRequest(t.component, t.ownDir())
		req.RunId = "run-" + zone[:3]
		t.need(t.suite.configureWith(t.ctx, p, req), "configure the component")
		e := t.episodeIn(p, "seed-5", 0)
		said[i] = e.transcript(e.play(maxSteps))
	}
	if said[0] != said[1] {
		t.errorf("in one time zone:\n%s\nin another:\n%s", said[0], said[1])
	}
}

func checkValidationTasks(t *T) {
	tasks := t.tasksOf(t.shared(), awhostv1.Split_SPLIT_VALIDATION, 0, 20)
	t.reportTaskShape(tasks)
	if len(tasks) == 0 {
		return
	}
	e := t.newEpisode(t.shared(), "validation", 0)
	e.split, e.fixture.Task = awhostv1.Split_SPLIT_VALIDATION, TaskFixture{
		ID: tasks[0].GetId(), Public: tasks[0].GetPublicJson(), Private: tasks[0].GetPrivateJson(),
	}
	t.need(e.open(), "Open of the first validation task")
}

// unreadable lists answers without anything that a reward could extract.
var unreadable = []string{"conformance", "seven", "[", "I do not know."}

func checkUnreadableAnswers(t *T) {
	for _, i := range t.items() {
		if t.scoreOne(i.ScoreItem, i.name).GetValue() == nil {
			continue
		}
		answers := slices.Clone(unreadable)
		if own := numberInText.FindString(i.GetFinalAnswer()); own != "" {
			answers = append(answers, numberInText.ReplaceAllString(i.GetFinalAnswer(), "seven"))
		}
		for _, answer := range answers {
			if r := t.scoreOne(withAnswer(i.ScoreItem, answer), answer); r.GetValue() == nil {
				t.errorf("%s, answered with %q: %s", i.name, answer, describeResult(r))
			}
		}
	}
}

// checkUndeclaredNeeds scores the items as a host sends them: without what the reward does not declare to need.
func checkUndeclaredNeeds(t *T) {
	needs := t.component.GetReward().GetNeeds()
	for _, i := range t.items() {
		if i.least == nil {
			t.skipf("the fixtures of %s contain no items", t.component.address())
		}
		with := proto.Clone(i.ScoreItem).(*awhostv1.ScoreItem)
		if !slices.Contains(needs, string(sdk.NeedTranscript)) {
			with.Messages, with.Sampled = nil, nil
		}
		if !slices.Contains(needs, string(sdk.NeedEnvironmentState)) {
			with.EnvironmentStateJson = nil
		}
		if v := t.scoreOne(with, i.name).GetValue(); v == nil || v.GetScore() < *i.least || v.GetScore() > *i.most {
			t.errorf("%s, with nothing beyond the declared needs: %s; want %g to %g", i.name,
				describeResult(t.scoreOne(with, i.name)), *i.least, *i.most)
		}
	}
}

func checkNegativeNumbers(t *T) {
	t.checkOtherTruth("-1000", true, badAnswer{"a smaller number", "-1070"}, badAnswer{"a larger number", "-930"},
		badAnswer{"a positive number", "7"})
}

func checkAgentErrorClass(t *T) {
	for _, first := range []int{1, 2} {
		s := t.newAgentEpisode()
		s.failFrom(first, failureStatus(awhostv1.FailureClass_FAILURE_CLASS_MODEL, "the engine has failed"))
		_, err := t.runAgent(t.shared(), s)
		if asked, _, _ := s.counts(); asked < first || err == nil {
			continue // covered by another check
		}
		class := awhostv1.FailureClass_FAILURE_CLASS_UNSPECIFIED
		for _, detail := range status.Convert(err).Details() {
			if f, ok := detail.(*awhostv1.Failure); ok {
				class = f.GetClass()
			}
		}
		if class != awhostv1.FailureClass_FAILURE_CLASS_MODEL {
			t.errorf("request %d to the policy failed with class MODEL, and Run with %v: %v", first, class, err)
		}
	}
}
