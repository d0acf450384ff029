// Package recorded scans the recorded episodes of a run.
//
//	result, err := recorded.Scan(ctx, recorded.Config{Run: run, Rules: scan.New(nil), Private: private})
//
// It converts hits to findings with examples. It must not depend on how the findings are displayed.
package recorded

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/sdk"
)

// Config selects what is scanned, and how.
type Config struct {
	Run   *runstore.Run
	Rules *scan.Scanner // nil: no scan by rules
	// Private returns the private part of an episode's task; it may be nil. After its first error, it is not called again.
	Private func(context.Context, runstore.Episode) (json.RawMessage, error)
	Model   *Model // nil: no scan by a model
}

// Model scans one of Every conversations.
type Model struct {
	Judge  scan.Judge
	Reward sdk.Reward
	Needs  []sdk.Need
	Every  int
}

// EpisodeHit is a problem in an episode.
type EpisodeHit struct {
	Episode string `json:"episode"`
	scan.Hit
	Problem string `json:"problem,omitempty"` // of a model: the component of the judge
}

// Result holds the problems in a run.
type Result struct {
	Conversations int             `json:"conversations"`        // scanned by rules
	ByModel       int             `json:"by_model"`             // scanned by the model
	NoAnswers     string          `json:"no_answers,omitempty"` // why leaked answers were not searched
	Findings      []event.Finding `json:"findings" jsonschema:"nullable"`
	Hits          []EpisodeHit    `json:"hits" jsonschema:"nullable"`
}

// scanner is a scan in progress.
type scanner struct {
	Config
	Result
	engine *findings.Engine
	counts map[string]int // by rule and problem
	spent  *sdk.Failure   // no further call of the model can succeed
}

// Scan scans all episodes except canceled and superseded ones.
func Scan(ctx context.Context, c Config) (*Result, error) {
	s := &scanner{Config: c, engine: findings.NewEngine(), counts: map[string]int{}}
	seen := 0
	for e, err := range c.Run.Episodes(ctx) {
		if err != nil {
			return nil, err
		}
		if e.Standing == runstore.Superseded || e.Outcome == sdk.OutcomeCancelled {
			continue
		}
		conversation := conversationOf(&e.EpisodeRecord)
		if s.Private != nil {
			var err error
			if conversation.Private, err = s.Private(ctx, e); err != nil {
				s.Private, s.NoAnswers = nil, err.Error()
			}
		}
		if s.Rules != nil {
			s.Conversations++
			for _, hit := range s.Rules.Scan(conversation) {
				s.add(&e, EpisodeHit{Hit: hit}, "")
			}
		}
		if s.Model != nil && seen%s.Model.Every == 0 {
			if err := s.judge(ctx, &e, conversation); err != nil {
				return nil, err
			}
		}
		seen++
	}
	s.Findings = s.engine.Findings()
	return &s.Result, nil
}

// judge scans a conversation by the model, unless its budget is spent.
func (s *scanner) judge(ctx context.Context, e *runstore.Episode, c scan.Conversation) error {
	if s.spent != nil {
		s.add(e, EpisodeHit{Hit: scan.Hit{Rule: findings.ScanIncomplete}}, ": "+s.spent.Detail)
		return nil
	}
	item := c.Item(e.EpisodeID, []byte("{}"), e.FinalAnswer, s.Model.Needs)
	problems, failure := s.Model.Judge.Scan(ctx, s.Model.Reward, item)
	if failure != nil {
		s.add(e, EpisodeHit{Hit: scan.Hit{Rule: findings.ScanIncomplete}}, ": "+failure.Detail)
		if failure.StopRun {
			s.spent = failure
		}
		return ctx.Err()
	}
	s.ByModel++
	for _, p := range problems {
		s.add(e, EpisodeHit{Hit: scan.Hit{Rule: findings.ScanModel, Message: p.Message, Quote: p.Reason},
			Problem: p.Name}, ": "+p.Reason)
	}
	return nil
}

// add adds a hit to its finding.
func (s *scanner) add(e *runstore.Episode, hit EpisodeHit, detail string) {
	hit.Episode = e.EpisodeID
	example := findings.Episode{ID: e.EpisodeID}
	if hit.Rule != findings.ScanIncomplete {
		s.Hits = append(s.Hits, hit)
		example.Hits = map[string]int{hit.Rule: hit.Message}
	}
	key := hit.Rule + " " + hit.Problem
	s.counts[key]++
	n := fmt.Sprintf("%d conversations", s.counts[key])
	if s.counts[key] == 1 {
		n = "1 conversation"
	}
	step := findings.Step{Stage: e.Slot.Stage, Step: e.Slot.Step, Episodes: []findings.Episode{example}}
	s.engine.ReportScan(hit.Rule, hit.Problem, step, n+detail)
}

// conversationOf returns the conversation of a recorded episode. The policy's messages are the last ones of assistants.
func conversationOf(e *runstore.EpisodeRecord) scan.Conversation {
	c := scan.Conversation{Success: e.IsSuccess, Sampled: []int{}}
	for _, part := range e.Transcripts {
		c.Messages = append(c.Messages, part.Messages...)
	}
	for i := range c.Messages {
		if c.Messages[i].Role == sdk.RoleAssistant {
			c.Sampled = append(c.Sampled, i)
		}
	}
	c.Sampled = c.Sampled[max(0, len(c.Sampled)-e.NumTurns):]
	return c
}
