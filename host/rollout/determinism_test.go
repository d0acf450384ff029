package rollout

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/sdk"
)

// weather holds the conditions of a run that must not affect its results.
type weather struct {
	concurrency int
	shuffle     uint64 // seed of durations and of the order of requests
	kills       bool   // plugins die during the run
	renamed     bool   // the trainer uses random group names
}

func (w weather) String() string {
	return fmt.Sprintf("concurrency %d, shuffle %d, kills %v, renamed %v", w.concurrency, w.shuffle, w.kills, w.renamed)
}

// diary holds the results of a run.
type diary struct {
	Episodes []string // slot, hash and messages, in slot order
	Reports  []string
}

// TestRunsAreEqualWhateverTheWeather runs three steps and a validation with failures of all kinds, which depend only
// on seeds, under different concurrency, timing and kills.
func TestRunsAreEqualWhateverTheWeather(t *testing.T) {
	want := runIn(t, weather{concurrency: 1})
	if n := len(want.Episodes); n != 3*32+16 {
		t.Fatalf("%d episodes are on record, want %d", n, 3*32+16)
	}
	for _, w := range []weather{
		{concurrency: 1, shuffle: 1},
		{concurrency: 64, shuffle: 2},
		{concurrency: 64, shuffle: 3, kills: true},
		{concurrency: 3, shuffle: 4, kills: true},
		{concurrency: 1, renamed: true},
		{concurrency: 64, shuffle: 5, renamed: true},
	} {
		if diff := gocmp.Diff(want, runIn(t, w)); diff != "" {
			t.Errorf("%v: another run (-want +got):\n%s", w, diff)
		}
	}
}

// groupNames matches the group names in a report.
var groupNames = regexp.MustCompile(`"Group":"[^"]*"`)

func runIn(t *testing.T, w weather) (d diary) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := weatherRig(w)
		r.start(t)
		luck := rand.New(rand.NewPCG(w.shuffle, 0))
		for step := 1; step <= 3; step++ {
			var requests []sdk.EpisodeRequest
			for group := range 8 {
				name := fmt.Sprintf("%x", luck.Uint64())
				for i := range 4 {
					req := sample(step, group, i)
					if w.renamed {
						req.GroupID = name
					}
					req.EpisodeID += fmt.Sprintf("-incarnation%d", w.shuffle)
					requests = append(requests, req)
				}
			}
			if step == 2 {
				for task := range 16 {
					requests = append(requests, probe(task))
				}
			}
			luck.Shuffle(len(requests), func(i, j int) { requests[i], requests[j] = requests[j], requests[i] })
			r.runAll(t, requests...)
			ended := r.boundary(step, step == 2)
			ended.Counted = nil // ids differ between incarnations
			report, err := json.Marshal(ended)
			if err != nil {
				t.Fatal(err)
			}
			d.Reports = append(d.Reports, groupNames.ReplaceAllString(string(report), `"Group":""`))
		}
		d.Episodes = entries(r.sink.episodes)
	})
	return d
}

func entries(records []*EpisodeRecord) []string {
	slices.SortFunc(records, func(a, b *EpisodeRecord) int { return slot.Compare(a.Slot, b.Slot) })
	var list []string
	for _, r := range records {
		said := ""
		for _, m := range r.Messages {
			said += "|" + m.Content
		}
		slot := r.Slot
		slot.Group = ""
		list = append(list, fmt.Sprintf("%v %d %s %s %s", slot, r.EnvironmentSeed, r.Hash, r.Outcome, said))
	}
	return list
}

