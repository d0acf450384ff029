package ui

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/host/ui/internal/index"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk"
)

// episodePage holds everything that is recorded about an episode. Its members have the same names as in the journal's
// records. The private parts of tasks are not recorded.
type episodePage struct {
	Episode        episodeLine               `json:"episode"`
	Transcripts    []runstore.TranscriptPart `json:"transcripts"`
	UnsampledSteps []runstore.UnsampledStep  `json:"own_steps,omitempty"`
	Members        []runstore.MemberRecord   `json:"members,omitempty"`
	Chains         []runstore.Chain          `json:"chains,omitempty"`
	Calls          []result.PolicyCall       `json:"calls,omitempty"` // calls recorded by a gateway
	Callers        []runstore.Caller         `json:"callers,omitempty"`
	Attempts       []attemptLine             `json:"attempts"` // the last one counts
	Failure        *sdk.Failure              `json:"failure,omitempty"`
	Limit          *limitLine                `json:"limit,omitempty"` // the limit that cut the conversation
	Reward         rewardPage                `json:"reward"`
	Masked         bool                      `json:"masked,omitempty"`
	DropGroup      bool                      `json:"drop_group,omitempty"`
	Lone           bool                      `json:"lone_survivor,omitempty"`
	Use            sdk.Consumption           `json:"use,omitempty"` // set if the episode counts
	UsedIn         *int                      `json:"used_in,omitempty"`
	Why            string                    `json:"why,omitempty"` // why it was not trained, as in runstore.Consumed
	Madness        []runstore.MadnessRecord  `json:"madness,omitempty"`
	Scan           []scan.Hit                `json:"scan,omitempty"`
	Times          []result.Span             `json:"times"`
	TimesAre       string                    `json:"times_are"` // spans or sums
	State          json.RawMessage           `json:"state,omitempty"`
	Metadata       json.RawMessage           `json:"metadata,omitempty"`
	Metrics        runstore.Numbers          `json:"metrics,omitempty"`
	Seeds          runstore.Seeds            `json:"seeds"`
	Version        int64                     `json:"policy_version"`
	Started        time.Time                 `json:"started,omitzero"`
	Siblings       []episodeLine             `json:"siblings"` // including itself
	Tokens         *tokenPage                `json:"tokens,omitempty"`
	Commands       []string                  `json:"commands"`
	Played         *runstore.Played          `json:"played,omitempty"` // episode played for a user, and not trained
}

type rewardPage struct {
	Total      *float64              `json:"total"`
	Parts      runstore.Numbers      `json:"parts"`
	Notes      map[string]string     `json:"notes,omitempty"`
	Expression string                `json:"expression,omitempty"`
	Own        []runstore.SelfReport `json:"own_rewards,omitempty"`
	Turns      []runstore.TurnReward `json:"turn_rewards,omitempty"`
}

// limitLine is a limit together with its description.
type limitLine struct {
	runstore.Limit
	Words string `json:"words"`
	Cut   bool   `json:"cut,omitempty"` // the text of the conversation ends abruptly at the limit
}

func limitOf(l *runstore.Limit) *limitLine {
	if l == nil {
		return nil
	}
	return &limitLine{*l, result.LimitWords(*l), result.CutsTokens(*l)}
}

type attemptLine struct {
	Attempt int         `json:"attempt"`
	Outcome sdk.Outcome `json:"outcome,omitempty"` // missing: the attempt was abandoned
	Class   string      `json:"class,omitempty"`
	Detail  string      `json:"detail,omitempty"`
	Plugin  string      `json:"plugin,omitempty"` // the lost plugin
	Ended   time.Time   `json:"ended,omitzero"`
}

type tokenPage struct {
	Rows []tokenRow `json:"rows"`
}

// tokenRow is a token row, from the host if it owns the tokens, otherwise as the trainer reported it. Missing members
// are unknown.
type tokenRow struct {
	runstore.TokensRecord
	Versions     []runstore.VersionSpan `json:"versions,omitempty"`
	TurnIDs      []int32                `json:"turn_ids,omitempty"`
	PromptLength int                    `json:"prompt_length"`
}

// tokensOf returns the rows that the host keeps, and the rows recorded for updates.
func tokensOf(e *runstore.Episode, told []runstore.TokensRecord) *tokenPage {
	page := &tokenPage{}
	for _, t := range told {
		page.Rows = append(page.Rows, tokenRow{TokensRecord: t, PromptLength: max(0, slices.Index(t.Trained, true))})
	}
	for _, r := range e.Rows {
		row := tokenRow{Versions: r.Versions, TurnIDs: r.TurnIDs, PromptLength: r.PromptLength}
		row.EpisodeID, row.Chain, row.IDs, row.Trained = e.EpisodeID, r.Chain, r.IDs, r.LossMask
		row.SamplerLogprobs, row.Total = r.Logprobs, len(r.IDs)
		page.Rows = append(page.Rows, row)
	}
	if len(page.Rows) == 0 {
		return nil
	}
	return page
}

