package dataset

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// csvFile reads a table as text: a header that contains the column names, then one record per row.
type csvFile struct {
	path      string
	delimiter string // empty: a tab in .tsv files, otherwise a comma
}

func (f csvFile) name() string { return f.path }

func (f csvFile) scan(yield func(scanned) bool) error {
	input, err := openText(f.path)
	if err != nil {
		return err
	}
	defer input.Close()
	table, err := f.open(input)
	if err != nil || table == nil {
		return err
	}
	for {
		row, err := table.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !yield(row) {
			return nil
		}
	}
}

// table is a CSV file whose header has been read.
type table struct {
	path    string
	bounded *boundedReader
	reader  *csv.Reader
	header  []string
	line    int // of the last record read
}

// open reads the header. It returns a nil table for a file that contains no lines.
func (f csvFile) open(input io.Reader) (*table, error) {
	buffered := bufio.NewReaderSize(input, 256<<10)
	if _, err := skipMark(buffered); err != nil {
		return nil, err
	}
	t := &table{path: f.path, bounded: &boundedReader{input: buffered}}
	t.reader = csv.NewReader(t.bounded)
	t.reader.Comma = f.comma()
	t.reader.FieldsPerRecord = -1 // compared with the header, for a better error
	t.reader.ReuseRecord = true
	t.bounded.left = maxLineBytes
	header, err := t.reader.Read()
	if err == io.EOF {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("invalid CSV header: %w: write the column names in the first line", err)
	}
	t.line, _ = t.reader.FieldPos(0)
	t.header, err = columnHeader(header, t.reader.Comma)
	return t, err
}

func (f csvFile) comma() rune {
	plain := strings.TrimSuffix(strings.TrimSuffix(f.path, ".gz"), ".zst")
	switch {
	case f.delimiter != "":
		comma, _ := utf8.DecodeRuneInString(f.delimiter)
		return comma
	case strings.EqualFold(filepath.Ext(plain), ".tsv"):
		return '\t'
	}
	return ','
}

// checkDelimiter checks that the reader accepts a delimiter.
func checkDelimiter(delimiter string) error {
	comma, size := utf8.DecodeRuneInString(delimiter)
	if delimiter == "" || size == len(delimiter) && comma != utf8.RuneError && !strings.ContainsRune("\"\r\n", comma) {
		return nil
	}
	return &ConfigError{Attribute: []string{"delimiter"}, Problem: fmt.Sprintf("invalid column separator %q",
		delimiter), Remedy: `write one character, such as ";" or "\t"`}
}

// columnHeader checks the column names. A column without a name, such as a data frame's index, receives the same name
// as in pandas.
func columnHeader(header []string, comma rune) ([]string, error) {
	names := make([]string, len(header))
	seen := map[string]bool{}
	for i, name := range header {
		if name == "" {
			name = fmt.Sprintf("Unnamed: %d", i)
		}
		if !utf8.ValidString(name) {
			return nil, errors.New("the header is not UTF-8: save the file as UTF-8")
		}
		if seen[name] {
			return nil, fmt.Errorf("duplicate column name %q: rename one of them", name)
		}
		seen[name] = true
		names[i] = name
	}
	if len(names) == 1 {
		for _, other := range ",;\t|" {
			if other != comma && strings.ContainsRune(names[0], other) {
				return nil, &ConfigError{
					Attribute: []string{"delimiter"}, Problem: fmt.Sprintf("the header has one column, %q", names[0]),
					Remedy: fmt.Sprintf("if %q separates columns, write delimiter = %q", other, string(other)),
				}
			}
		}
	}
	return names, nil
}

func (t *table) next() (scanned, error) {
	t.bounded.left = maxLineBytes
	record, err := t.reader.Read()
	var wrong *csv.ParseError
	switch {
	case err == io.EOF:
		return scanned{}, io.EOF
	case errors.Is(err, errLongRecord):
		return scanned{}, fmt.Errorf("the record after the one in line %d is longer than %d MiB: close its opening "+
			"quotes, "+
			"or store large contents in separate files", t.line, maxLineBytes>>20)
	case errors.As(err, &wrong):
		t.line = wrong.StartLine
		return t.bad(t.line, fmt.Sprintf("invalid CSV: %v%s", wrong.Err, within(wrong)),
				"enclose fields that contain quotes, delimiters or line breaks in quotes, and double the quotes in "+
					"them"),
			nil
	case err != nil:
		return scanned{}, err
	}
	t.line, _ = t.reader.FieldPos(0)
	if len(record) != len(t.header) {
		return t.bad(t.line, fmt.Sprintf("the record has %d fields, the header %d", len(record), len(t.header)),
			"write one field per column, and enclose fields that contain delimiters or line breaks in quotes"), nil
	}
	row := scanned{place: Place{Path: t.path, Line: t.line}, columns: make(map[string]any, len(record))}
	for i, field := range record {
		if !utf8.ValidString(field) {
			return t.bad(t.line, "the text is not UTF-8", "save the file as UTF-8"), nil
		}
		row.columns[t.header[i]] = nil // an empty field is a missing value
		if field != "" {
			row.columns[t.header[i]] = field
		}
	}
	return row, nil
}

// within returns the position in a record at which the reader stopped.
func within(wrong *csv.ParseError) string {
	if wrong.Line != wrong.StartLine {
		return fmt.Sprintf(" in line %d", wrong.Line)
	}
	return fmt.Sprintf(" at character %d", wrong.Column)
}

func (t *table) bad(line int, reason, remedy string) scanned {
	return scanned{place: Place{Path: t.path, Line: line}, problem: &problem{reason: reason, remedy: remedy}}
}

var errLongRecord = errors.New("the record is too long")

// boundedReader returns an error if a record is too long: if its closing quote is missing, it would extend to the end
// of the file.
type boundedReader struct {
	input io.Reader
	left  int
}

func (b *boundedReader) Read(into []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLongRecord
	}
	n, err := b.input.Read(into[:min(len(into), b.left)])
	b.left -= n
	return n, err
}

var _ dataFile = csvFile{}
