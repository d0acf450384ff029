package result_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// A called member appears below its caller.
func TestEpisode_IsATreeOfWhoAskedWhom(t *testing.T) {
	reward, solved := 0.5, true
	e := runstore.Episode{Standing: runstore.Counted, EpisodeRecord: runstore.EpisodeRecord{
		EpisodeID: "e1", TaskID: "t1", Outcome: sdk.OutcomeScored, Reward: &reward, IsSuccess: &solved, FinalAnswer: "42",
		Slot:       runstore.Slot{Stage: "main", Split: sdk.SplitTrain, Step: 3, Group: "g", Sample: 1},
		Components: runstore.Numbers{"reward.gaia.answer": 1},
		Timings:    runstore.Timings{QueueMillis: 0.25, ModelMillis: 15000, EnvironmentMillis: 4999.75},
		Chains:     []runstore.Chain{{Chain: "c1", Train: true}, {Chain: "c2"}},
		Transcripts: []runstore.TranscriptPart{
			{Agent: "lead", Messages: []sdk.Message{
				{Role: sdk.RoleUser, Content: "17+25?"},
				{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{Name: "solver", Arguments: `{"content":"add"}`}}},
			}},
			{Agent: "solver", Depth: 1, Messages: []sdk.Message{
				{Role: sdk.RoleUser, Content: "add"}, {Role: sdk.RoleAssistant, Name: "solver", Content: "42\nor so"},
			}},
			{Agent: "lead", Messages: []sdk.Message{
				{
					Role: sdk.RoleTool, Content: `{"sum":42}`, Images: []sdk.Image{{MIMEType: "image/gif", Data: []byte("x")}},
					Attachments: []sdk.Attachment{
						{Kind: sdk.AttachmentImage, MIMEType: "image/png", SHA256: "5e0f", Size: 68, File: "attachments/5e0f"},
						{Kind: sdk.AttachmentAudio, MIMEType: "audio/wav", SHA256: "6a", Size: 1 << 30},
						{Kind: sdk.AttachmentLink, URI: "https://x/\x1b[31my", Name: "more"},
						{Kind: sdk.AttachmentStructured, JSON: []byte(`{"sum":42}`)},
						{Kind: sdk.AttachmentStructured, JSON: []byte(`{"sum":43}`)},
					},
				},
				{Role: sdk.RoleAssistant, Content: "42"},
			}},
		},
		Members: []runstore.MemberRecord{
			{Agent: "react.lead", Turns: 2, PromptTokens: 30, OutputTokens: 12, ModelMillis: 1500},
			{
				Agent: "react.solver", Turns: 1, PromptTokens: 7, OutputTokens: 3, ModelMillis: 250,
				Model: "model.openai.m", CostUSD: 0.00045,
			},
			{Agent: "react.critic", Turns: 1, PromptTokens: 5, OutputTokens: 1, ModelMillis: 250, Model: "model.openai.n"},
		},
	}}
	var page bytes.Buffer
	calls := []runstore.CallRecord{
		{CallID: "e1/1", Chain: "c1", Agent: "lead", Length: 2, PromptTokens: 9, OutputTokens: 4, Finish: "STOP"},
		{CallID: "e1/2", Chain: "c2", Length: 2, PromptTokens: 20, OutputTokens: 1, Attempt: 2},
		{CallID: "e1/3", Chain: "c1", Length: 4, PromptTokens: 15, OutputTokens: 3, Finish: "LENGTH"},
	}
	result.EpisodeOf(e, calls...).Text(text.NewPrinter(&page, text.Terminal{Styles: text.Plain()}))
	const want = `  episode  e1
  task     t1
  train    main, step 3, group g, sample 1
  outcome  scored, counted

lead
  user       17+25?
  assistant  → solver {"content":"add"}
│ solver
│   user       add
│   assistant  42
│              or so
lead
  tool       {"sum":42}
             + image, image/gif, 1 bytes
             + image, image/png, 68 bytes: attachments/5e0f
             + audio, audio/wav, 1073741824 bytes: not kept, sha256 6a
             + link, more https://x/\x1b[31my
             + structured
             + structured: {"sum":43}
  assistant  42

MEMBER        TURNS  PROMPT TOKENS  OUTPUT TOKENS  SECONDS  MODEL                 COST
react.lead        2             30             12    1.500  the policy
react.solver      1              7              3    0.250  model.openai.m  $0.0004500
react.critic      1              5              1    0.250  model.openai.n

  answer         42
  reward         0.500, solved
    gaia.answer  1.000

calls of the program
  ├ e1/1: chain c1, lead, trained, 9 → 4 tokens, stop
  ├ e1/2: chain c2, not trained, 20 → 1 tokens, attempt 2
  │ ├ e1/3: chain c1, trained, 15 → 3 tokens, length

where 20.00 s went
  queue     █                                          0.250 ms  waits for a slot
  model     ██████████████████████████████              15.00 s  messages of models
  tool                                    ██████████    5000 ms  environment
`
	if diff := cmp.Diff(want, page.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