func (s *Server) episode(r *http.Request) (any, error) {
	x, _, done, err := s.opened(r)
	if err != nil {
		return nil, err
	}
	defer done()
	e, f, err := episodeOf(x, r)
	if err != nil {
		return nil, err
	}
	for i := range e.Transcripts {
		if e.Transcripts[i].Messages == nil { // it failed before its first message
			e.Transcripts[i].Messages = []sdk.Message{}
		}
	}
	page := episodePage{
		Transcripts: e.Transcripts, UnsampledSteps: e.UnsampledSteps, Members: e.Members, Chains: e.Chains,
		Callers: e.Callers,
		Failure: e.Failure, Limit: limitOf(e.Limit), Masked: e.Masked, DropGroup: e.DropGroup, Lone: e.Lone,
		Use: e.Use, Madness: e.Madness, Scan: e.Scan, State: e.State, Metadata: e.Metadata, Metrics: e.Metrics,
		Seeds: e.Seeds, Version: e.PolicyVersion, Started: e.Started,
		Reward: rewardPage{finite(e.Reward), e.Components, e.Notes, expressionOf(x.Run(), e.Slot.Stage), e.SelfReports,
			e.TurnRewards},
	}
	page.Times, page.TimesAre = result.SpansOf(&e.EpisodeRecord)
	if e.Standing == runstore.Counted {
		page.UsedIn, page.Why = &e.Step, e.Why
	}
	told, err := x.Tokens(r.Context(), e.EpisodeID)
	if err != nil {
		return nil, err
	}
	page.Tokens = tokensOf(e, told)
	if page.Episode, err = episodeLineOf(x, f); err != nil {
		return nil, err
	}
	if page.Siblings, err = siblingsOf(r, x, f); err != nil {
		return nil, err
	}
	if page.Attempts, err = attemptsOf(x.Run(), e); err != nil {
		return nil, err
	}
	calls, err := x.Calls(r.Context(), e.EpisodeID)
	page.Calls = result.PolicyCallsOf(calls, e.Chains)
	page.Commands, page.Played = commandsOf(x.Run(), e), x.Run().Info.Played
	return page, err
}

// episodeOf returns the episode that a request names.
func episodeOf(x *index.Index, r *http.Request) (*runstore.Episode, index.Fact, error) {
	id := r.PathValue("id")
	f, ok := x.Fact(id)
	if !ok {
		return nil, f, notFound("run %s has no episode %s", x.Run().Ref(), shortened(id))
	}
	e, err := x.Episode(r.Context(), id)
	if err == nil && e == nil {
		err = notFound("run %s has no episode %s", x.Run().Ref(), shortened(id))
	}
	return e, f, err
}

func expressionOf(run *runstore.Run, stage string) string {
	_, spec := specOf(run)
	for _, s := range spec.Stages {
		if s.Name == stage {
			return s.Reward.Source
		}
	}
	return ""
}

// siblingsOf returns the samples in an episode's group.
func siblingsOf(r *http.Request, x *index.Index, f index.Fact) ([]episodeLine, error) {
	page, err := x.Find(r.Context(), index.Query{
		Step: &f.Step, Split: string(f.Split), Stage: f.Stage, Group: f.Group, Limit: maxPage,
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(page.Facts, byStep)
	lines := []episodeLine{}
	for _, sibling := range page.Facts {
		line, err := episodeLineOf(x, sibling)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// attemptsOf returns the abandoned attempts, which are recorded as events, and the attempt that counts.
func attemptsOf(run *runstore.Run, e *runstore.Episode) ([]attemptLine, error) {
	lines := []attemptLine{}
	for record, err := range run.Records(journal.Position{}, runstore.TypeEvent) {
		if err != nil {
			return nil, err
		}
		event, err := runstore.Decode[runstore.EventRecord](record)
		if err != nil {
			return nil, err
		}
		if event.Kind != "attempt_given_up" || event.Fields["episode"] != e.EpisodeID {
			continue
		}
		number, _ := strconv.Atoi(event.Fields["attempt"]) // 0: not recorded
		lines = append(lines, attemptLine{
			Attempt: number, Class: event.Fields["class"], Detail: event.Message, Plugin: event.Fields["plugin"],
			Ended: record.At,
		})
	}
	last := attemptLine{Attempt: e.Attempt, Outcome: e.Outcome, Ended: e.At}
	if e.Failure != nil {
		last.Class, last.Detail = string(e.Failure.Class), e.Failure.Detail
	}
	return append(lines, last), nil
}

// commandsOf returns the commands that show the episode in a terminal and play its task again. Episodes from debug have
// only the first command, because only debug's flags define the player.
func commandsOf(run *runstore.Run, e *runstore.Episode) []string {
	where := runstore.WhereFlag(run.Dir)
	show := "awhost show " + run.Ref() + where + " --episode " + runstore.ShellWord(e.EpisodeID)
	if run.Info.Played != nil {
		return []string{show}
	}
	data := "validation"
	if e.Slot.Split == sdk.SplitTrain {
		data = "train"
	}
	return []string{show, "awhost debug --dataset " + data + " --task " + runstore.ShellWord(e.TaskID)}
}

// private returns, for the user, a task's private part, which otherwise only rewards and environments can read.
func (s *Server) private(r *http.Request) (any, error) {
	x, _, done, err := s.opened(r)
	if err != nil {
		return nil, err
	}
	defer done()
	e, _, err := episodeOf(x, r)
	if err != nil {
		return nil, err
	}
	if s.config.Private == nil {
		return nil, notFound("the private part of tasks cannot be shown here")
	}
	part, err := s.config.Private(r.Context(), x.Run(), *e)
	if err != nil {
		return nil, &problem{http.StatusConflict, "the private part of the task cannot be found", err.Error()}
	}
	return map[string]any{"private": part}, nil
}
