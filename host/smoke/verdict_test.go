package smoke

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// played returns an episode with tool calls, of which some were not answered.
func played(sample int, reward *float64, calls, answers int) runstore.Episode {
	e := runstore.Episode{EpisodeRecord: runstore.EpisodeRecord{
		Slot: runstore.Slot{Stage: "main", Split: sdk.SplitTrain, Sample: sample}, Outcome: sdk.OutcomeScored, Reward: reward,
		NumTurns: 1,
	}, Use: sdk.ConsumedTrained}
	var messages []sdk.Message
	for i := range calls {
		messages = append(messages, sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{Name: "t"}}})
		if i < answers {
			messages = append(messages, sdk.Message{Role: sdk.RoleTool, Content: "1"})
		}
	}
	e.Transcripts = []runstore.TranscriptPart{{Messages: messages}}
	return e
}

func failed(sample int, class sdk.FailureClass, detail string) runstore.Episode {
	e := played(sample, nil, 0, 0)
	e.Outcome, e.Failure, e.Use = sdk.OutcomeFailed, &sdk.Failure{Class: class, Detail: detail}, sdk.ConsumedMasked
	return e
}

func scored(sample int, reward float64, components ...float64) runstore.Episode {
	e := played(sample, &reward, 1, 1)
	e.Components = runstore.Numbers{"reward.gaia.answer": reward}
	for _, v := range components {
		e.Components["reward.gaia.answer.exact"] = v
	}
	return e
}

func TestVerdict(t *testing.T) {
	completed := event.RunFinished{Outcome: event.RunCompleted}
	for name, c := range map[string]struct {
		episodes []runstore.Episode
		read     reading
		steps    int
		result   event.RunFinished
		reasons  []string // beginnings
		remarks  []string // beginnings
	}{
		"all is well": {
			episodes: []runstore.Episode{scored(0, 0), scored(1, 1)}, read: reading{Tools: 1, Calls: 1}, steps: 2,
			result: completed,
		},
		"a constant reward is asked about": {
			episodes: []runstore.Episode{scored(0, 0, 1), scored(1, 0, 1)}, read: reading{Tools: 1, Calls: 1}, steps: 2,
			result:  completed,
			remarks: []string{"reward.gaia.answer was 0 in all 2 episodes"},
		},
		"nothing has a number": {
			episodes: []runstore.Episode{failed(0, sdk.FailureAgent, "no such model"), failed(1, sdk.FailureReward, "later")},
			steps:    2, result: completed,
			reasons: []string{"none of 2 episodes got a number. AGENT: no such model"},
			remarks: []string{"no update used a sample"},
		},
		"a reward without numbers beside another": {
			episodes: []runstore.Episode{played(0, pointer(1.0), 0, 0), failed(1, sdk.FailureReward, "no ground truth")},
			steps:    2, result: completed,
			reasons: []string{"reward.gaia.answer returned no number in any of 2 episodes. no ground truth"},
			remarks: []string{"1 of 2 episodes got no number. REWARD: no ground truth"},
		},
		"one answer is enough": {
			episodes: []runstore.Episode{scored(0, 1), func() runstore.Episode {
				e := scored(1,
					0)
				e.Transcripts = nil
				return e
			}()},
			read: reading{Tools: 3, Calls: 2}, steps: 2, result: completed,
		},
		"no answer at all": {
			episodes: []runstore.Episode{failed(1, sdk.FailureEnvironment, "connection refused"),
				func() runstore.Episode { e := scored(0, 0); e.Transcripts = nil; return e }()},
			read: reading{Tools: 3, Calls: 2}, steps: 2, result: completed,
			reasons: []string{"the environment returned no result for any of 2 tool calls. ENVIRONMENT: connection refused"},
			remarks: []string{"1 of 2 episodes got no number"},
		},
		"a parser of another format": {
			episodes: []runstore.Episode{scored(0, 0), scored(1, 1)}, read: reading{Tools: 1, Calls: 4, Misread: 4,
				Example: "the call x was parsed as text"}, steps: 2, result: completed,
			reasons: []string{"none of 4 tool calls was parsed as it was written: the call x was parsed as text. The " +
				"codec that the adapter's tool_format selects"},
		},
		"a parser that errs now and then": {
			episodes: []runstore.Episode{scored(0, 0), scored(1, 1)}, read: reading{Tools: 1, Calls: 4, Misread: 1,
				Example: "the call x was parsed as y"}, steps: 2, result: completed,
			remarks: []string{"1 of 4 tool calls were parsed differently than they were written: the call x was parsed as y"},
		},
		"a step without a checkpoint": {
			episodes: []runstore.Episode{scored(0, 0), scored(1, 1)}, steps: 1, result: completed,
			reasons: []string{"1 of 2 steps have a checkpoint"},
		},
		"no episodes": {steps: 2, result: completed, reasons: []string{"no episode ended"}},
		"a run that failed": {
			episodes: []runstore.Episode{scored(0, 0), scored(1, 1)},
			result:   event.RunFinished{Outcome: event.RunFailed, Reason: "out of memory"},
			reasons:  []string{"the run did not complete: out of memory"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSum(plan.Stage{Stage: &spec.Stage{Name: "main"}, Steps: 2})
			s.rewards, s.out.Steps = []string{"reward.gaia.answer"}, c.steps
			for _, e := range c.episodes {
				s.add(e)
			}
			script := NewScript()
			script.stages["main"] = &c.read
			v := verdict{result: c.result}
			v.look(s.stage(script), s)
			got, reasons, remarks := v.judge()
			if pass := got == event.SmokePass; pass != (len(c.reasons) == 0) {
				t.Errorf("verdict %s with reasons %q", got, reasons)
			}
			begins(t, "reason", reasons, c.reasons)
			begins(t, "remark", remarks, c.remarks)
		})
	}
}

