package ui

import (
	"encoding/json"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk/metric"
)

// runLine is a run in the list.
type runLine struct {
	Name          string          `json:"name"`
	ID            string          `json:"id"`
	Status        runstore.Status `json:"status"`
	Outcome       runstore.Status `json:"outcome,omitempty"`
	Reason        string          `json:"reason,omitempty"`
	Problem       string          `json:"problem,omitempty"` // why it cannot be read
	Spec          string          `json:"spec"`
	Train         string          `json:"train,omitempty"`
	Adapter       string          `json:"adapter,omitempty"`
	Machine       string          `json:"machine,omitempty"` // current or last machine
	Stage         string          `json:"stage,omitempty"`
	Step          int             `json:"step"`            // finished, committed or not
	Steps         int             `json:"steps,omitempty"` // maximum number for all stages
	Started       time.Time       `json:"started,omitzero"`
	Ended         time.Time       `json:"ended,omitzero"`
	SuccessBefore *float64        `json:"success_before,omitempty"` // see heldOut
	SuccessAfter  *float64        `json:"success_after,omitempty"`
	Reward        *float64        `json:"reward,omitempty"` // training reward of the last step that has one
	DiskBytes     int64           `json:"disk_bytes"`
	Live          bool            `json:"live"`
	// Played is set if nothing is trained because a user is playing tasks.
	Played *runstore.Played `json:"played,omitempty"`
}

// runs lists the runs in the directory, newest first.
func (s *Server) runs(r *http.Request) (any, error) {
	if p := paramsOf(r); p.err != nil {
		return nil, p.err
	}
	list, err := s.config.Store.List()
	if err != nil {
		return nil, err
	}
	lines := []runLine{}
	for _, summary := range list {
		line := lineOf(summary)
		if run, err := s.indexes.find(summary.Ref()); err == nil && summary.Problem == "" {
			s.sizes.fill(&line, run, line.describe(run))
		}
		lines = append(lines, line)
	}
	return map[string]any{"runs": lines}, nil
}

func lineOf(s runstore.Summary) runLine {
	line := runLine{
		Name: s.Ref(), ID: s.ID, Status: s.Status, Problem: s.Problem, Spec: s.Spec, Stage: s.Stage,
		Step:    max(s.Step, s.Done),
		Started: s.Created, Live: s.Status == runstore.StatusRunning, Played: s.Played,
	}
	if s.Owner != nil {
		line.Machine = s.Owner.Host
	}
	if !line.Live {
		line.Ended = s.Updated
	}
	if s.Finish != nil {
		line.Outcome, line.Reason = s.Finish.Outcome, s.Finish.Reason
		if !s.Finish.Exact && line.Reason == s.Finish.Inexact && line.Reason != "" {
			line.Reason = "another run may end otherwise: " + line.Reason
		}
	}
	return line
}

// recordedSpec is the part of a resolved spec that the page shows.
type recordedSpec struct {
	Adapter string `json:"adapter"`
	Stages  []struct {
		Name       string `json:"name"`
		Validation string `json:"validation"` // address of its dataset
		Knobs      struct {
			Steps int `json:"steps"`
		} `json:"knobs"`
		Reward struct {
			Source string `json:"source"`
		} `json:"reward"`
	} `json:"stages"`
}

// specOf returns a run's train block. It is empty if the recorded spec cannot be read.
func specOf(run *runstore.Run) (train string, spec recordedSpec) {
	text, err := run.Spec()
	if err != nil {
		return "", spec
	}
	var resolved struct {
		Trains map[string]recordedSpec `json:"trains"`
	}
	if json.Unmarshal(text, &resolved) != nil {
		return "", spec
	}
	for name, train := range resolved.Trains {
		if run.Info.IsOf(name) {
			return name, train
		}
	}
	return "", spec
}

// describe adds data from the spec. It returns the address of each stage's validation dataset.
func (line *runLine) describe(run *runstore.Run) (validation map[string]string) {
	var spec recordedSpec
	line.Train, spec = specOf(run)
	if line.Played != nil {
		return nil // runs of this kind have no trainer and no steps
	}
	line.Adapter = spec.Adapter
	validation = make(map[string]string, len(spec.Stages))
	for _, stage := range spec.Stages {
		line.Steps += stage.Knobs.Steps
		validation[stage.Name] = stage.Validation
	}
	return validation
}

// runSizes caches data about each run that is expensive to compute, until the run's journal changes.
type runSizes struct {
	mu   sync.Mutex
	runs map[string]runSize // by directory
}

type runSize struct {
	size    int64
	changed time.Time
	heldOut heldOut
	reward  *float64
	bytes   int64
}

func newRunSizes() *runSizes { return &runSizes{runs: map[string]runSize{}} }

// fill adds a run's held-out success and its size on disk. Unreadable data is omitted: the run's page explains why.
// validation is the result of describe.
func (g *runSizes) fill(line *runLine, run *runstore.Run, validation map[string]string) {
	info, err := os.Stat(run.JournalPath())
	if err != nil {
		return
	}
	g.mu.Lock()
	known, ok := g.runs[run.Dir]
	g.mu.Unlock()
	if !ok || known.size != info.Size() || !known.changed.Equal(info.ModTime()) {
		known = runSize{size: info.Size(), changed: info.ModTime()}
		for row, err := range run.Metrics() {
			if value, ok := row.Values[metric.ValidationSuccessRate]; ok && err == nil && value-value == 0 {
				known.heldOut.add(validation[row.Stage], row.Step, value)
			}
			if value, ok := row.Values[metric.Reward]; ok && err == nil && value-value == 0 {
				known.reward = &value
			}
		}
		if parts, err := run.Parts(); err == nil {
			known.bytes = parts[0].Bytes
		}
		g.mu.Lock()
		g.runs[run.Dir] = known
		g.mu.Unlock()
	}
	line.SuccessBefore, line.SuccessAfter = known.heldOut.before, known.heldOut.after
	line.Reward, line.DiskBytes = known.reward, known.bytes
}
