package conformance_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
	"github.com/awhost/awhost/sdk/conformance"
	"github.com/awhost/awhost/sdk/schema"
)

// envHonest turns this test binary into a plugin that conforms, although it is unusual.
const envHonest = "AWHOST_CONFORMANCE_HONEST"

func serveHonest(how string) {
	if how == "slow" {
		sdk.Serve(sdk.Plugin{Name: "slow", Version: "1.0.0", Environments: []sdk.EnvironmentComponent{asking("slow", "", 2)}})
	}
	plugin := sdk.Plugin{Name: "honest", Version: "1.0.0"}
	plugin.Rewards = []sdk.RewardComponent{
		judging("boxed", boxed), judging("yes_or_no", yesOrNo), judging("set", sameSet), judging("exact", exactly),
		judging("any", exactly),
		judging("last_number", lastNumber), judging("close", within5Percent),
		grading("words", commonWords),
		{
			Component: sdk.Component{Type: "relative", Description: "Compares an answer with the others of its group."},
			Capabilities: sdk.RewardCapabilities{
				BatchSize: 16, GroupRelative: true, Needs: []sdk.Need{sdk.NeedGroundTruth},
			},
			New: func(context.Context, sdk.Setup) (sdk.Reward, error) { return relative{}, nil },
		},
	}
	blocks := &plugin.Rewards[len(plugin.Rewards)-2].Component // words
	blocks.Schema = schema.Block{
		Attributes: []schema.Attribute{schema.String("language", "Of the words.").Require()},
		Blocks: []schema.NestedBlock{{Name: "rule", Nesting: schema.Map, Min: 1, Block: schema.Block{
			Attributes: []schema.Attribute{schema.Number("weight", "Of the rule.")},
		}}},
	}
	blocks.Validate = func(_ context.Context, config json.RawMessage) []sdk.Diagnostic {
		if bytes.Contains(config, []byte(`"rule"`)) {
			return nil
		}
		return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "A block is missing", Detail: "Add a rule."}}
	}
	const known = "Labels are positive, negative and neutral."
	plugin.Environments = []sdk.EnvironmentComponent{
		asking("label", known, 0), asking("once", known, 0), asking("single", known, 1),
		asking("big", strings.Repeat(known+" ", 2<<20/len(known)), 0),
	}
	plugin.Environments = append(plugin.Environments, sdk.EnvironmentComponent{
		Component:    sdk.Component{Type: "graded", Description: "Grades the last label at the end."},
		Capabilities: sdk.EnvironmentCapabilities{DeterministicUnderSeed: true, Needs: []sdk.Need{sdk.NeedGroundTruth}},
		New: func(context.Context, sdk.Setup) (sdk.Environment, error) {
			return &graded{labels{answer: known, most: 12, open: map[string]bool{}}, map[string]string{}}, nil
		},
	})
	plugin.Agents = []sdk.AgentComponent{{
		Component: sdk.Component{Type: "debate", Description: "Compares two samples with a judge."},
		New:       func(context.Context, sdk.Setup) (sdk.Agent, error) { return debate{}, nil },
	}}
	sdk.Serve(plugin)
}

// debate sends two concurrent requests to the policy, lets both conversations use tools, and has another member
// judge.
type debate struct{}

