package runstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/awhost/awhost/host/journal"
)

// Follower reads new records from a run's journal while it is being written, for copying its numbers elsewhere. It
// yields each number in Metrics once, with its episodes. It is not safe for concurrent use.
//
//	f := run.Follow(0)
//	err := f.Read(ctx, func(n runstore.News) error { … }) // the news since the last call
type Follower struct {
	run    *Run
	from   int // rows of earlier steps are omitted
	at     journal.Position
	filter *metricFilter // nil before the first reading
	known  uint64        // record of the last launch that the filter includes
	open   map[string]Sample
	used   []Consumed // by steps and validation passes whose numbers are not on record yet
}

// Update is one update from a Follower. Exactly one of its fields is set.
type Update struct {
	// Row contains a step's numbers.
	Row *StepRow
	// Void reports that a trainer continues from an earlier step: previous rows for this step and later ones do not
	// count.
	Void *int
	// Committed reports that the rows for steps up to this one are final.
	Committed *int
}

// StepRow is a row of metrics with the episodes behind it.
type StepRow struct {
	MetricRow
	// Used holds the episodes that the trainer used, Validated the episodes in a validation pass, in task order.
	Used      []Sample
	Validated []Sample
}

// Sample holds the episode fields that are useful in a chart.
type Sample struct {
	EpisodeID    string   `json:"episode_id"`
	TaskID       string   `json:"task_id"`
	Slot         Slot     `json:"slot"`
	DatasetIndex int      `json:"dataset_index"`
	Reward       *float64 `json:"reward"` // nil unless scored
	IsSuccess    *bool    `json:"is_success"`
	NumTurns     int      `json:"num_turns"`
	OutputTokens int      `json:"output_tokens"`

	before journal.Position // position before its record
}

// Follow returns a reader positioned at the beginning of the run. It omits data about steps that precede from.
func (r *Run) Follow(from int) *Follower {
	return &Follower{run: r, from: from, open: map[string]Sample{}}
}

// followed lists the record types that a Follower reads.
var followed = []Type{TypeMetrics, TypeLaunch, TypeBoundary, TypeCommit, TypeEpisode, TypeStep, TypeValidation}

// Read passes the updates since the last call to tell. After an error from the reader or from tell, the Follower is
// unusable.
func (f *Follower) Read(ctx context.Context, tell func(Update) error) error {
	if f.filter == nil {
		if err := f.start(); err != nil {
			return fmt.Errorf("follow run %s: %w", f.run.Ref(), err)
		}
	}
	for record, err := range f.run.Records(f.at, followed...) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = f.take(record, tell)
		}
		if err != nil {
			return err
		}
		f.at = record.Next
	}
	return nil
}

// start skips old records, up to the last commit before the episodes that later steps can use.
func (f *Follower) start() error {
	if err := f.learn(); err != nil {
		return err
	}
	var behind journal.Position
	for record, err := range f.run.Records(journal.Position{}, TypeCommit) {
		if err != nil {
			return err
		}
		var c commitRecord
		if err := json.Unmarshal(record.Data, &c); err != nil {
			return err
		}
		if c.Manifest.Step >= f.from-OpenWindow {
			break
		}
		behind = record.Next
	}
	f.at = behind
	return f.passOver(behind.Seq)
}

// passOver passes the records up to and including the given record to the filter.
func (f *Follower) passOver(last uint64) error {
	if last == 0 {
		return nil
	}
	for record, err := range f.run.Records(journal.Position{}, TypeMetrics, TypeLaunch, TypeBoundary, TypeCommit) {
		if err == nil && record.Seq > last {
			return nil
		}
		if err == nil {
			_, _, err = f.filter.row(record)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// learn creates the filter for the recorded launches.
func (f *Follower) learn() error {
	h, err := f.run.history()
	if err != nil {
		return err
	}
	f.filter, f.known = newMetricFilter(h), 0
	if n := len(h.launches); n > 0 {
		f.known = h.launches[n-1].seq
	}
	return nil
}

func (f *Follower) take(record Record, tell func(Update) error) error {
	switch record.Type {
	case TypeEpisode:
		sample := Sample{before: f.at}
		if err := json.Unmarshal(record.Data, &sample); err != nil {
			return err
		}
		f.open[sample.EpisodeID] = sample
		return nil
	case TypeStep:
		return decoded(record, func(s StepRecord) { f.used = append(f.used, s.Consumed...) })
	case TypeValidation:
		return decoded(record, func(v ValidationRecord) { f.used = append(f.used, v.Consumed...) })
	case TypeLaunch:
		return f.launched(record, tell)
	case TypeCommit:
		var c commitRecord
		if err := json.Unmarshal(record.Data, &c); err != nil {
			return err
		}
		f.forget(c.Manifest.Step)
		if _, _, err := f.filter.row(record); err != nil {
			return err
		}
		return tell(Update{Committed: &c.Manifest.Step})
	}
	row, ok, err := f.filter.row(record)
	if err != nil || record.Type != TypeMetrics {
		return err
	}
	out := StepRow{MetricRow: row}
	out.Used, out.Validated = f.samples(row.Step)
	if !ok || row.Step < f.from {
		return nil
	}
	return tell(Update{Row: &out})
}

func (f *Follower) launched(record Record, tell func(Update) error) error {
	var l LaunchRecord
	if err := json.Unmarshal(record.Data, &l); err != nil {
		return err
	}
	isNew := record.Seq > f.known
	if isNew { // the filter must include this launch and all records before it
		if err := errors.Join(f.learn(), f.passOver(record.Seq-1)); err != nil {
			return err
		}
	}
	if _, _, err := f.filter.row(record); err != nil || l.Reattached {
		return err
	}
	clear(f.open)
	f.used = nil
	if !isNew {
		return nil // the interrupted records were omitted
	}
	first := l.FromStep + 1
	f.from = min(f.from, first)
	return tell(Update{Void: &first})
}

// samples removes and returns the episodes behind a step's numbers.
func (f *Follower) samples(step int) (used, validated []Sample) {
	f.used = slices.DeleteFunc(f.used, func(c Consumed) bool {
		if c.Step > step {
			return false
		}
		s, ok := f.open[c.EpisodeID]
		delete(f.open, c.EpisodeID)
		switch {
		case !ok || !c.counts():
		case c.Use == UseValidated:
			validated = append(validated, s)
		default:
			used = append(used, s)
		}
		return true
	})
	slices.SortStableFunc(validated, func(a, b Sample) int {
		if a.DatasetIndex != b.DatasetIndex {
			return a.DatasetIndex - b.DatasetIndex
		}
		return a.Slot.Sample - b.Slot.Sample
	})
	return used, validated
}

// forget drops episodes that no step can use anymore.
func (f *Follower) forget(step int) {
	maps.DeleteFunc(f.open, func(_ string, s Sample) bool { return s.Slot.Step < step-OpenWindow })
}

// Episode reads a sample's complete record.
func (f *Follower) Episode(s Sample) (*EpisodeRecord, error) {
	for record, err := range f.run.Records(s.before, TypeEpisode) {
		if err != nil {
			return nil, err
		}
		var out EpisodeRecord
		if err := json.Unmarshal(record.Data, &out); err != nil {
			return nil, fmt.Errorf("run %s: record %d: %w", f.run.Ref(), record.Seq, err)
		}
		if out.EpisodeID == s.EpisodeID {
			return &out, nil
		}
	}
	return nil, fmt.Errorf("run %s: the record of episode %s is missing", f.run.Ref(), s.EpisodeID)
}