func begins(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("no %s %q", what, want[i])
		case i >= len(want):
			t.Errorf("%s %q", what, got[i])
		case !strings.HasPrefix(got[i], want[i]):
			t.Errorf("%s %q, want %q", what, got[i], want[i])
		}
	}
}

func pointer[T any](v T) *T { return &v }

func TestSum_TellsScriptedFromSampled(t *testing.T) {
	s := newSum(plan.Stage{Stage: &spec.Stage{Name: "main"}, Steps: 2})
	s.rewards = []string{"reward.gaia.answer"}
	wrong := played(1, pointer(0.5), 2, 1)
	wrong.Transcripts[0].Messages = append(wrong.Transcripts[0].Messages,
		sdk.Message{Role: sdk.RoleTool, Content: "no such file", IsError: true})
	validated := scored(1, 0.25, 1)
	validated.Slot.Split, validated.Use = sdk.SplitValidation, runstore.UseValidated
	for _, e := range []runstore.Episode{scored(0, 0, 0), wrong, validated} {
		s.add(e)
	}
	got := s.stage(NewScript())
	if got.Episodes != 3 || got.Validation != 1 || got.Trained != 2 {
		t.Errorf("%d episodes, %d of validations, %d trained; want 3, 1, 2", got.Episodes, got.Validation, got.Trained)
	}
	if e := got.Scripted; e.Episodes != 2 || e.ToolCalls != 3 || e.Answers != 3 || e.Errors != 1 ||
		e.Outcomes[sdk.OutcomeScored] != 2 {
		t.Errorf("scripted: %+v", e)
	}
	if e := got.Sampled; e.Episodes != 1 || e.ToolCalls != 1 || e.Answers != 1 || e.Errors != 0 {
		t.Errorf("sampled: %+v", e)
	}
	if s.toolError != "no such file" {
		t.Errorf("first error of a tool: %q", s.toolError)
	}
	var names []string
	for _, r := range got.Rewards {
		names = append(names, r.Name)
	}
	if strings.Join(names, " ") != "reward reward.gaia.answer reward.gaia.answer.exact" {
		t.Errorf("rewards %q", names)
	}
	if r := got.Rewards[0]; r.Numbers != 3 || r.Min != event.Known(0) || r.Mean != event.Known(0.25) ||
		r.Max != event.Known(0.5) {
		t.Errorf("reward: %+v", r)
	}
	if r := got.Rewards[1]; r.Numbers != 2 || r.Episodes != 3 {
		t.Errorf("reward.gaia.answer: %+v", r)
	}
}
