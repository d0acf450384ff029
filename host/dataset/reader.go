package dataset

import (
	"fmt"
	"strconv"
	"strings"
)

// reader reads a dataset for the first time: it checks every row, assigns its ID and adds it to the fingerprint.
type reader struct {
	config  Config
	source  source
	mapping *mapping

	ids         []string
	readable    int      // valid rows counted by the source
	rows        []uint32 // of the IDs, in the source's numbering
	byID        map[string]int
	occurrences map[string]int // of stable IDs: a number distinguishes equal rows
	seen        []bool         // by index in mapping.watched
	sum         digest
	bad         RowsError
}

func newReader(config Config, source source, mapping *mapping) *reader {
	return &reader{
		config: config, source: source, mapping: mapping,
		byID: map[string]int{}, occurrences: map[string]int{}, seen: make([]bool, len(mapping.watched)),
		sum: newFingerprint(),
	}
}

// read reads the rows up to the limit. It collects bad rows so that the user can correct all of them at once.
func (r *reader) read() error {
	err := r.source.scan(func(row scanned) bool {
		r.take(row)
		if len(r.bad.Rows) == maxBadRows {
			r.bad.Stopped = true
			return false
		}
		return r.config.Limit == 0 || len(r.ids)+len(r.bad.Rows) < r.config.Limit
	})
	switch {
	case err != nil:
		return err
	case len(r.bad.Rows) > 0:
		return &r.bad
	case len(r.ids) == 0:
		return fmt.Errorf(
			"read dataset %s: no rows: %s, or correct the %s",
			r.config.title(),
			r.remedy(),
			r.config.Origin(),
		)
	}
	return r.checkWatched()
}

func (r *reader) take(row scanned) {
	if row.problem != nil {
		r.reject(row.place, row.problem)
		return
	}
	r.readable++
	r.mapping.notice(row.columns, r.seen)
	task, problem := r.mapping.task(row.columns)
	if problem != nil {
		r.reject(row.place, problem)
		return
	}
	if task.ID == "" {
		task.ID = r.name(task.Public)
	}
	if earlier, taken := r.byID[task.ID]; taken {
		r.reject(row.place, duplicateID(task.ID, r.source.place(int(r.rows[earlier])), row.place))
		return
	}
	r.byID[task.ID] = len(r.ids)
	r.ids = append(r.ids, task.ID)
	r.rows = append(r.rows, uint32(r.readable-1))
	r.sum.task(task)
}

func (r *reader) reject(place Place, problem *problem) {
	r.bad.Rows = append(r.bad.Rows, problem.at(place))
}

// name returns an ID derived from a row's content and, starting with the second identical row, its occurrence number.
func (r *reader) name(public []byte) string {
	id := stableID(public)
	r.occurrences[id]++
	if n := r.occurrences[id]; n > 1 {
		return id + "-" + strconv.Itoa(n)
	}
	return id
}

func (r *reader) remedy() string {
	if r.config.Type == TypeJSONL {
		return "write one JSON object per line"
	}
	return "write some"
}

// checkWatched finds names in `private` and `drop` that no row contains: if a name were misspelled, the answer would
// stay public.
func (r *reader) checkWatched() error {
	for i, seen := range r.seen {
		w := r.mapping.watched[i]
		if name := string(w.column); !seen && !alwaysPrivate(name) && !r.mapping.fills(name) {
			return &ConfigError{
				Attribute: []string{w.attribute},
				Problem: fmt.Sprintf(
					"no row of %s has a column %q that could be %s",
					r.config.title(),
					name,
					w.purpose,
				),
				Remedy: "correct the name, or omit it" + suffixIf(
					strings.Contains(name, "."),
					"; dots select members of nested objects",
				),
			}
		}
	}
	return nil
}

func suffixIf(condition bool, suffix string) string {
	if condition {
		return suffix
	}
	return ""
}
