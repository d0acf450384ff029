package result_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

func TestEpisode_SaysWhichLimitCutIt(t *testing.T) {
	reward := 0.0
	e := runstore.Episode{Standing: runstore.Counted, EpisodeRecord: runstore.EpisodeRecord{
		EpisodeID: "e1", TaskID: "t1", Outcome: sdk.OutcomeTruncated, Reward: &reward, FinalAnswer: "It is",
		Slot: runstore.Slot{Stage: "main", Split: sdk.SplitTrain, Step: 3, Group: "g", Sample: 1},
		Transcripts: []runstore.TranscriptPart{{Messages: []sdk.Message{
			{Role: sdk.RoleUser, Content: "17+25?"}, {Role: sdk.RoleAssistant, Content: "It is"},
		}}},
		Limit: &runstore.Limit{Name: "context", Detail: "193 of 192 tokens\x1b[31m"},
	}}
	var page bytes.Buffer
	result.EpisodeOf(e).Text(text.NewPrinter(&page, text.Terminal{Styles: text.Plain()}))
	const want = `  episode  e1
  task     t1
  train    main, step 3, group g, sample 1
  outcome  truncated, counted

user       17+25?
assistant  It is

truncated: the conversation does not fit the model's context: 193 of 192 tokens\x1b[31m
  answer  It is
  reward  0
`
	said, _, _ := strings.Cut(page.String(), "\nwhere ")
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLimitWords(t *testing.T) {
	for _, c := range []struct {
		limit runstore.Limit
		words string
		cuts  bool
	}{
		{runstore.Limit{Name: "message_tokens", Value: 60}, "the last message reached message_tokens = 60", true},
		{
			runstore.Limit{Name: "max_message_tokens", Value: 60, Of: "agent.react.solver"},
			"the last message reached max_message_tokens = 60, of agent.react.solver", true,
		},
		{
			runstore.Limit{Name: "max_tokens", Value: 60, Of: "model.openai.big"},
			"the last message reached max_tokens = 60, of model.openai.big", true,
		},
		{
			runstore.Limit{Name: "request_max_tokens", Value: 60, Of: "agent.python.mine"},
			"the last message reached max_tokens = 60 of its request, of agent.python.mine", true,
		},
		{runstore.Limit{Name: "response_tokens", Value: 512}, "the conversation reached response_tokens = 512", true},
		{
			runstore.Limit{Name: "max_turns", Value: 4, Of: "swarm.team.desk"},
			"the conversation reached max_turns = 4, of swarm.team.desk", false,
		},
		{
			runstore.Limit{Name: "environment_max_turns", Value: 9},
			"the conversation reached the environment's limit of 9 turns", false,
		},
		{runstore.Limit{Name: "environment"}, "the environment reached its own limit", false},
		{runstore.Limit{Name: "context", Value: 192}, "the model's context was full at 192 tokens", true},
		{runstore.Limit{Name: "context"}, "the conversation does not fit the model's context", true},
	} {
		if got, cuts := result.LimitWords(c.limit), result.CutsTokens(c.limit); got != c.words || cuts != c.cuts {
			t.Errorf("%+v: %q, cuts %t; want %q, %t", c.limit, got, cuts, c.words, c.cuts)
		}
	}
}
