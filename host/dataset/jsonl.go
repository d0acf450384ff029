package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLineBytes bounds a line, and with it the memory that one row takes.
const maxLineBytes = 64 << 20

// jsonl reads a JSON Lines file. It remembers where the rows are, not what they hold.
type jsonl struct {
	path string
	file *os.File
	rows []place
}

// place is a row in the file. The checksum shows when the file is changed under a run.
type place struct {
	offset int64
	length uint32
	line   uint32
	sum    uint32
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func openJSONL(path string) (*jsonl, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("read dataset %s: it is a directory: name the file in it", path)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read dataset %s: it is no regular file, and rows are read more than once: write them to a file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	return &jsonl{path: path, file: file}, nil
}

// fileError says why a file cannot be opened; for a missing one it names those that are there.
func fileError(path string, err error) error {
	var reason *fs.PathError
	if errors.As(err, &reason) {
		err = reason.Err // the path is named already
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read dataset %s: %w", path, err)
	}
	remedy := "create it, or correct the path, which is relative to the spec"
	if there := neighbours(path); there != "" {
		remedy += "; beside it there is " + there
	}
	return fmt.Errorf("read dataset %s: %w: %s", path, err, remedy)
}

// neighbours lists a few files of the same kind in the directory where a file was expected.
func neighbours(path string) string {
	const most = 5
	found, err := filepath.Glob(filepath.Join(escapeGlob(filepath.Dir(path)), "*"+escapeGlob(filepath.Ext(path))))
	if err != nil || len(found) == 0 {
		return ""
	}
	names := make([]string, 0, most)
	for _, f := range found[:min(most, len(found))] {
		names = append(names, filepath.Base(f))
	}
	return strings.Join(names, ", ")
}

func escapeGlob(text string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(text)
}

// scan implements source.
func (j *jsonl) scan(yield func(scanned) bool) error {
	lines := newLineReader(j.file, maxLineBytes)
	for {
		line, err := lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read dataset %s: %w", j.path, err)
		}
		if len(bytes.TrimSpace(line.text)) == 0 && !line.tooLong {
			continue
		}
		if !yield(j.scanLine(line)) {
			return nil
		}
	}
}

func (j *jsonl) scanLine(line line) scanned {
	if line.tooLong {
		return scanned{line: line.number, problem: &problem{
			reason: fmt.Sprintf("the line is longer than %d MiB", maxLineBytes>>20),
			remedy: "keep large contents in files of their own and name them in the row",
		}}
	}
	columns, problem := parseRow(line.text)
	if problem == nil {
		j.rows = append(j.rows, place{
			offset: line.offset, length: uint32(len(line.text)), line: uint32(line.number), sum: crc32.Checksum(line.text, castagnoli),
		})
	}
	return scanned{line: line.number, columns: columns, problem: problem}
}

// row implements source.
func (j *jsonl) row(i int) (map[string]any, error) {
	place := j.rows[i]
	text := make([]byte, place.length)
	if _, err := j.file.ReadAt(text, place.offset); err != nil && err != io.EOF {
		return nil, fmt.Errorf("read dataset %s:%d: %w", j.path, place.line, err)
	}
	if crc32.Checksum(text, castagnoli) != place.sum {
		return nil, fmt.Errorf("read dataset %s:%d: the file was changed while it is in use: leave it as it is until the run "+
			"has ended, or put a new file in its place", j.path, place.line)
	}
	columns, problem := parseRow(text)
	if problem != nil {
		return nil, problem.at(j.path, int(place.line))
	}
	return columns, nil
}

// line implements source.
func (j *jsonl) line(i int) int { return int(j.rows[i].line) }

// close implements source.
func (j *jsonl) close() error { return j.file.Close() }

var _ source = (*jsonl)(nil)
