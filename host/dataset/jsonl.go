package dataset

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// maxLineBytes limits the length of a line, and therefore the memory used by one row.
const maxLineBytes = 64 << 20

// jsonl reads a JSON Lines file. It stores the positions of the rows, not their contents.
type jsonl struct {
	path string
	file *os.File
	rows []span
}

// span is a row in the file. The checksum detects changes to the file during a run.
type span struct {
	offset int64
	length uint32
	line   uint32
	sum    uint32
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func openJSONL(path string) (*jsonl, error) {
	file, err := openPlain(path)
	if err != nil {
		return nil, inFile(path, err)
	}
	return &jsonl{path: path, file: file}, nil
}

// scan implements source.
func (j *jsonl) scan(yield func(scanned) bool) error {
	err := scanLines(j.path, j.file, func(line line, row scanned) bool {
		if row.problem == nil {
			j.rows = append(j.rows, span{
				offset: line.offset, length: uint32(len(line.text)), line: uint32(line.number),
				sum: crc32.Checksum(line.text, castagnoli),
			})
		}
		return yield(row)
	})
	return inFile(j.path, err)
}

// scanLines reads the rows of a JSON Lines file, with their line numbers.
func scanLines(path string, input io.Reader, yield func(line, scanned) bool) error {
	lines := newLineReader(input, maxLineBytes)
	for {
		line, err := lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(line.text)) == 0 && !line.tooLong {
			continue
		}
		if !yield(line, scanLine(path, line)) {
			return nil
		}
	}
}

func scanLine(path string, line line) scanned {
	row := scanned{place: Place{Path: path, Line: line.number}}
	if line.tooLong {
		row.problem = &problem{
			reason: fmt.Sprintf("the line is longer than %d MiB", maxLineBytes>>20),
			remedy: "store large contents in separate files and name them in the row",
		}
		return row
	}
	row.columns, row.problem = parseRow(line.text)
	return row
}

// row implements source.
func (j *jsonl) row(i int) (map[string]any, error) {
	span := j.rows[i]
	text := make([]byte, span.length)
	if _, err := j.file.ReadAt(text, span.offset); err != nil && err != io.EOF {
		return nil, fmt.Errorf("read dataset %s: %w", j.place(i), err)
	}
	if crc32.Checksum(text, castagnoli) != span.sum {
		return nil, fmt.Errorf("read dataset %s: the file changed while in use; do not modify it until the run has "+
			"ended, or use a new file", j.place(i))
	}
	columns, problem := parseRow(text)
	if problem != nil {
		return nil, problem.at(j.place(i))
	}
	return columns, nil
}

// place implements source.
func (j *jsonl) place(i int) Place { return Place{Path: j.path, Line: int(j.rows[i].line)} }

// close implements source.
func (j *jsonl) close() error { return j.file.Close() }

var _ source = (*jsonl)(nil)
