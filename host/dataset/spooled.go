package dataset

import (
	"fmt"

	"github.com/awhost/awhost/host/dataset/internal/spool"
)

// dataFile is a file whose rows can be read sequentially.
type dataFile interface {
	// name returns the path for use in errors.
	name() string
	// scan opens the file, calls yield for every row until yield returns false, and closes the file. Its error concerns
	// the file.
	scan(yield func(scanned) bool) error
}

// spooled reads files whose rows cannot be accessed randomly: compressed text, pages of columns, lists. It reads them
// once and keeps their rows.
type spooled struct {
	files []dataFile
	spool *spool.Spool
	rows  []spooledRow
}

// spooledRow is a compact Place.
type spooledRow struct {
	file   uint32
	number uint32 // line or row
	group  uint32
	isLine bool
}

func newSpooled(files ...dataFile) *spooled { return &spooled{files: files, spool: spool.New()} }

// scan implements source.
func (s *spooled) scan(yield func(scanned) bool) error {
	for i, file := range s.files {
		more, err := s.scanFile(i, file, yield)
		if err != nil {
			return inFile(file.name(), err)
		}
		if !more {
			break
		}
	}
	return s.spool.Finish()
}

func (s *spooled) scanFile(i int, file dataFile, yield func(scanned) bool) (more bool, err error) {
	more = true
	var full error
	err = file.scan(func(row scanned) bool {
		if row.problem == nil {
			if full = s.keep(i, row); full != nil {
				return false
			}
		}
		more = yield(row)
		return more
	})
	if full != nil {
		return false, full
	}
	return more, err
}

func (s *spooled) keep(file int, row scanned) error {
	r := spooledRow{file: uint32(file), number: uint32(row.place.Row), group: uint32(row.place.RowGroup)}
	if row.place.Line > 0 {
		r.number, r.isLine = uint32(row.place.Line), true
	}
	s.rows = append(s.rows, r)
	return s.spool.Add(canonical(row.columns))
}

// row implements source.
func (s *spooled) row(i int) (map[string]any, error) {
	text, err := s.spool.Get(i)
	if err != nil {
		return nil, fmt.Errorf("read dataset %s: %w", s.place(i), err)
	}
	row, problem := parseRow(text)
	if problem != nil {
		return nil, problem.at(s.place(i))
	}
	return row, nil
}

// place implements source.
func (s *spooled) place(i int) Place {
	r := s.rows[i]
	p := Place{Path: s.files[r.file].name(), Row: int(r.number), RowGroup: int(r.group)}
	if r.isLine {
		p.Row, p.Line = 0, int(r.number)
	}
	return p
}

// close implements source.
func (s *spooled) close() error { return s.spool.Close() }

var _ source = (*spooled)(nil)