// weatherRig returns a rig that fails by seed: some environments break in the first attempt, some permanently, some
// messages are malformed, and some answers cannot be judged.
func weatherRig(w weather) *rig {
	r := newRig()
	r.setup.Rewards = append(r.setup.Rewards, RewardBinding{
		Address: "reward.rank.g", Reward: groupFunc(rankByAnswer), Capabilities: sdk.RewardCapabilities{GroupRelative: true},
	})
	r.setup.Compose = func(in ComposeInputs) (ComposeResult, error) {
		own, rank := in.Rewards["reward.fake.r"], in.Rewards["reward.rank.g"]
		if own.Failure != nil || rank.Failure != nil {
			return ComposeResult{}, cmp.Or(own.Failure, rank.Failure)
		}
		return ComposeResult{Reward: own.Score/3 + rank.Score/7, Success: own.IsSuccess}, nil
	}
	r.setup.MinGroup = 2
	r.setup.Concurrency = w.concurrency
	r.setup.Breaker = BreakerSettings{FailedFraction: 0.05, Window: 50, MinEpisodes: 20}
	r.setup.Policy = DefaultPolicy()
	r.setup.Policy[sdk.FailurePolicy] = ClassPolicy{Actions: []sdk.FailureAction{sdk.ActionRetry, sdk.ActionScore},
		Budget: 1}
	r.setup.Madness = map[string]*MadnessBinding{"react.solver": inNoForm()}
	revive(r)

	var mu sync.Mutex
	luck := rand.New(rand.NewPCG(w.shuffle, 1))
	chance := func(n int) bool { mu.Lock(); defer mu.Unlock(); return luck.IntN(n) == 0 }
	delay := func() error {
		mu.Lock()
		d := time.Duration(luck.IntN(1000)) * time.Millisecond
		mu.Unlock()
		if w.shuffle > 0 {
			time.Sleep(d)
		}
		if w.kills && chance(20) {
			return fmt.Errorf("transport is closing: %w", verdict.ErrPluginLost)
		}
		if w.kills && chance(20) {
			return sdk.ErrSessionLost
		}
		return nil
	}
	r.env.onOpen = func(_ context.Context, req sdk.OpenRequest) error {
		if err := delay(); err != nil {
			return err
		}
		// By the seed, the first attempt fails, or all do. A kill must not use up such a failure.
		if req.Seed%11 == 0 || (req.Seed%5 == 0 && strings.HasPrefix(req.EpisodeID, "s") && !seenBroken(r, req)) {
			return errors.New("the desk collapsed")
		}
		return nil
	}
	r.env.onStep = func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error) { return nil, delay() }
	r.env.onClose = func(context.Context, sdk.CloseRequest) error { return delay() }
	r.policy.before = func(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
		if err := delay(); err != nil {
			return nil, err
		}
		if req.Seed%6 == 0 {
			return r.policy.say(req, sdk.Message{Content: "{", Malformed: []sdk.Malformed{{Text: "{", Reason: "cut"}}}), nil
		}
		return nil, nil
	}
	r.setup.Rewards[0].Reward = rewardFunc(func(ctx context.Context, item sdk.ScoreItem) (sdk.Scored, error) {
		if err := delay(); err != nil {
			return sdk.Scored{}, err
		}
		if strings.HasSuffix(item.FinalAnswer, "3") {
			return sdk.Scored{Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: "unlucky"}}, nil
		}
		return answerValue(ctx, item)
	})
	return r
}

// seenBroken reports whether an episode's desk has collapsed before, and records that it collapses now.
func seenBroken(r *rig, req sdk.OpenRequest) bool {
	id, _, _ := strings.Cut(req.EpisodeID, "#")
	r.env.mu.Lock()
	defer r.env.mu.Unlock()
	seen := r.env.sessions["broken "+id]
	r.env.sessions["broken "+id] = true
	return seen
}

func rankByAnswer(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	resp := &sdk.ScoreResponse{}
	for _, item := range req.Items {
		better := 0
		for _, other := range req.Items {
			better += one(other.FinalAnswer < item.FinalAnswer)
		}
		resp.Items = append(resp.Items, sdk.Scored{Score: float64(better) + float64(req.Missing)/10})
	}
	return resp, nil
}