func (debate) Run(
	ctx context.Context, episode sdk.AgentRequest, model sdk.AgentModel, env sdk.AgentSession,
) (*sdk.AgentResponse, error) {
	talk := chat.New(model)
	var samples [2]*chat.Call
	for i := range samples {
		samples[i] = talk.Prepare(chat.Request{Messages: episode.Messages, Tools: episode.Tools})
	}
	replies, errs := make([]*sdk.ModelReply, len(samples)), make([]error, len(samples))
	var all sync.WaitGroup
	for i, sample := range samples {
		all.Go(func() { replies[i], errs[i] = sample.Do(ctx) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	last := sdk.Message{Role: sdk.RoleUser, Content: "Which is better?"}
	for i, reply := range replies {
		messages := append(slices.Clone(episode.Messages), reply.Message)
		if env != nil && len(reply.Message.ToolCalls) > 0 && i == 0 {
			step, err := env.Step(ctx, sdk.AgentStep{CallID: reply.CallID})
			if err != nil || step.Done {
				return nil, err
			}
			calls := append(make([]string, len(episode.Messages)), reply.CallID) // both samples may have the same text
			next, err := talk.Ask(ctx, chat.Request{
				Messages: append(messages, step.Messages...), Calls: calls, Tools: episode.Tools,
			})
			if err != nil {
				return nil, err
			}
			reply = next
		}
		last.Content += "\n" + reply.Message.Content
	}
	verdict, err := talk.Ask(ctx, chat.Request{Member: "judge", Messages: []sdk.Message{last}})
	if err != nil {
		return nil, err
	}
	return &sdk.AgentResponse{FinalAnswer: &verdict.Message.Content}, nil
}

func judging(name string, right func(truth, answer string) bool) sdk.RewardComponent {
	return grading(name, func(truth, answer string) float64 { return sdk.Flag(right(truth, answer)) })
}

func grading(name string, grade func(truth, answer string) float64) sdk.RewardComponent {
	score := func(_ context.Context, item sdk.ScoreItem) (float64, error) {
		var private struct {
			Truth any `json:"ground_truth"`
		}
		accepted, isList := []any{}, false
		if err := json.Unmarshal(item.Task.Private, &private); err == nil {
			if accepted, isList = private.Truth.([]any); !isList {
				accepted = []any{private.Truth}
			}
		}
		best := math.Inf(-1)
		for _, truth := range accepted {
			if text, ok := truth.(string); ok && text != "" {
				best = max(best, grade(text, strings.TrimSpace(item.FinalAnswer)))
			}
		}
		if math.IsInf(best, -1) {
			return 0, errors.New("the task has no ground_truth")
		}
		return best, nil
	}
	return sdk.RewardComponent{
		Component:    sdk.Component{Type: name, Description: "Compares an answer with the truth."},
		Capabilities: sdk.RewardCapabilities{BatchSize: 16, Needs: []sdk.Need{sdk.NeedGroundTruth}},
		New:          func(context.Context, sdk.Setup) (sdk.Reward, error) { return sdk.RewardFunc(score), nil },
	}
}

var box = regexp.MustCompile(`\\boxed\{([^{}]*)\}`)

// boxed accepts exactly one boxed answer, like rewards for mathematics.
func boxed(truth, answer string) bool {
	found := box.FindAllStringSubmatch(answer, -1)
	return len(found) == 1 && strings.TrimSpace(found[0][1]) == truth
}

var meanings = map[string]string{"yes": "yes", "true": "yes", "1": "yes", "no": "no", "false": "no", "0": "no"}

func yesOrNo(truth, answer string) bool {
	meant := meanings[strings.ToLower(answer)]
	return meant != "" && meant == meanings[truth]
}

// sameSet compares lists without regard to order.
func sameSet(truth, answer string) bool {
	items := func(text string) []string {
		list := strings.Split(text, ",")
		for i := range list {
			list[i] = strings.TrimSpace(list[i])
		}
		slices.Sort(list)
		return list
	}
	return slices.Equal(items(truth), items(answer))
}

func exactly(truth, answer string) bool { return truth == answer }

var numbers = regexp.MustCompile(`-?\d+(\.\d+)?`)

// lastNumber accepts text before the answer, like rewards for grade-school mathematics.
func lastNumber(truth, answer string) bool {
	found := numbers.FindAllString(answer, -1)
	return len(found) > 0 && found[len(found)-1] == truth
}

func within5Percent(truth, answer string) bool {
	want, err := strconv.ParseFloat(truth, 64)
	got, err2 := strconv.ParseFloat(answer, 64)
	return err == nil && err2 == nil && math.Abs(got-want) <= 0.05*math.Abs(want)
}

// commonWords returns the F1 score of the words, like rewards for questions about texts.
func commonWords(truth, answer string) float64 {
	want, got := strings.Fields(strings.ToLower(truth)), strings.Fields(strings.ToLower(answer))
	common := 0
	for _, word := range want {
		if i := slices.Index(got, word); i >= 0 {
			common++
			got = slices.Delete(got, i, i+1)
		}
	}
	return 2 * float64(common) / float64(len(want)+len(got)+common)
}

// relative scores an answer by its difference from the mean of its group.
type relative struct{}

func (relative) Score(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	out := &sdk.ScoreResponse{}
	mean := 0.0
	for _, item := range req.Items {
		right := bytes.Contains(item.Task.Private, []byte(strconv.Quote(item.FinalAnswer)))
		mean += sdk.Flag(right) / float64(len(req.Items))
		out.Items = append(out.Items, sdk.Scored{Score: sdk.Flag(right)})
	}
	for i, item := range req.Items {
		if out.Items[i].Score -= mean; !bytes.Contains(item.Task.Private, []byte("ground_truth")) {
			out.Items[i] = sdk.Scored{Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: "the task has no ground_truth"}}
		}
	}
	return out, nil
}

// asking returns an environment that accepts 12 episodes, and declares the limit if it is another one.
func asking(name, answer string, most int) sdk.EnvironmentComponent {
	return sdk.EnvironmentComponent{
		Component: sdk.Component{Type: name, Description: "Asks for a label."},
		Capabilities: sdk.EnvironmentCapabilities{
			DeterministicUnderSeed: true, MaxSessions: most, Needs: []sdk.Need{sdk.NeedGroundTruth},
		},
		New: func(context.Context, sdk.Setup) (sdk.Environment, error) {
			return &labels{answer: answer, ends: name == "once", slow: name == "slow", most: cmp.Or(most, 12),
				open: map[string]bool{}}, nil
		},
	}
}

// labels is an environment that names all labels. Each task has one of them as its truth.
type labels struct {
	answer string
	ends   bool // the first call ends the episode
	slow   bool // calls take a while
	most   int  // open episodes
	mu     sync.Mutex
	open   map[string]bool
}

func (l *labels) Open(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.open[req.EpisodeID] && len(l.open) >= l.most {
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: "too many episodes are open", Retryable: true}
	}
	l.open[req.EpisodeID] = true
	return &sdk.OpenResponse{
		InstanceID: req.EpisodeID,
		Messages:   []sdk.Message{{Role: sdk.RoleUser, Content: "Is it positive, negative or neutral?"}},
		Tools: []sdk.Tool{{Name: "label", Parameters: json.RawMessage(
			`{"type":"object","properties":{"label":{"type":"string","enum":["positive","negative","neutral"]}}}`)}},
	}, nil
}

func (l *labels) Step(_ context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	if l.slow && len(req.Message.ToolCalls) > 0 {
		time.Sleep(1100 * time.Millisecond)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.open[req.EpisodeID] {
		return nil, sdk.ErrSessionLost
	}
	out := &sdk.StepResponse{Done: l.ends && len(req.Message.ToolCalls) > 0}
	for _, call := range req.Message.ToolCalls {
		out.Messages = append(out.Messages, sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Content: l.answer})
	}
	return out, nil
}

// graded rewards the message without calls that ends an episode, according to the last call.
type graded struct {
	labels
	last map[string]string // the arguments of the last call, by episode
}

func (g *graded) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	out, err := g.labels.Step(ctx, req)
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, call := range req.Message.ToolCalls {
		g.last[req.EpisodeID] = string(call.Arguments)
	}
	if err == nil && len(req.Message.ToolCalls) == 0 {
		reward := sdk.Flag(strings.Contains(g.last[req.EpisodeID], "neutral"))
		out.Done, out.TurnReward = true, &reward
	}
	return out, err
}

