package runstore

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
)

// MetricRow is one line of metrics.jsonl, the readable copy of the metrics.
type MetricRow struct {
	Stage       string    `json:"stage"`
	Step        int       `json:"step"`
	Incarnation int       `json:"incarnation"`
	At          time.Time `json:"at"`
	Values      Numbers   `json:"values"`
	LaunchID    string    `json:"-"`
}

// Metrics yields the lineage's metric values, in record order. Each (step, name) pair that a resumed run has repeated
// is yielded once. Interrupted steps are omitted. An error is the last element.
func (r *Run) Metrics() iter.Seq2[MetricRow, error] {
	return func(yield func(MetricRow, error) bool) {
		h, err := r.history()
		if err == nil {
			err = r.eachMetric(newMetricFilter(h), yield)
		}
		if err != nil {
			yield(MetricRow{}, fmt.Errorf("read metrics of run %s: %w", r.Ref(), err))
		}
	}
}

func (r *Run) eachMetric(filter *metricFilter, yield func(MetricRow, error) bool) error {
	for record, err := range r.Records(journal.Position{}, TypeMetrics, TypeLaunch, TypeBoundary, TypeCommit) {
		if err != nil {
			return err
		}
		row, ok, err := filter.row(record)
		if err != nil {
			return err
		}
		if ok && !yield(row, nil) {
			return nil
		}
	}
	return nil
}

// metricFilter determines which metric records count. It stores only the names for the steps at which a trainer was
// started or reattached, because only there may two processes legitimately report the same value.
type metricFilter struct {
	history *history
	seen    map[metricKey]bool
	starts  map[int]bool
	recent  []metricKey // names since the last boundary that counts; only if a trainer was taken up again
	trails  bool        // recent is kept
}

type metricKey struct {
	stage string
	step  int
	name  string
}

func newMetricFilter(h *history) *metricFilter {
	f := &metricFilter{history: h, seen: map[metricKey]bool{}, starts: map[int]bool{}}
	for _, l := range h.launches {
		f.starts[max(l.FromStep, 0)] = true
		f.trails = f.trails || l.Reattached
	}
	return f
}

func (f *metricFilter) row(record Record) (row MetricRow, ok bool, err error) {
	switch record.Type {
	case TypeCommit:
		f.recent = nil
		return row, false, nil
	case TypeBoundary:
		return row, false, decoded(record, func(b BoundaryRecord) {
			if !b.Commits {
				f.recent = nil
			}
		})
	case TypeLaunch:
		return row, false, decoded(record, f.launched)
	}
	err = decoded(record, func(m MetricRecord) {
		row = MetricRow{Stage: m.Stage, Step: m.Step, Incarnation: record.Incarnation, At: record.At, Values: m.Values,
			LaunchID: m.LaunchID}
		ok = f.counts(record.Seq, m)
	})
	return row, ok && len(row.Values) > 0, err
}

// launched records which values may be repeated: those for a step that was interrupted before its boundary.
func (f *metricFilter) launched(LaunchRecord) {
	for _, key := range f.recent {
		f.starts[key.step], f.seen[key] = true, true
	}
	f.recent = nil
}

func (f *metricFilter) counts(seq uint64, m MetricRecord) bool {
	if f.history.rolledBack(seq, m.Step) {
		return false
	}
	for name := range m.Values {
		key := metricKey{m.Stage, m.Step, name}
		if f.trails {
			f.recent = append(f.recent, key)
		}
		if !f.starts[m.Step] {
			continue
		}
		if f.seen[key] {
			delete(m.Values, name)
		}
		f.seen[key] = true
	}
	return true
}

// metricsLog is the open metrics.jsonl. The journal is authoritative. This file is for people and their tools.
type metricsLog struct {
	mu     sync.Mutex
	file   disk.File
	size   int64
	filter *metricFilter // shared by reading and appending; nil in the first launch of a run, in which nothing is repeated
}

func (l *metricsLog) open(fsys disk.FS, path string) error {
	file, err := fsys.OpenFile(path, os.O_RDWR|os.O_CREATE, openFile)
	if err != nil {
		return err
	}
	size, err := file.Size()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	l.file, l.size = file, size
	return nil
}

func (l *metricsLog) append(row MetricRow) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.filter != nil {
		row.Values = maps.Clone(row.Values)
		if !l.filter.counts(math.MaxUint64, MetricRecord{Stage: row.Stage, Step: row.Step, Values: row.Values}) ||
			len(row.Values) == 0 {
			return nil
		}
	}
	line, err := json.Marshal(row)
	if err != nil {
		return fmt.Errorf("record metrics for step %d: %w", row.Step, err)
	}
	if _, err := l.file.WriteAt(append(line, '\n'), l.size); err != nil {
		return err
	}
	l.size += int64(len(line)) + 1
	return nil
}

// settle resets the list of values that a reattached trainer may repeat: they precede a commit, or a boundary without
// one.
func (l *metricsLog) settle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.filter != nil {
		l.filter.recent = nil
	}
}

func (l *metricsLog) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// exportMetrics rewrites metrics.jsonl when a trainer is relaunched or reattached: without the interrupted steps, and
// with each value only once.
func (w *Writer) exportMetrics() error {
	w.metrics.mu.Lock()
	defer w.metrics.mu.Unlock()
	if w.metrics.size == 0 && w.incarnation == 1 {
		return nil
	}
	h, err := w.history()
	if err != nil {
		return err
	}
	filter, path := newMetricFilter(h), w.MetricsPath()
	if err := w.writeMetrics(path+".tmp", filter); err != nil {
		return err
	}
	w.metrics.filter = filter
	if err := w.metrics.close(); err != nil {
		return err
	}
	if err := w.fs().Rename(path+".tmp", path); err != nil {
		return err
	}
	if err := w.fs().SyncDir(filepath.Dir(path)); err != nil {
		return err
	}
	return w.metrics.open(w.fs(), path)
}

func (w *Writer) writeMetrics(path string, filter *metricFilter) (err error) {
	file, err := w.fs().OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, openFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := io.NewOffsetWriter(file, 0)
	lines := bufio.NewWriterSize(out, 64<<10)
	encoder := json.NewEncoder(lines)
	var problem error
	err = w.eachMetric(filter, func(row MetricRow, _ error) bool {
		problem = encoder.Encode(row)
		return problem == nil
	})
	if err = errors.Join(err, problem, lines.Flush()); err != nil {
		return err
	}
	return file.Sync()
}
