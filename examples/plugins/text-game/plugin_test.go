package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/conformance"
	"github.com/awhost/awhost/sdk/sdktest"
)

func TestConformance(t *testing.T) {
	program := filepath.Join(t.TempDir(), "text-game")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	conformance.Run(t, conformance.Config{Command: []string{program}, Fixtures: "conformance.json"})
}

// player plays one episode over the real protocol.
type player struct {
	*testing.T
	sdk.Environment
	episode string
	steps   int
}

func open(t *testing.T, config map[string]any, public string) *player {
	t.Helper()
	p := &player{T: t, Environment: sdktest.Environment(t, plugin(), "castle", config), episode: "e"}
	if _, err := p.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e", Seed: 1,
		Task: sdk.Task{ID: "t", Public: json.RawMessage(public)}}); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *player) call(name, arguments string) *sdk.StepResponse {
	p.Helper()
	p.steps++
	out, err := p.Step(p.Context(), sdk.StepRequest{EpisodeID: p.episode, StepID: fmt.Sprint(p.steps),
		Message: sdk.Message{
			Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "1", Name: name, Arguments: arguments}},
		}})
	if err != nil {
		p.Fatal(err)
	}
	return out
}

// state returns the snapshot that rewards receive.
func (p *player) state() json.RawMessage {
	p.Helper()
	out, err := p.Environment.(sdk.EnvironmentWithSnapshot).Snapshot(p.Context(), p.episode)
	if err != nil {
		p.Fatal(err)
	}
	return out
}

// win plays a castle of two rooms, in which the treasure is behind the only door.
func (p *player) win() (last *sdk.StepResponse) {
	p.Helper()
	for _, d := range directions {
		p.call("walk", fmt.Sprintf(`{"direction":%q}`, d))
		if last = p.call("take", `{"item":"treasure"}`); last.Done {
			break
		}
	}
	return last
}

func TestEpisode_IsWonByTakingTheTreasure(t *testing.T) {
	p := open(t, nil, `{"rooms":2,"locks":0}`)
	reward := sdktest.Reward(t, plugin(), "castle_treasure", nil)
	before := scored(t, reward, p.state())
	out := p.win()
	if !out.Done || out.TurnReward == nil || *out.TurnReward != 1 {
		t.Fatalf("with the treasure: %+v, want the end and a turn reward of 1", out)
	}
	after := scored(t, reward, p.state())
	if before.Score != 0 || after.Score != 1 || !*after.IsSuccess {
		t.Errorf("the reward is %g before and %g after", before.Score, after.Score)
	}
	closed, err := p.Close(t.Context(), sdk.CloseRequest{EpisodeID: "e"})
	if err != nil || closed.Metrics["won"] != 1 || closed.StateDigest == "" {
		t.Errorf("closed: %+v, %v", closed, err)
	}
}

func scored(t *testing.T, reward sdk.Reward, state json.RawMessage) sdk.Scored {
	t.Helper()
	out, err := reward.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{{EpisodeID: "e",
		Task: sdk.Task{ID: "t", Public: json.RawMessage("{}")}, State: state}}})
	if err != nil {
		t.Fatal(err)
	}
	return out.Items[0]
}

func TestEpisode_IsCutOffAfterTooManyActions(t *testing.T) {
	p := open(t, map[string]any{"max_actions": 2}, `{"rooms":5,"locks":1}`)
	if out := p.call("look", "{}"); out.Done {
		t.Fatal("the episode has ended after one of two actions")
	}
	if out := p.call("look", "{}"); !out.Done || !out.Truncated || out.TurnReward != nil {
		t.Errorf("after two of two actions: %+v", out)
	}
}

func TestMistakes_AreAnsweredAndCounted(t *testing.T) {
	p := open(t, nil, `{"rooms":2,"locks":0}`)
	for _, call := range [][2]string{{"fly", "{}"}, {"walk", "[]"}, {"walk", `{"direction":"up"}`},
		{"take", `{"item":"moon"}`}} {
		out := p.call(call[0], call[1])
		if len(out.Messages) != 1 || !out.Messages[0].IsError || out.Done {
			t.Errorf("%s(%s): %+v", call[0], call[1], out)
		}
	}
	var s state
	if err := json.Unmarshal(p.state(), &s); err != nil || s.Mistakes != 4 {
		t.Errorf("state %+v, %v: want 4 mistakes", s, err)
	}
}

func TestTasks_AreOfItsOwnAndNeverOfBothSplits(t *testing.T) {
	e := sdktest.Environment(t, plugin(), "castle", nil).(sdk.EnvironmentWithTasks)
	list := func(split sdk.Split, cursor int) (ids []string) {
		if err := e.Tasks(t.Context(), split, cursor, func(task sdk.Task) bool {
			ids = append(ids,
				task.ID)
			return true
		}); err != nil {
			t.Fatal(err)
		}
		return ids
	}
	train, validation := list(sdk.SplitTrain, 0), list(sdk.SplitValidation, 0)
	if len(train) != 1000 || len(validation) != 100 {
		t.Errorf("%d and %d tasks", len(train), len(validation))
	}
	if diff := cmp.Diff(train[998:], list(sdk.SplitTrain, 998)); diff != "" {
		t.Errorf("from cursor 998 on:\n%s", diff)
	}
	both := map[string]bool{}
	for _, id := range append(train, validation...) {
		if both[id] {
			t.Errorf("%s is there twice", id)
		}
		both[id] = true
	}
}

func TestSizesThatDoNotExist_AreRefused(t *testing.T) {
	e := sdktest.Environment(t, plugin(), "castle", nil)
	for _, public := range []string{`{"rooms":1}`, `{"rooms":"many"}`} {
		if _, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e",
			Task: sdk.Task{ID: "t", Public: json.RawMessage(public)}}); err == nil {
			t.Errorf("%s was opened", public)
		}
	}
}

func TestSessions_AreBounded(t *testing.T) {
	e := sdktest.Environment(t, plugin(), "castle", nil)
	at := func(i int) error {
		_, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: fmt.Sprint(i),
			Task: sdk.Task{ID: "t", Public: json.RawMessage(`{"rooms":2,"locks":0}`)}})
		return err
	}
	for i := range maxSessions {
		if err := at(i); err != nil {
			t.Fatal(err)
		}
	}
	var failure *sdk.Failure
	if err := at(maxSessions); !errors.As(err, &failure) || !failure.Retryable {
		t.Errorf("one more: %v, want a retryable failure", err)
	}
	if err := at(0); err != nil {
		t.Errorf("one of them again: %v", err)
	}
}