func (l *labels) Close(_ context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, req.EpisodeID)
	return &sdk.CloseResponse{}, nil
}

// Answers that an honest reward accepts are not odd because the suite made them up. Text that an environment shows
// whatever the truth is does not reveal it.
func TestVerify_OddButHonestPluginsPass(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	report, err := conformance.Verify(t.Context(), conformance.Config{
		Command: []string{self}, Env: map[string]string{envHonest: "1"}, Dir: t.TempDir(), Fixtures: "testdata/honest.json",
		Only: []string{
			"AGT", "COM-VALIDATE", "ENV-OPEN", "ENV-STEP", "ENV-TEXT", "ENV-CANCEL", "ENV-REWARD", "ENV-DAEMON", "RWD-BATCH",
			"RWD-DIGIT", "RWD-EXEC", "RWD-NEAR", "RWD-TEXT", "RWD-SOURCE", "RWD-TRUTH",
			"RWD-SCORE-02", "RWD-HEDGE-01", "RWD-PAD-01", "RWD-ODD-01", "RWD-FORGE-02", "RWD-PRIVATE-01", "ENV-PRIVATE",
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	passed := map[string]int{}
	for _, r := range report.Results {
		if r.Status == conformance.Failed {
			t.Errorf("%s %s %s: %s", r.Component, r.Check.ID, r.Status, r.Reason)
		}
		if r.Status == conformance.Passed {
			passed[r.Check.ID]++
		}
	}
	for id, want := range map[string]int{"RWD-HEDGE-01": 4, "RWD-ODD-01": 4, "RWD-TRUTH-01": 3, "RWD-EXEC-01": 7,
		"RWD-SOURCE-01": 7, "RWD-NEAR-01": 3, "RWD-BATCH-01": 9, "RWD-BATCH-03": 7, "ENV-CANCEL-01": 5,
		"ENV-REWARD-02": 5, "ENV-TEXT-01": 5, "COM-VALIDATE-03": 1, "RWD-TEXT-02": 9, "RWD-TRUTH-03": 0,
		"RWD-DIGIT-01": 6, "AGT-SAME-02": 1, "AGT-SAME-03": 1, "AGT-RUN-01": 1} {
		if passed[id] != want {
			t.Errorf("%d components passed %s, want %d", passed[id], id, want)
		}
	}
}

// A slow call is allowed if the calls of other episodes do not wait for it.
func TestVerify_SlowCallsPass(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	report, err := conformance.Verify(t.Context(), conformance.Config{
		Command: []string{self}, Env: map[string]string{envHonest: "slow"}, Dir: t.TempDir(), Only: []string{"ENV-WAIT-01"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status != conformance.Passed {
			t.Errorf("%s %s: %s", r.Check.ID, r.Status, r.Reason)
		}
	}
}
