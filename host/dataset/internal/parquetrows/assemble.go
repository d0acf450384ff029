package parquetrows

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// assembler builds the rows of a row group from its columns. It reads each column once, in sequence.
type assembler struct {
	columns []*column // nil: not read
	err     error     // the first error; values are then null
	problem string    // of the current row
}

func newAssembler(group parquet.RowGroup, root *node) *assembler {
	chunks := group.ColumnChunks()
	r := &assembler{columns: make([]*column, len(chunks))}
	for _, i := range root.leaves {
		r.columns[i] = &column{pages: chunks[i].Pages(), values: make([]parquet.Value, 0, valuesAtOnce)}
	}
	return r
}

func (r *assembler) close() {
	for _, c := range r.columns {
		if c != nil {
			c.close()
		}
	}
}

// value reads one value of a node from its columns.
func (r *assembler) value(n *node) any {
	switch n.kind {
	case leaf:
		return r.leaf(n)
	case object:
		return r.object(n)
	case list:
		return r.list(n)
	case dict:
		return r.dict(n)
	}
	return nil
}

func (r *assembler) leaf(n *node) any {
	v := r.take(n.leaves[0])
	if v.DefinitionLevel() < n.def || v.IsNull() {
		return nil
	}
	value, problem := n.convert(v)
	if problem != "" {
		r.reject(n, problem)
	}
	return value
}

func (r *assembler) reject(n *node, problem string) {
	if r.problem == "" {
		r.problem = fmt.Sprintf("%s %s", n.path, problem)
	}
}

func (r *assembler) object(n *node) any {
	if len(n.leaves) > 0 && r.level(n) < n.def {
		r.skip(n)
		return nil
	}
	members := make(map[string]any, len(n.children))
	for _, child := range n.children {
		members[child.name] = r.value(child)
	}
	return members
}

func (r *assembler) list(n *node) any {
	level := r.level(n)
	switch {
	case level < n.def:
		r.skip(n)
		return nil
	case level < n.itemDef:
		r.skip(n)
		return []any{}
	}
	items := []any{r.value(n.children[0])}
	for r.continues(n) {
		items = append(items, r.value(n.children[0]))
	}
	return items
}

func (r *assembler) dict(n *node) any {
	level := r.level(n)
	if level < n.def {
		r.skip(n)
		return nil
	}
	members := map[string]any{}
	if level < n.itemDef {
		r.skip(n)
		return members
	}
	r.entry(n, members)
	for r.continues(n) {
		r.entry(n, members)
	}
	return members
}

func (r *assembler) entry(n *node, members map[string]any) {
	key, ok := keyText(r.value(n.children[0]))
	value := r.value(n.children[1])
	if !ok && r.err == nil {
		r.reject(n, "has a null key")
	}
	if _, taken := members[key]; taken {
		r.reject(n, "has a duplicate key")
	}
	members[key] = value
}

func keyText(key any) (string, bool) {
	switch k := key.(type) {
	case string:
		return k, true
	case json.Number:
		return k.String(), true
	case bool:
		return fmt.Sprint(k), true
	}
	return "", false
}

// level returns the definition level of a node's next value. Any of the node's columns can be used.
func (r *assembler) level(n *node) int {
	v, _ := r.peek(n.leaves[0])
	return v.DefinitionLevel()
}

// continues reports whether the next value belongs to the same list as the previous one.
func (r *assembler) continues(n *node) bool {
	v, ok := r.peek(n.leaves[0])
	return ok && v.RepetitionLevel() == n.rep
}

// skip reads the single placeholder that each column contains for a missing value.
func (r *assembler) skip(n *node) {
	for _, i := range n.leaves {
		r.take(i)
	}
}

func (r *assembler) take(i int) parquet.Value {
	v, ok := r.peek(i)
	if !ok && r.err == nil {
		r.err = errors.New("the file is damaged: a column has fewer values than rows")
	}
	r.columns[i].at++
	return v
}

func (r *assembler) peek(i int) (parquet.Value, bool) {
	c := r.columns[i]
	if r.err != nil {
		return parquet.Value{}, false
	}
	if c.at >= len(c.values) {
		if err := c.fill(); err == io.EOF {
			return parquet.Value{}, false
		} else if err != nil {
			r.err = err
			return parquet.Value{}, false
		}
	}
	return c.values[c.at], true
}

// checkBorder checks that a row has ended in all columns: otherwise, all subsequent rows would be mixed up.
func (r *assembler) checkBorder(last bool) {
	for i, c := range r.columns {
		if c == nil {
			continue
		}
		v, ok := r.peek(i)
		if ok && (last || v.RepetitionLevel() != 0) {
			r.err = errors.New("the file is damaged: a column has more values than rows")
		}
	}
}

// valuesAtOnce is the number of values that are read from a column at a time.
const valuesAtOnce = 64

// column reads the values of one column of a row group.
type column struct {
	pages  parquet.Pages
	page   parquet.Page // contains the values; nil: none
	reader parquet.ValueReader
	values []parquet.Value
	at     int
}

// fill reads more values. It returns io.EOF after the last one.
func (c *column) fill() error {
	c.at, c.values = 0, c.values[:0]
	for {
		if c.reader == nil {
			c.release()
			page, err := c.pages.ReadPage()
			if err != nil {
				return err
			}
			c.page, c.reader = page, page.Values()
		}
		n, err := c.reader.ReadValues(c.values[:cap(c.values)])
		if err != nil {
			c.reader = nil // the page stays until its values have been used
		}
		if err != nil && err != io.EOF {
			return err
		}
		if n > 0 {
			c.values = c.values[:n]
			return nil
		}
	}
}

func (c *column) release() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
}

func (c *column) close() {
	c.release()
	_ = c.pages.Close() // read-only
}
