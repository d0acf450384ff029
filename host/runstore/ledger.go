package runstore

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/awhost/awhost/host/internal/jsonscan"
	"github.com/awhost/awhost/sdk"
)

// Ledger tells which episodes of a run count. It takes the records of the journal in their order, and may be asked at
// any time: whoever follows a run that grows gives it each record once.
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
	usages   usages
}

// listed is an episode in a list, and how it was used.
type listed struct {
	key   RecordKey
	known bool // key is that of a record
	usedBy
}

// list is one of a manifest, or of a validation pass.
type list struct {
	digest   string // of the manifest
	consumed []listed
}

// NewLedger is a ledger without records.
func (r *Run) NewLedger() *Ledger {
	return &Ledger{
		run: r, history: newHistory(), lists: map[string][]listed{}, passes: map[uint64][]listed{}, replaced: usedRecords{},
		usages: usages{},
	}
}

// LedgerTypes are the types of the records that a ledger needs. Of episodes it needs only whether they take the place
// of others: Reattached tells whether some may.
func LedgerTypes() []Type { return append(slices.Clone(historyTypes), TypeConsumed) }

// Add takes the next record. One of a type that it does not need is passed over.
func (l *Ledger) Add(record Record) error {
	err := l.history.apply(l.run, record)
	if err == nil && (record.Type == TypeConsumed || record.Type == TypeValidation) {
		var read list
		read, err = l.usages.readList(record.Data)
		if record.Type == TypeValidation {
			l.passes[record.Seq] = read.consumed
		} else {
			l.lists[read.digest] = read.consumed
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

func (u usages) listed(consumed []Consumed) []listed {
	out := make([]listed, 0, len(consumed))
	for _, c := range consumed {
		out = append(out, u.newListed(c))
	}
	return out
}

// newListed takes of c what a ledger needs.
func (u usages) newListed(c Consumed) listed {
	l := listed{usedBy: usedBy{as: u.of(c), step: int32(c.Step)}}
	l.key, l.known = keyOf(c.Record)
	return l
}

// readList reads what a ledger needs of a consumedRecord or a ValidationRecord. Those of a long run are most of its
// journal beside its episodes.
func (u usages) readList(data json.RawMessage) (list, error) {
	var out list
	s := jsonscan.New(data)
	s.Object(func(name []byte) {
		switch string(name) {
		case "digest":
			out.digest = s.Text()
		case "consumed":
			s.Array(func() { out.consumed = append(out.consumed, u.newListed(scanConsumed(s))) })
		default:
			s.Skip()
		}
	})
	if s.Done() {
		out.consumed = slices.Clone(out.consumed) // without the room to grow
		return out, nil
	}
	var whole consumedRecord
	err := json.Unmarshal(data, &whole)
	return list{whole.Digest, u.listed(whole.Consumed)}, err
}

func scanConsumed(s *jsonscan.Scanner) (c Consumed) {
	s.Object(func(name []byte) {
		switch string(name) {
		case "use":
			c.Use = sdk.Consumption(s.Text())
		case "step":
			c.Step = s.Int()
		case "record":
			c.Record = s.Text()
		case "why":
			c.Why = s.Text()
		case "slot":
			s.Object(func(name []byte) {
				if string(name) != "stage" {
					s.Skip()
					return
				}
				c.Slot.Stage = s.Text()
			})
		default:
			s.Skip()
		}
	})
	return c
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
			list = l.usages.listed(m.Consumed)
		}
		s.used.add(list)
		for _, one := range list {
			if one.as.use == UseValidated {
				validated[passKey{one.as.stage, int(one.step)}] = true
			}
		}
	}
	late := h.latePasses(validated)
	for _, seq := range slices.Sorted(maps.Keys(late)) {
		s.used.add(l.passes[seq])
	}
	return s, nil
}

// Judge says of an episode what became of it, by its Record, Seq, outcome and slot. Of equal records the first counts,
// so that episodes have to come in their order, each once.
func (s *Standings) Judge(e *Episode) {
	key, _ := keyOf(e.Record)
	v := s.Verdict(key, e.Seq, e.Outcome, e.Slot)
	e.Standing, e.Use, e.Why, e.Step = v.Standing, v.Use, v.Why, v.Step
}

// Settle gives back the memory for what was judged, of standings that are kept for episodes to come.
func (s *Standings) Settle() {
	left := make(usedRecords, len(s.used))
	maps.Copy(left, s.used)
	s.used = left
}

// Verdict is what became of an episode.
type Verdict struct {
	Standing Standing
	Use      sdk.Consumption // of one that counts, as are the others
	Why      string          // as Consumed.Why
	Step     int             // that used it
}

// Verdict is Judge for those who have of an episode only what it needs.
func (s *Standings) Verdict(key RecordKey, seq uint64, outcome sdk.Outcome, slot Slot) Verdict {
	if use, ok := s.used.take(key); ok {
		return Verdict{Counted, use.as.use, use.as.why, int(use.step)}
	}
	if s.replaced.has(key) {
		return Verdict{Standing: Superseded}
	}
	return Verdict{Standing: s.history.standing(seq, outcome, slot)}
}

// Reduced returns a record without what only those need who read an episode, or check the run: of an episode, a call or
// tokens nothing is left but that it was, of a list of episodes what a ledger takes. All else is the record itself.
func (r Record) Reduced() (Record, error) {
	var err error
	switch r.Type {
	case TypeEpisode, TypeCall, TypeTokens:
		r.Data = nil
	case TypeConsumed, TypeValidation, TypeStep:
		r.Data, err = reduceList(r.Type, r.Data)
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

// reduceList leaves of the episodes that a record lists what a ledger takes, and of those of a step nothing but that
// there are some. What else the record says stays as it is.
func reduceList(kind Type, data json.RawMessage) (json.RawMessage, error) {
	out := make([]byte, 0, len(data)/3)
	s := jsonscan.New(data)
	s.Object(func(name []byte) {
		out = append(append(append(out, ",\""...), name...), "\":"...)
		if string(name) != "consumed" || s.IsNull() {
			out = append(out, s.Raw()...)
			return
		}
		out = append(out, '[')
		s.Array(func() {
			if out[len(out)-1] != '[' {
				out = append(out, ',')
			}
			if kind == TypeStep {
				s.Skip()
				out = append(out, "{}"...)
				return
			}
			out = scanConsumed(s).appendReduced(out)
		})
		out = append(out, ']')
	})
	if !s.Done() || len(out) == 0 {
		return data, nil // whole it says the same
	}
	out[0] = '{'
	return append(out, '}'), nil
}

// appendReduced writes what readList takes.
func (c Consumed) appendReduced(out []byte) []byte {
	for _, member := range [...]struct{ name, text string }{
		{`{"use":`, string(c.Use)}, {`,"why":`, c.Why}, {`,"record":`, c.Record[:min(len(c.Record), 2*len(RecordKey{}))]},
		{`,"slot":{"stage":`, c.Slot.Stage},
	} {
		text, _ := json.Marshal(member.text) // a text always can be
		out = append(append(out, member.name...), text...)
	}
	return append(strconv.AppendInt(append(out, `},"step":`...), int64(c.Step), 10), '}')
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
