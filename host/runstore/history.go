package runstore

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/awhost/awhost/host/journal"
)

// history is the combined state of the records: the lineage, and the events that truncate it. It reads neither episodes
// nor lists of episodes, so that a long run opens fast.
type history struct {
	lineage     []Checkpoint    // oldest first
	commits     map[string]bool // manifest digests of all commit records, including the ones that were rolled back
	pruned      map[string]bool
	launches    []journaledLaunch
	passes      []pass
	finish      *FinishRecord // of the latest incarnation
	incarnation int
	extension   *Extension // of the latest incarnation
	lastCommit  int        // incarnation of the last commit on record
	settled     bool       // all prunes are on record: a prune or the end of the process follows the last commit
	adopted     bool       // the tip is on disk and its commit is not on record
	damaged     []string   // unreadable manifests of steps after the tip: one sentence for each
	cut         error      // the journal is shorter than a manifest's part of it; nil: it is not
}

// journaledLaunch is a LaunchRecord with its position in the journal.
type journaledLaunch struct {
	LaunchRecord
	seq uint64
}

// pass is a finished validation pass and the position of its record.
type pass struct {
	stage string
	step  int
	after string // manifest digest of the checkpoint before it
	seq   uint64
}

// historyTypes lists the record types from which a history is built.
var historyTypes = []Type{TypeIncarnation, TypeLaunch, TypeValidation, TypeCommit, TypePrune, TypeFinish}

func newHistory() *history { return &history{commits: map[string]bool{}, pruned: map[string]bool{}} }

// clone returns a copy of h. Additions to it do not change h.
func (h *history) clone() *history {
	out := *h
	out.lineage, out.damaged = slices.Clone(h.lineage), slices.Clone(h.damaged)
	out.commits, out.pruned = maps.Clone(h.commits), maps.Clone(h.pruned)
	out.launches, out.passes = slices.Clip(h.launches), slices.Clip(h.passes)
	return &out
}

// knownHistory is the part of a run's history that this process has read. Later calls read only the records after it.
type knownHistory struct {
	mu      sync.Mutex
	history *history
	next    journal.Position
}

// history reads the journal, and the one manifest that a kill may have left without a record.
func (r *Run) history() (*history, error) {
	h, err := r.historySoFar()
	if err != nil {
		return nil, err
	}
	return h, h.cut
}

// historySoFar does the work of history for a journal that may have lost its end.
func (r *Run) historySoFar() (*history, error) {
	h, err := r.recorded()
	if err != nil {
		return nil, err
	}
	h.markRemoved()
	return h, r.adopt(h)
}

// recorded returns what the records say.
func (r *Run) recorded() (*history, error) {
	k := r.known
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.history == nil {
		k.history, k.next = newHistory(), journal.Position{}
	}
	for record, err := range r.Records(k.next, historyTypes...) {
		if err == nil {
			if err = k.history.apply(r, record); err != nil {
				err = fmt.Errorf("read journal of run %s: record %d (%s): %w", r.Info.Ref(), record.Seq, record.Type, err)
			}
		}
		if err != nil {
			k.history = nil // a part of the record may have been applied
			return nil, err
		}
		k.next = record.Next
	}
	return k.history.clone(), nil
}

// apply adds one record.
func (h *history) apply(r *Run, record Record) error {
	switch record.Type {
	case TypeIncarnation:
		h.incarnation, h.finish = record.Incarnation, nil
		return decoded(record, func(i incarnationRecord) { h.extension = i.Owner.Extension })
	case TypeLaunch:
		return decoded(record, func(l LaunchRecord) { h.launched(journaledLaunch{l, record.Seq}) })
	case TypeValidation:
		return decoded(record, func(v ValidationRecord) {
			h.passes = append(h.passes, pass{stage: v.Stage, step: v.Step, after: v.After, seq: record.Seq})
		})
	case TypeCommit:
		return h.committed(r, record)
	case TypePrune:
		h.settled = true
		return decoded(record, func(p pruneRecord) {
			for _, digest := range p.Digests {
				h.pruned[digest] = true
			}
		})
	case TypeFinish:
		h.settled = h.settled || record.Incarnation == h.lastCommit
		return decoded(record, func(f FinishRecord) { h.finish = &f })
	}
	return nil
}

// decoded calls use with the record's decoded data.
func decoded[T any](record Record, use func(T)) error {
	var data T
	if err := json.Unmarshal(record.Data, &data); err != nil {
		return err
	}
	use(data)
	return nil
}

// launched rolls the lineage back to the trainer's starting point. Reattaching a trainer does not roll anything back.
func (h *history) launched(l journaledLaunch) {
	h.launches = append(h.launches, l)
	if !l.Reattached {
		h.rollBack(l.From)
	}
}

