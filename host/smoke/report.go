package smoke

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// Inputs holds the inputs to a report.
type Inputs struct {
	Plan   *plan.Plan
	Run    *runstore.Run // finished, or as far as it got
	Script *Script
	Result event.RunFinished // how the run ended
}

// Report summarizes a smoke run and judges it.
func Report(ctx context.Context, in Inputs) (event.SmokeReport, error) {
	sums, err := in.sums(ctx)
	if err != nil {
		return event.SmokeReport{}, fmt.Errorf("summarize the smoke run: %w", err)
	}
	report := event.SmokeReport{}
	v := verdict{result: in.Result, several: len(in.Plan.Stages) > 1}
	for _, s := range sums {
		stage := s.stage(in.Script)
		v.look(stage, s)
		report.Stages = append(report.Stages, stage)
	}
	report.Verdict, report.Reasons, report.Remarks = v.judge()
	secrets := in.Plan.Spec.Redactor() // failures are redacted already; messages of tools may contain secrets, too
	for _, texts := range [][]string{report.Reasons, report.Remarks} {
		for i := range texts {
			texts[i] = secrets.Text(texts[i])
		}
	}
	return report, nil
}

// sums reads the records of each stage. Stages that have not started yet are omitted.
func (in Inputs) sums(ctx context.Context) ([]*sum, error) {
	var sums []*sum
	byName := map[string]*sum{}
	for _, stage := range in.Plan.Stages {
		s := newSum(stage)
		sums, byName[stage.Name] = append(sums, s), s
	}
	if err := readTimes(in.Run, byName); err != nil {
		return nil, err
	}
	lineage, err := in.Run.Lineage()
	if err != nil {
		return nil, err
	}
	for _, c := range lineage {
		if s := byName[c.Stage]; s != nil && c.Step > 0 { // step 0 is the initial state
			s.out.Steps++
		}
	}
	for e, err := range in.Run.Episodes(ctx) {
		if err != nil {
			return nil, err
		}
		if s := byName[e.Slot.Stage]; s != nil && e.Standing != runstore.Superseded && e.Outcome != sdk.OutcomeCancelled {
			s.add(e)
		}
	}
	return slices.DeleteFunc(sums, func(s *sum) bool { return s.began.IsZero() }), nil
}

// readTimes finds when each stage started and the time of its last record.
func readTimes(r *runstore.Run, byName map[string]*sum) error {
	types := []runstore.Type{runstore.TypeLaunch, runstore.TypeEpisode, runstore.TypeStep, runstore.TypeValidation,
		runstore.TypeCommit}
	for record, err := range r.Records(journal.Position{}, types...) {
		if err != nil {
			return err
		}
		var of struct {
			Stage    string                 `json:"stage"`
			Slot     struct{ Stage string } `json:"slot"`
			Manifest struct{ Stage string } `json:"manifest"`
		}
		if err := json.Unmarshal(record.Data, &of); err != nil {
			return fmt.Errorf("record %d (%s): %w", record.Seq, record.Type, err)
		}
		for _, name := range []string{of.Stage, of.Slot.Stage, of.Manifest.Stage} {
			if s := byName[name]; s != nil {
				s.at(record.At)
			}
		}
	}
	return nil
}

// at updates the times with a record.
func (s *sum) at(t time.Time) {
	if s.began.IsZero() {
		s.began = t
	}
	s.last = t
}
