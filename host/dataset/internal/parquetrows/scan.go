// Package parquetrows reads the rows of a Parquet file sequentially as JSON-like values, using the memory of one page
// per column.
//
// It owns the conversion of Parquet types to JSON:
//
//   - structs are objects, lists are lists, maps are objects, in every nesting that writers use
//   - whole numbers and decimals keep all their digits, floating point numbers have the fewest possible digits
//   - dates, times and timestamps are text as in ISO 8601; the timestamp of an instant ends with Z
//   - NaN is null, as in the JSON of data frames; infinity is an error of its row
//   - bytes without a text annotation are an error of the file, unless their column is dropped
//
// It must not depend on tasks or the locations of files.
//
//	err := parquetrows.Scan(file, size, []string{"image"}, func(row parquetrows.Row) bool {
//		fmt.Println(row.Number, row.Columns["prompt"]) // []any{map[string]any{"role": "user", …}}
//		return true
//	})
package parquetrows

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// Row is one row of a file, or the mistake found in it.
type Row struct {
	Number  int            // in the file, from 1
	Group   int            // its row group, from 1
	Columns map[string]any // string, json.Number, bool, nil, []any, map[string]any; dropped columns are nil
	Problem string         // the mistake; empty: none. It never quotes a value
}

// Scan calls yield for every row until yield returns false. Columns named in drop, where dots lead into structs, are
// not read; they are null in the row. The error concerns the file; a *ColumnsError names columns that have no JSON
// form.
func Scan(file io.ReaderAt, size int64, drop []string, yield func(Row) bool) (err error) {
	defer func() {
		if cause := recover(); cause != nil { // the library panics if a damaged file contradicts itself
			err = fmt.Errorf("the file is damaged: %v", cause)
		}
	}()
	if err := checkEnds(file, size); err != nil {
		return err
	}
	opened, err := parquet.OpenFile(file, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	root, err := newShape(opened.Metadata().Schema, drop)
	if err != nil {
		return err
	}
	number := 0
	for i, group := range opened.RowGroups() {
		more, err := scanGroup(group, root, Row{Number: number, Group: i + 1}, yield)
		if err != nil || !more {
			return err
		}
		number += int(group.NumRows())
	}
	return nil
}

const magic = "PAR1"

// checkEnds checks the first and last bytes, so that other kinds of files and truncated Parquet files produce a clear
// error.
func checkEnds(file io.ReaderAt, size int64) error {
	head, tail := make([]byte, 4), make([]byte, 8)
	if size < 12 {
		return errors.New("not a Parquet file: it is too short")
	}
	if _, err := file.ReadAt(head, 0); err != nil {
		return err
	}
	if _, err := file.ReadAt(tail, size-8); err != nil {
		return err
	}
	switch {
	case string(head) == "PARE" || string(tail[4:]) == "PARE":
		return errors.New("the file is encrypted: write it without encryption")
	case string(head) != magic:
		return errors.New("not a Parquet file: it does not begin with " + magic)
	case string(tail[4:]) != magic || int64(binary.LittleEndian.Uint32(tail)) > size-12:
		return errors.New("the Parquet file is truncated: copy or download it again")
	}
	return nil
}

// scanGroup reads one row group. before has its group and the number of rows before it.
func scanGroup(group parquet.RowGroup, root *node, before Row, yield func(Row) bool) (more bool, err error) {
	r := newAssembler(group, root)
	defer r.close()
	for i := range int(group.NumRows()) {
		r.problem = ""
		columns, _ := r.value(root).(map[string]any)
		if r.err == nil {
			r.checkBorder(i == int(group.NumRows())-1)
		}
		if r.err != nil {
			return false, fmt.Errorf("read row %d (row group %d): %w", before.Number+i+1, before.Group, r.err)
		}
		row := Row{Number: before.Number + i + 1, Group: before.Group, Columns: columns, Problem: r.problem}
		if !yield(row) {
			return false, nil
		}
	}
	return true, nil
}