func (h *history) rollBack(to string) {
	for len(h.lineage) > 0 && h.tip() != to {
		h.lineage = h.lineage[:len(h.lineage)-1]
	}
}

// tip returns the manifest digest of the newest checkpoint in the lineage, or an empty string.
func (h *history) tip() string {
	if len(h.lineage) == 0 {
		return ""
	}
	return h.lineage[len(h.lineage)-1].Manifest
}

func (h *history) committed(r *Run, record Record) error {
	var c commitRecord
	if err := json.Unmarshal(record.Data, &c); err != nil {
		return err
	}
	h.commits[c.Digest], h.settled, h.lastCommit = true, false, c.Manifest.Incarnation
	return h.push(c.Manifest.summary(r.checkpointDir(c.Manifest.Step), c.Digest))
}

// push adds a checkpoint to the lineage.
func (h *history) push(c Checkpoint) error {
	if c.Manifest == h.tip() {
		return nil // recorded again after it was adopted
	}
	if c.Parent != h.tip() {
		return fmt.Errorf("the checkpoint of step %d does not continue the one before", c.Step)
	}
	h.lineage = append(h.lineage, c)
	return nil
}

func (h *history) markRemoved() {
	for i := range h.lineage {
		if c := &h.lineage[i]; h.pruned[c.Manifest] {
			c.Removed, c.Metrics = true, nil // Metrics still has the numbers
		}
	}
}

// adopt adds a checkpoint whose manifest was renamed into place just before its writer was killed.
func (r *Run) adopt(h *history) error {
	entries, err := r.fs().ReadDir(filepath.Join(r.Dir, checkpointsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read checkpoints of run %s: %w", r.Info.Ref(), err)
	}
	for _, entry := range entries {
		dir := filepath.Join(r.Dir, checkpointsDir, entry.Name())
		if !h.isBehind(r, dir) {
			continue // a manifest can be long, and these are not needed
		}
		m, digest, err := readManifest(r.fs(), dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			h.damaged = append(h.damaged, fmt.Sprintf("checkpoint %s of run %s is not intact: %v", entry.Name(), r.Ref(), err))
		}
		if err == nil && m.Run == r.Info.ID {
			h.cut = cmp.Or(h.cut, r.checkLength(m.Journal.Offset))
		}
		if err != nil || dir != r.checkpointDir(m.Step) || m.Run != r.Info.ID || m.Parent != h.tip() {
			continue // incomplete, foreign, or damaged: the lineage's checkpoints are checked when they are used
		}
		if h.adopted || !h.laterThan(m) {
			continue
		}
		h.adopted, h.settled = true, false
		if err := h.push(m.summary(dir, digest)); err != nil {
			return err
		}
	}
	return nil
}

// checkLength returns an error if the journal is shorter than a manifest's part of it. Without a manifest, a journal
// that was cut off looks like one whose writer was killed.
func (r *Run) checkLength(durable int64) error {
	info, err := r.fs().Lstat(r.JournalPath())
	if err != nil {
		return fmt.Errorf("read journal of run %s: %w", r.Ref(), err)
	}
	if info.Size() >= durable {
		return nil
	}
	return fmt.Errorf("run %s: %w", r.Ref(), &journal.CorruptError{Path: r.JournalPath(), Offset: info.Size(),
		Reason: fmt.Sprintf("the file ends here, but %d bytes of it were durable", durable)})
}

// isBehind reports whether the lineage ends before a checkpoint. The lineage's checkpoints are checked when they are
// used.
func (h *history) isBehind(r *Run, dir string) bool {
	step := -1
	if n := len(h.lineage); n > 0 {
		step = h.lineage[n-1].Step
	}
	var number int
	_, err := fmt.Sscanf(filepath.Base(dir), "step-%06d", &number)
	return err == nil && dir == r.checkpointDir(number) && number > step
}

// laterThan reports whether a manifest can be the successor of the tip, because nothing has rolled it back since. A
// later launch from the same parent means that its step was abandoned.
func (h *history) laterThan(m *Manifest) bool {
	for _, l := range h.launches {
		if !l.Reattached && l.seq > m.Journal.Seq {
			return false
		}
	}
	return true
}

// rolledBack reports whether a later launch started before the end of the given step in a record.
func (h *history) rolledBack(seq uint64, step int) bool {
	for i := len(h.launches) - 1; i >= 0 && h.launches[i].seq > seq; i-- {
		if !h.launches[i].Reattached && h.launches[i].FromStep < step {
			return true
		}
	}
	return false
}

// relaunched reports whether a trainer was started from a checkpoint after a record.
func (h *history) relaunched(seq uint64) bool { return h.rolledBack(seq, int(^uint(0)>>1)) }
