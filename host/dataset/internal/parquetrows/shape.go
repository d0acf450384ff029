package parquetrows

import (
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// ColumnsError reports columns that cannot be converted to JSON.
type ColumnsError struct {
	Columns []string // columns to drop, with dots into structs
	Reason  string   // of the first one
}

// Error implements error.
func (e *ColumnsError) Error() string {
	return fmt.Sprintf("the column %s %s", e.Columns[0], e.Reason)
}

// kind is the JSON form of a node.
type kind int

const (
	leaf kind = iota
	object
	list
	dict    // a map, as an object
	skipped // null
)

// node is a value that occurs in every row. Parquet stores the leaves of rows separately, each value with two levels.
// Its definition level is the number of values present on its path; its repetition level is the list on its path that
// it continues.
type node struct {
	kind     kind
	name     string
	path     string  // for errors
	def      int     // minimum definition level at which the value is not null
	itemDef  int     // of a list or dict: minimum definition level at which it has items
	rep      int     // of a list or dict: the repetition level of its items after the first
	children []*node // of an object: its members; of a list: its item; of a dict: key and value
	leaves   []int   // the columns below that are read, in the order of the file
	convert  func(parquet.Value) (value any, problem string)
}

// element is an entry in the file's schema, together with its descendants.
type element struct {
	format.SchemaElement
	children []element
	column   int // of a leaf
}

func newShape(schema []format.SchemaElement, drop []string) (*node, error) {
	s := &shaper{rest: schema, drop: drop}
	top := s.element()
	root := &node{kind: object}
	s.members(root, top.children, "", 0, 0)
	if s.wrong != nil {
		return nil, s.wrong
	}
	return root, s.err
}

type shaper struct {
	rest    []format.SchemaElement
	columns int // leaves so far
	drop    []string
	inside  string // the outermost enclosing list or map; empty: none
	wrong   *ColumnsError
	err     error
}

// element removes the next element and its descendants from the list. The library has checked their number.
func (s *shaper) element() element {
	e := element{SchemaElement: s.rest[0]}
	s.rest = s.rest[1:]
	if !e.NumChildren.Valid {
		e.column = s.columns
		s.columns++
		return e
	}
	for range e.NumChildren.V {
		e.children = append(e.children, s.element())
	}
	return e
}

func (e *element) repeated() bool { return e.RepetitionType.V == format.Repeated }

func (s *shaper) members(n *node, elements []element, prefix string, def, rep int) {
	seen := map[string]bool{}
	for _, e := range elements {
		if seen[e.Name] {
			s.err = fmt.Errorf("duplicate column name %q: rename one of them", prefix+e.Name)
		}
		seen[e.Name] = true
		n.add(s.field(e, prefix+e.Name, def, rep))
	}
}

func (n *node) add(child *node) {
	n.children = append(n.children, child)
	n.leaves = append(n.leaves, child.leaves...)
}

// field returns the node for a member of an object. Without further annotations, a repeated member is a list.
func (s *shaper) field(e element, path string, def, rep int) *node {
	if s.inside == "" && slices.Contains(s.drop, path) {
		return &node{kind: skipped, name: e.Name}
	}
	if e.repeated() {
		n := &node{kind: list, name: e.Name, path: path, def: def, itemDef: def + 1, rep: rep + 1}
		n.add(s.item(e, path, def+1, rep+1))
		return n
	}
	if e.RepetitionType.V == format.Optional {
		def++
	}
	return s.value(e, path, def, rep)
}

// value returns the node for an element's value.
func (s *shaper) value(e element, path string, def, rep int) *node {
	n := &node{name: e.Name, path: path, def: def}
	if !e.NumChildren.Valid {
		n.leaves = []int{e.column}
		var reason string
		if n.convert, reason = converter(&e.SchemaElement); n.convert == nil {
			s.refuse(path, reason)
		}
		return n
	}
	if item, ok := e.item(); ok {
		n.kind, n.itemDef, n.rep = list, def+1, rep+1
		n.add(s.item(item, path, def+1, rep+1))
		return n
	}
	if key, value, ok := e.entry(); ok {
		n.kind, n.itemDef, n.rep = dict, def+1, rep+1
		n.add(s.item(key, path, def+1, rep+1))
		n.add(s.item(value, path, def+1, rep+1))
		return n
	}
	if _, ok := e.LogicalType.Value.(*format.VariantType); ok {
		s.refuse(path, "is of type VARIANT, which cannot be read: write it as text")
	}
	n.kind = object
	s.members(n, e.children, path+".", def, rep)
	return n
}

// item returns the node for a value inside a list or map. Nothing inside it can be dropped by name.
func (s *shaper) item(e element, path string, def, rep int) *node {
	if s.inside == "" {
		s.inside = path
		defer func() { s.inside = "" }()
	}
	if e.RepetitionType.V == format.Optional { // a group that repeats may be the item itself
		def++
	}
	return s.value(e, path, def, rep)
}

// refuse records a column that cannot be read. For a column inside a list, it records the list, which can be dropped.
func (s *shaper) refuse(path, reason string) {
	if s.inside != "" {
		path = s.inside
	}
	if s.wrong == nil {
		s.wrong = &ColumnsError{Reason: reason}
	}
	if !slices.Contains(s.wrong.Columns, path) {
		s.wrong.Columns = append(s.wrong.Columns, path)
	}
}

func (e *element) annotated(converted ...deprecated.ConvertedType) bool {
	return e.ConvertedType.Valid && slices.Contains(converted, e.ConvertedType.V)
}

// item returns the item of a list according to
// https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#lists, including the rules for older writers.
func (e *element) item() (element, bool) {
	_, isList := e.LogicalType.Value.(*format.ListType)
	if !isList && !e.annotated(deprecated.List) || len(e.children) != 1 || !e.children[0].repeated() {
		return element{}, false
	}
	repeated := e.children[0]
	if len(repeated.children) != 1 || repeated.Name == "array" || repeated.Name == e.Name+"_tuple" ||
		repeated.children[0].repeated() {
		return repeated, true
	}
	return repeated.children[0], true
}

// entry returns the key and value of a map.
func (e *element) entry() (key, value element, ok bool) {
	_, isMap := e.LogicalType.Value.(*format.MapType)
	if !isMap && !e.annotated(deprecated.Map, deprecated.MapKeyValue) || len(e.children) != 1 ||
		!e.children[0].repeated() {
		return element{}, element{}, false
	}
	pair := e.children[0].children
	if len(pair) != 2 || pair[0].NumChildren.Valid || pair[0].repeated() || pair[1].repeated() {
		return element{}, element{}, false
	}
	return pair[0], pair[1], true
}
