package runstore

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// Ledger tells which episodes of a run count. It takes the records of the journal in their order, and may be asked at any
// time: whoever follows a run that grows gives it each record once.
//
//	ledger := run.NewLedger()
//	for record, err := range run.Records(journal.Position{}, runstore.LedgerTypes()...) { err = ledger.Add(record) }
//	standings, err := ledger.Standings()
//	standings.Judge(&episode) // each, in the order of their records
//
// It takes some 60 bytes per episode. It is not for concurrent use.
type Ledger struct {
	run      *Run
	history  *history
	lists    map[string][]listed // what manifests list, by their digests
	passes   map[uint64][]listed // what validation passes list, by the numbers of their records
	replaced usedRecords
}

// listed is an episode in a list, and how it was used.
type listed struct {
	key   recordKey
	known bool   // key is that of a record
	stage string // of one that was validated
	usedBy
}

// NewLedger is a ledger without records.
func (r *Run) NewLedger() *Ledger {
	return &Ledger{
		run: r, history: newHistory(), lists: map[string][]listed{}, passes: map[uint64][]listed{}, replaced: usedRecords{},
	}
}

// LedgerTypes are the types of the records that a ledger needs. Of episodes it needs only whether they take the place of
// others: Reattached says whether some may.
func LedgerTypes() []Type { return append(slices.Clone(historyTypes), TypeConsumed) }

// Add takes the next record. One of a type that it does not need is passed over.
func (l *Ledger) Add(record Record) error {
	err := l.history.apply(l.run, record)
	switch record.Type {
	case TypeConsumed:
		err = decoded(record, func(c consumedRecord) { l.lists[c.Digest] = listedOf(c.Consumed) })
	case TypeValidation:
		if err == nil {
			err = decoded(record, func(v ValidationRecord) { l.passes[record.Seq] = listedOf(v.Consumed) })
		}
	}
	if err != nil {
		return fmt.Errorf("read journal of run %s: record %d (%s): %w", l.run.Ref(), record.Seq, record.Type, err)
	}
	return nil
}

// Replace notes that an episode took the place of an earlier record, by the hash of that.
func (l *Ledger) Replace(record string) {
	if key, ok := keyOf(record); ok {
		l.replaced[key] = usedBy{}
	}
}

// Reattached reports whether a trainer was taken up again: only then episodes take the place of others.
func (l *Ledger) Reattached() bool {
	return slices.ContainsFunc(l.history.launches, func(launch launch) bool { return launch.Reattached })
}

func listedOf(consumed []Consumed) []listed {
	out := make([]listed, 0, len(consumed))
	for _, c := range consumed {
		l := listed{usedBy: usedBy{use: useName(c.Use), step: int32(c.Step)}}
		l.key, l.known = keyOf(c.Record)
		if l.use == UseValidated {
			l.stage = c.Slot.Stage
		}
		out = append(out, l)
	}
	return out
}

// Standings are those of a run's episodes as the records say that a ledger has now.
type Standings struct {
	history  *history
	used     usedRecords
	replaced usedRecords
}

// Standings works out which records count. Its result is good for one pass over the episodes.
func (l *Ledger) Standings() (*Standings, error) {
	h := l.history.clone()
	if err := l.run.adopt(h); err != nil {
		return nil, err
	}
	s := &Standings{history: h, used: usedRecords{}, replaced: l.replaced}
	validated := map[passKey]bool{}
	for i, c := range h.lineage {
		list, ok := l.lists[c.Manifest]
		if !ok && h.adopted && i == len(h.lineage)-1 {
			m, _, err := readManifest(l.run.fs(), c.Dir)
			if err != nil {
				return nil, err
			}
			list = listedOf(m.Consumed)
		}
		s.used.add(list)
		for _, one := range list {
			if one.use == UseValidated {
				validated[passKey{one.stage, int(one.step)}] = true
			}
		}
	}
	late := h.latePasses(validated)
	for _, seq := range slices.Sorted(maps.Keys(late)) {
		s.used.add(l.passes[seq])
	}
	return s, nil
}

// Judge says of an episode what became of it, by its Record, Seq, outcome and slot. Of equal records the first counts, so
// that episodes have to come in their order, each once.
func (s *Standings) Judge(e *Episode) {
	if use, ok := s.used.take(e.Record); ok {
		e.Standing, e.Use, e.Step = Counted, use.use, int(use.step)
		return
	}
	e.Standing = s.history.standing(e.Seq, e.EpisodeRecord)
	if s.replaced.has(e.Record) {
		e.Standing = Superseded
	}
}

// Reduced returns a record without what only those need who read an episode, or check the run: of an episode or a call
// nothing is left but that it was, of a list of episodes what a ledger takes. All else is the record itself.
func (r Record) Reduced() (Record, error) {
	var err error
	switch r.Type {
	case TypeEpisode, TypeCall:
		r.Data = nil
	case TypeConsumed:
		var c struct {
			Digest   string            `json:"digest"`
			Consumed []reducedConsumed `json:"consumed"`
		}
		r.Data, err = reduce(r.Data, &c)
	case TypeValidation:
		var v struct {
			LaunchID string            `json:"launch_id"`
			Stage    string            `json:"stage"`
			Step     int               `json:"step"`
			Metrics  Numbers           `json:"metrics,omitempty"`
			Consumed []reducedConsumed `json:"consumed"`
			After    string            `json:"after"`
		}
		r.Data, err = reduce(r.Data, &v)
	case TypeStep:
		var s struct {
			LaunchID string     `json:"launch_id"`
			Stage    string     `json:"stage"`
			Step     int        `json:"step"`
			Consumed []struct{} `json:"consumed"`
		}
		r.Data, err = reduce(r.Data, &s)
	case TypeBoundary:
		err = decoded(r, func(b BoundaryRecord) {
			b.State = nil
			r.Data, _ = json.Marshal(b) // of numbers and texts
		})
	case TypeCommit:
		r.Data, err = reduceCommit(r.Data)
	}
	return r, err
}

// reducedConsumed is what a ledger takes of a Consumed.
type reducedConsumed struct {
	Use    sdk.Consumption `json:"use"`
	Step   int             `json:"step"`
	Record halfHash        `json:"record,omitempty"`
	Slot   struct {
		Stage string `json:"stage,omitempty"`
	} `json:"slot,omitzero"`
}

// halfHash is as much of a record's hash as its key has.
type halfHash string

// UnmarshalJSON implements json.Unmarshaler.
func (h *halfHash) UnmarshalJSON(data []byte) error {
	var whole string
	if err := json.Unmarshal(data, &whole); err != nil {
		return err
	}
	*h = halfHash(whole[:min(len(whole), 2*len(recordKey{}))])
	return nil
}

// reduceCommit leaves out what only those need who go on with the run.
func reduceCommit(data json.RawMessage) (json.RawMessage, error) {
	var c commitRecord
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, err
	}
	c.Manifest.Budgets, c.Manifest.RNG, c.Manifest.Files = nil, nil, nil
	return json.Marshal(c)
}

// reduce reads what of a record is kept.
func reduce(data json.RawMessage, kept any) (json.RawMessage, error) {
	if err := json.Unmarshal(data, kept); err != nil {
		return nil, err
	}
	return json.Marshal(kept)
}

var _ json.Unmarshaler = (*halfHash)(nil)
