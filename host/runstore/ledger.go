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

// Ledger determines which of a run's episodes count. It receives the journal's records in order and may be queried at
// any time. A reader that follows a growing run adds each record once.
//
//	ledger := run.NewLedger()
//	for record, err := range run.Records(journal.Position{}, runstore.LedgerTypes()...) { err = ledger.Add(record) }
//	standings, err := ledger.Standings()
//	standings.Judge(&episode) // each, in the order of their records
//
// It needs about 60 bytes per episode. It is not safe for concurrent use.
type Ledger struct {
	run      *Run
	history  *history
	lists    map[string][]listed // episodes in manifests, by the manifest's digest
	passes   map[uint64][]listed // episodes in validation passes, by the record's number
	replaced usedRecords
	usages   usages
}

// listed is an episode in a list, together with its use.
type listed struct {
	key   RecordKey
	known bool // key belongs to a record
	usedBy
}

// list is the episode list in a manifest or a validation pass.
type list struct {
	digest   string // of the manifest
	consumed []listed
}

// NewLedger returns a ledger without records.
func (r *Run) NewLedger() *Ledger {
	return &Ledger{
		run: r, history: newHistory(), lists: map[string][]listed{}, passes: map[uint64][]listed{}, replaced: usedRecords{},
		usages: usages{},
	}
}

// LedgerTypes returns the record types that a ledger needs. It needs episode records only for replacements. Reattached
// reports whether there may be any replacements.
func LedgerTypes() []Type { return append(slices.Clone(historyTypes), TypeConsumed) }

// Add adds the next record. It ignores records of types that it does not need.
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

// Replace records that an episode replaced an earlier record, which is identified by its hash.
func (l *Ledger) Replace(record string) {
	if key, ok := keyOf(record); ok {
		l.replaced[key] = usedBy{}
	}
}

// Reattached reports whether a trainer was reattached. Only in this case may episodes replace others.
func (l *Ledger) Reattached() bool {
	return slices.ContainsFunc(l.history.launches, func(launch journaledLaunch) bool { return launch.Reattached })
}

func (u usages) listed(consumed []Consumed) []listed {
	out := make([]listed, 0, len(consumed))
	for _, c := range consumed {
		out = append(out, u.newListed(c))
	}
	return out
}

// newListed returns the data of c that a ledger needs.
func (u usages) newListed(c Consumed) listed {
	l := listed{usedBy: usedBy{as: u.of(c), step: int32(c.Step)}}
	l.key, l.known = keyOf(c.Record)
	return l
}

// readList reads the part of a consumedRecord or a ValidationRecord that a ledger needs. In a long run, these records
// make up most of the journal apart from episodes.
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
		out.consumed = slices.Clone(out.consumed) // without excess capacity
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

// Standings holds the standings of a run's episodes according to a ledger's current records.
type Standings struct {
	history  *history
	used     usedRecords
	replaced usedRecords
}

// Standings determines which records count. Its result is valid for one pass over the episodes.
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

// Judge sets an episode's standing, based on its Record, Seq, outcome and slot. If several records are equal, the first
// one counts, so each episode must be judged once, in order.
func (s *Standings) Judge(e *Episode) {
	key, _ := keyOf(e.Record)
	v := s.Status(key, e.Seq, e.Outcome, e.Slot)
	e.Standing, e.Use, e.Why, e.Step = v.Standing, v.Use, v.Why, v.Step
}

// Settle releases the memory used for judged episodes when the standings are kept for later episodes.
func (s *Standings) Settle() {
	left := make(usedRecords, len(s.used))
	maps.Copy(left, s.used)
	s.used = left
}

// EpisodeStatus is the standing and the use of an episode.
type EpisodeStatus struct {
	Standing Standing
	Use      sdk.Consumption // of a counted one, like the fields below
	Why      string          // as Consumed.Why
	Step     int             // step that used it
}

// Status returns the result of Judge for callers that have only the required data about an episode.
func (s *Standings) Status(key RecordKey, seq uint64, outcome sdk.Outcome, slot Slot) EpisodeStatus {
	if use, ok := s.used.take(key); ok {
		return EpisodeStatus{Counted, use.as.use, use.as.why, int(use.step)}
	}
	if s.replaced.has(key) {
		return EpisodeStatus{Standing: Superseded}
	}
	return EpisodeStatus{Standing: s.history.standing(seq, outcome, slot)}
}

// Reduced returns a record without the data that is needed only to read episodes or to check the run. For an episode, a
// call or tokens, only the fact that it exists remains; for an episode list, the data for a ledger remains. Other
// records are returned unchanged.
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
			r.Data, _ = json.Marshal(b) // numbers and texts only
		})
	case TypeCommit:
		r.Data, err = reduceCommit(r.Data)
	}
	return r, err
}

// reduceList reduces the episodes that a record lists to the data for a ledger, and a step's episodes to their number.
// The rest of the record is unchanged.
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
		return data, nil // the whole record has the same meaning
	}
	out[0] = '{'
	return append(out, '}'), nil
}

// appendReduced appends the data in the form that readList reads.
func (c Consumed) appendReduced(out []byte) []byte {
	for _, member := range [...]struct{ name, text string }{
		{`{"use":`, string(c.Use)}, {`,"why":`, c.Why}, {`,"record":`, c.Record[:min(len(c.Record), 2*len(RecordKey{}))]},
		{`,"slot":{"stage":`, c.Slot.Stage},
	} {
		text, _ := json.Marshal(member.text) // a text can always be encoded
		out = append(append(out, member.name...), text...)
	}
	return append(strconv.AppendInt(append(out, `},"step":`...), int64(c.Step), 10), '}')
}

// reduceCommit removes the data that is needed only to resume.
func reduceCommit(data json.RawMessage) (json.RawMessage, error) {
	var c commitRecord
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, err
	}
	c.Manifest.Budgets, c.Manifest.RNG, c.Manifest.Files = nil, nil, nil
	return json.Marshal(c)
}
