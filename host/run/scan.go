package run

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/sdk"
)

// Bounds of a scan by a model. A run never waits for it, except at its end for the conversations in progress.
const (
	scanQueue  = 256 // conversations that wait; more are not scanned
	scanAtOnce = 8
	scanGrace  = 30 * time.Second
)

// modelScan scans a sample of the training episodes with a reward, next to the training.
type modelScan struct {
	run    *runner
	judge  scan.Judge
	needs  []sdk.Need
	queue  chan sdk.ScoreItem
	cancel context.CancelFunc
	ended  sync.WaitGroup

	mu       sync.Mutex
	seen     int // training episodes
	scanned  int // since the last report, including failures
	failed   int
	failure  string
	closed   bool // no further call can succeed
	problems map[string][]scan.Problem
	episodes map[string][]string // by problem
}

// startScan starts the scan by a model, if the spec has one. The plugin of its judge need not run yet.
func (r *runner) startScan(ctx context.Context) *modelScan {
	settings := r.Plan.Train.Scan
	component := r.Plan.Component(settings.Judge)
	if component == nil || r.Plan.Smoke != nil || r.EndTrainer {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &modelScan{run: r, judge: scan.NewJudge(component.Description, settings.Threshold),
		needs: component.Description.Reward.Needs, queue: make(chan sdk.ScoreItem, scanQueue), cancel: cancel}
	s.reset()
	for range scanAtOnce {
		s.ended.Go(func() {
			for item := range s.queue {
				s.scan(ctx, item)
			}
		})
	}
	return s
}

// add queues an episode if it is in the sample.
func (s *modelScan) add(e *rollout.EpisodeRecord, task func() sdk.Task) {
	if s == nil || e.Slot.Split != sdk.SplitTrain || e.Outcome == sdk.OutcomeCancelled {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen++; (s.seen-1)%s.run.Plan.Train.Scan.Every != 0 {
		return
	}
	if s.closed {
		s.skip(s.failure)
		return
	}
	t := task()
	c := scan.Conversation{Messages: e.Messages, Sampled: e.Sampled, Private: t.Private}
	select {
	case s.queue <- c.Item(e.EpisodeID, t.Public, e.FinalAnswer, s.needs):
	default:
		s.skip("the judge is slower than the episodes: raise every")
	}
}

// skip counts a conversation that is not scanned. The caller holds mu.
func (s *modelScan) skip(why string) { s.scanned, s.failed, s.failure = s.scanned+1, s.failed+1, why }

func (s *modelScan) scan(ctx context.Context, item sdk.ScoreItem) {
	instance, runs := s.run.plugins.Find(s.run.Plan.Train.Scan.Judge)
	found, failure := []scan.Problem(nil), &sdk.Failure{Class: sdk.FailureReward, Detail: "the run has ended"}
	if runs && ctx.Err() == nil {
		found, failure = s.judge.Scan(ctx, instance.Reward(), item)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if failure != nil {
		s.closed = s.closed || failure.StopRun
		s.skip(failure.Detail)
		return
	}
	s.scanned++
	for _, p := range found {
		s.problems[p.Name] = append(s.problems[p.Name], p)
		s.episodes[p.Name] = append(s.episodes[p.Name], item.EpisodeID)
	}
}

func (s *modelScan) reset() {
	s.scanned, s.failed = 0, 0
	s.problems, s.episodes = map[string][]scan.Problem{}, map[string][]string{}
}

// report returns the findings since the last report.
func (s *modelScan) report(stage string, step int) (out []findings.Finding) {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(s.problems)) {
		at := findings.Step{Stage: stage, Step: step}
		for i, p := range s.problems[name] {
			at.Episodes = append(at.Episodes, findings.Episode{ID: s.episodes[name][i],
				Hits: map[string]int{findings.ScanModel: p.Message}})
		}
		out = append(out, s.run.findings.ReportScan(findings.ScanModel, name, at,
			fmt.Sprintf("%s in %d of %d conversations: %s",
				name, len(at.Episodes), s.scanned, s.problems[name][0].Reason)))
	}
	if s.failed > 0 {
		out = append(out, s.run.findings.ReportScan(findings.ScanIncomplete, "", findings.Step{Stage: stage,
			Step: step},
			fmt.Sprintf("%d of %d conversations were not scanned: %s", s.failed, s.scanned, s.failure)))
	}
	s.reset()
	return out
}

// stop waits a while for conversations in progress, and reports the last findings.
func (s *modelScan) stop(ctx context.Context) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	s.closed, s.failure = true, "the run has ended" // later episodes
	close(s.queue)
	s.mu.Unlock()
	grace := time.AfterFunc(scanGrace, s.cancel)
	defer grace.Stop()
	stopAbort := context.AfterFunc(ctx, s.cancel)
	defer stopAbort()
	s.ended.Wait()
	s.cancel()
	tip := s.run.Writer.Tip()
	if tip == nil {
		return nil
	}
	for _, f := range s.report(s.run.Plan.Stages[tip.StageIndex].Name, tip.Step) {
		if err := s.run.publishFinding(context.WithoutCancel(ctx), "", f); err != nil {
			return err
		}
	}
	return nil
}

// taskOf returns the task of an episode, which the trainer may have provided: then only its ID is known.
func (l *trainCall) taskOf(e *rollout.EpisodeRecord) sdk.Task {
	task, _ := l.tasks.TaskByID(cmp.Or(e.Slot.Split, sdk.SplitTrain), e.TaskID)
	return task
}

// privateOf returns the private part of an episode's task.
func (l *trainCall) privateOf(e *rollout.EpisodeRecord) json.RawMessage { return l.taskOf(e).Private }