func TestRecordHashSeesWhatCountsAndNothingElse(t *testing.T) {
	fresh := func() *EpisodeRecord {
		r := newRig()
		r.start(t)
		req := sample(1, 1, 0)
		req.EpisodeID = fmt.Sprint("e", rand.Int())
		r.run(t, req)
		return r.sink.last(t)
	}
	record := fresh()
	base := record.Canonical()
	if record.Hash != base {
		t.Errorf("the record says %s, its content %s", record.Hash, base)
	}
	for name, change := range map[string]func(r *EpisodeRecord){
		"another id":     func(r *EpisodeRecord) { *r = *fresh() },
		"attempt":        func(r *EpisodeRecord) { r.Attempt++ },
		"times":          func(r *EpisodeRecord) { r.Started = r.Started.Add(1); r.Timings.Queue++; r.Turns[0].Model++ },
		"losses":         func(r *EpisodeRecord) { r.Losses++ },
		"judge's costs":  func(r *EpisodeRecord) { r.RewardMetrics = map[string]float64{"tokens": 1} },
		"failure detail": func(r *EpisodeRecord) { r.CancelReason = "pid 17 died" },
	} {
		changed := fresh()
		change(changed)
		if changed.Canonical() != base {
			t.Errorf("%s: changes the hash", name)
		}
	}
	zero := 0.0
	for name, change := range map[string]func(r *EpisodeRecord){
		"slot":    func(r *EpisodeRecord) { r.Slot.Sample++ },
		"draw":    func(r *EpisodeRecord) { r.Draw++ },
		"task":    func(r *EpisodeRecord) { r.TaskID += "x" },
		"seed":    func(r *EpisodeRecord) { r.EnvironmentSeed++ },
		"version": func(r *EpisodeRecord) { r.PolicyVersion++ },
		"said":    func(r *EpisodeRecord) { r.Messages[1].Content += " " },
		"moved text": func(r *EpisodeRecord) {
			r.Messages[0].Content, r.Messages[0].Reasoning = "",
				r.Messages[0].Content
		},
		"arguments":      func(r *EpisodeRecord) { r.Messages[1].ToolCalls[0].Arguments = "{}" },
		"tools":          func(r *EpisodeRecord) { r.Tools = nil },
		"turn":           func(r *EpisodeRecord) { r.Turns[0].OutputTokens++ },
		"turn version":   func(r *EpisodeRecord) { r.Turns[0].Versions = nil },
		"chain":          func(r *EpisodeRecord) { r.Chains[0].Digest = "" },
		"what is train":  func(r *EpisodeRecord) { r.Chains[0].Train = false },
		"score":          func(r *EpisodeRecord) { r.Scores[0].Score++ },
		"component":      func(r *EpisodeRecord) { r.Scores[0].Components["raw"]++ },
		"outcome":        func(r *EpisodeRecord) { r.Outcome = sdk.OutcomeTruncated },
		"reward":         func(r *EpisodeRecord) { r.Reward = &zero },
		"success":        func(r *EpisodeRecord) { r.IsSuccess = nil },
		"failure class":  func(r *EpisodeRecord) { r.Failure = &sdk.Failure{Class: sdk.FailureModel} },
		"masked":         func(r *EpisodeRecord) { r.Masked = true },
		"drop group":     func(r *EpisodeRecord) { r.DropGroup = true },
		"finish":         func(r *EpisodeRecord) { r.Finish = "" },
		"state":          func(r *EpisodeRecord) { r.StateDigest = "" },
		"metrics":        func(r *EpisodeRecord) { r.Metrics = nil },
		"turn reward":    func(r *EpisodeRecord) { r.TurnRewards = []sdk.TurnReward{{}} },
		"policy retries": func(r *EpisodeRecord) { r.Redraws++ },
	} {
		changed := fresh()
		change(changed)
		if changed.Canonical() == base {
			t.Errorf("%s: does not change the hash", name)
		}
	}
}
