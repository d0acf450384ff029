package dataset

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// The task fields that awhost interprets.
const (
	fieldID          = "id"
	fieldPrompt      = "prompt"
	fieldMessages    = "messages"
	fieldGroundTruth = "ground_truth"
)

// Columns that are used for a field without its own column or a mapping.
const (
	columnQuestion = "question" // for prompt
	columnAnswer   = "answer"   // for ground_truth
)

// layoutPrivate lists columns in verl's row layout. Both repeat the answer under names that differ between files
// (extra_info.answer, reward_model.ground_truth), so only fields that map or template takes from them are public.
var layoutPrivate = []column{"extra_info", "reward_model"}

// alwaysPrivate reports whether a name denotes an answer.
func alwaysPrivate(name string) bool { return name == fieldGroundTruth || name == columnAnswer }

// mapping converts a row's columns to a task. It is stateless and safe for concurrent use.
type mapping struct {
	drop        []column
	moves       []move    // sorted by field
	watched     []watched // at least one row must have them
	privateFrom []column  // as configured
	insideMoved []column  // entries of privateFrom inside a mapped column
	private     []column  // fields and columns of the finished task; none covers another
	templates   []template
	extracts    []extract
}

// watched is a column that is named by a configuration attribute.
type watched struct {
	column    column
	attribute string
	purpose   string // purpose of the column, for messages
}

// move fills a task field from a column.
type move struct {
	field string
	from  column
}

// extract replaces a field with the group matched by a pattern.
type extract struct {
	field   column
	pattern *regexp.Regexp
}

func newMapping(config Config) (*mapping, error) {
	if config.Path == "" && !config.Prepared() {
		return nil, &ConfigError{Attribute: []string{"path"}, Problem: "the path is missing",
			Remedy: "name the file to read"}
	}
	if config.Limit < 0 {
		return nil, &ConfigError{Attribute: []string{"limit"}, Problem: "the value is negative",
			Remedy: "use 0 for all rows"}
	}
	m := &mapping{}
	for _, name := range config.Drop {
		if !column(name).valid() {
			return nil, &ConfigError{Attribute: []string{"drop"}, Problem: fmt.Sprintf("invalid column name %q",
				name), Remedy: "correct or remove it"}
		}
		m.drop = append(m.drop, column(name))
		m.watched = append(m.watched, watched{column(name), "drop", "dropped"})
	}
	for _, field := range slices.Sorted(maps.Keys(config.Map)) {
		from := column(config.Map[field])
		if !from.valid() || len(column(field).parts()) != 1 || field == "" {
			return nil, &ConfigError{
				Attribute: []string{"map", field}, Problem: fmt.Sprintf("%q = %q does not map a field to a column", field, from),
				Remedy: "use a plain field name; a column name may have dots for nested objects",
			}
		}
		m.moves = append(m.moves, move{field, from})
	}
	if err := m.hide(config.Private); err != nil {
		return nil, err
	}
	if err := m.parseTemplates(config.Template); err != nil {
		return nil, err
	}
	return m, m.compile(config.Extract)
}

// hide determines the private fields. A field is private if its column is private, except for the ID, which may be
// taken from a private column whose other contents stay private.
func (m *mapping) hide(names []string) error {
	private := slices.Concat([]column{fieldGroundTruth, columnAnswer}, layoutPrivate)
	for _, name := range names {
		if !column(name).valid() {
			return &ConfigError{Attribute: []string{"private"}, Problem: fmt.Sprintf("invalid column name %q", name),
				Remedy: "correct or remove it"}
		}
		m.privateFrom = append(m.privateFrom, column(name))
		m.watched = append(m.watched, watched{column(name), "private", "private"})
	}
	private = append(private, m.privateFrom...)
	hidden := slices.Clone(m.privateFrom)
	for _, move := range m.moves {
		if alwaysPrivate(move.field) {
			hidden = append(hidden, move.from) // no other field may contain it
		}
	}
	for _, move := range m.moves {
		for _, c := range hidden {
			switch {
			case move.field == fieldID && c != move.from && slices.Contains(m.privateFrom, c) && c.covers(move.from):
			case c.covers(move.from):
				private = append(private, column(move.field))
			case move.from.covers(c):
				m.insideMoved = append(m.insideMoved, c)
			}
		}
	}
	m.private = outermost(private)
	for _, field := range []string{fieldID, fieldPrompt, fieldMessages} {
		if slices.Contains(m.private, column(field)) {
			return &ConfigError{
				Attribute: []string{"private"}, Problem: fmt.Sprintf("private contains the %s, which the agent "+
					"must see", field),
				Remedy: "remove the column from the list",
			}
		}
	}
	return nil
}

// outermost removes columns that lie inside other columns, and duplicates.
func outermost(columns []column) []column {
	slices.Sort(columns)
	var kept []column
	for _, c := range columns {
		if !slices.ContainsFunc(kept, func(outer column) bool { return outer.covers(c) }) {
			kept = append(kept, c) // an outer column sorts before its inner ones
		}
	}
	return kept
}

func (m *mapping) compile(patterns map[string]string) error {
	for _, field := range slices.Sorted(maps.Keys(patterns)) {
		attribute := []string{"extract", field}
		if !column(field).valid() {
			return &ConfigError{Attribute: attribute, Problem: fmt.Sprintf("invalid field name %q", field),
				Remedy: "correct or remove it"}
		}
		pattern, err := regexp.Compile(patterns[field])
		if err != nil {
			return &ConfigError{Attribute: attribute, Problem: err.Error(),
				Remedy: "write it in Go's syntax, https://pkg.go.dev/regexp/syntax"}
		}
		if pattern.NumSubexp() != 1 {
			return &ConfigError{
				Attribute: attribute, Problem: fmt.Sprintf("%q has %d groups", pattern, pattern.NumSubexp()),
				Remedy: "enclose the part to keep in one pair of parentheses; (?:…) groups without capturing",
			}
		}
		m.extracts = append(m.extracts, extract{column(field), pattern})
	}
	return nil
}

// fills reports whether a mapping or a template fills the field.
func (m *mapping) fills(field string) bool {
	if slices.ContainsFunc(m.templates, func(t template) bool { return t.field == field }) {
		return true
	}
	return slices.ContainsFunc(m.moves, func(move move) bool { return move.field == field })
}

// notice marks the watched columns that a row has.
func (m *mapping) notice(row map[string]any, seen []bool) {
	for i, w := range m.watched {
		if !seen[i] {
			_, seen[i] = w.column.in(row)
		}
	}
}

// task converts a row to a task and modifies the row in the process. The ID is empty if the row has none.
func (m *mapping) task(row map[string]any) (sdk.Task, *problem) {
	for _, c := range m.drop {
		c.dropFrom(row)
	}
	private := map[string]any{}
	made, p := m.fillTemplates(row)
	if p != nil {
		return sdk.Task{}, p
	}
	if p := m.move(row, private); p != nil {
		return sdk.Task{}, p
	}
	maps.Copy(row, made)
	columns := m.adopt(row)
	if p := m.extract(row); p != nil {
		return sdk.Task{}, p
	}
	if p := settleQuestion(row); p != nil {
		return sdk.Task{}, p
	}
	if p := m.checkMedia(row); p != nil {
		return sdk.Task{}, p
	}
	id, p := takeID(row)
	if p != nil {
		return sdk.Task{}, p
	}
	hideIn(private, row, m.private)
	task := sdk.Task{ID: id, Public: canonical(row), Columns: columns}
	if len(private) > 0 {
		task.Private = canonical(private)
	}
	return task, nil
}

// move fills the mapped fields. It reads all columns before it removes any, because two fields may use the same column.
// The private contents of a mapped column are moved out first, because they would not be recognized under the new name.
func (m *mapping) move(row, private map[string]any) *problem {
	values := make([]any, len(m.moves))
	for i, move := range m.moves {
		value, ok := move.from.in(row)
		if !ok || value == nil {
			return &problem{
				reason:    fmt.Sprintf("missing column %q to map to %s", move.from, move.field),
				remedy:    "correct map in the dataset block, or the row; " + columnNames(row),
				attribute: []string{"map", move.field},
			}
		}
		values[i] = value
	}
	for _, c := range m.insideMoved {
		if list := c.upToList(row); list != c {
			return &problem{
				reason: fmt.Sprintf("%s is private, but is inside the list %s, which is mapped as a whole", c, list),
				remedy: "map the public elements one by one, or split the list first",
			}
		}
	}
	hideIn(private, row, m.insideMoved)
	for _, move := range m.moves {
		move.from.dropFrom(row)
	}
	for i, move := range m.moves {
		row[move.field] = values[i]
	}
	return nil
}

// adopt uses question as the prompt and answer as the ground_truth if these are missing. A null column counts as
// missing. It returns the column of each field whose column has a different name.
func (m *mapping) adopt(row map[string]any) map[string]string {
	columns := map[string]string{}
	for _, move := range m.moves {
		if string(move.from) != move.field {
			columns[move.field] = string(move.from)
		}
	}
	for _, field := range []string{fieldID, fieldPrompt, fieldMessages, fieldGroundTruth, columnQuestion, columnAnswer} {
		if value, ok := row[field]; ok && value == nil {
			delete(row, field)
		}
	}
	if _, ok := row[fieldGroundTruth]; !ok {
		rename(row, columns, columnAnswer, fieldGroundTruth)
	}
	_, hasPrompt := row[fieldPrompt]
	if !hasPrompt && !m.fills(fieldMessages) && !slices.Contains(m.private, columnQuestion) {
		rename(row, columns, columnQuestion, fieldPrompt)
	}
	return columns
}

func rename(row map[string]any, columns map[string]string, from, to string) {
	if value, ok := row[from]; ok {
		delete(row, from)
		row[to], columns[to] = value, from
	}
}

// extract applies the patterns. Errors do not quote values, because they may be private.
func (m *mapping) extract(row map[string]any) *problem {
	for _, e := range m.extracts {
		value, ok := e.field.in(row)
		text, isText := value.(string)
		if !ok || !isText {
			return &problem{
				reason:    fmt.Sprintf("extract requires text in %s, which is %s", e.field, kindOf(value)),
				remedy:    "correct extract in the dataset block, or the row",
				attribute: []string{"extract", string(e.field)},
			}
		}
		match := e.pattern.FindStringSubmatch(text)
		if match == nil {
			return &problem{
				reason:    fmt.Sprintf("%s does not match %q", e.field, e.pattern),
				remedy:    "correct extract in the dataset block, or the row",
				attribute: []string{"extract", string(e.field)},
			}
		}
		e.field.replace(row, match[1])
	}
	return nil
}

// hideIn moves private contents out of the row. If a row contains a column twice, both nested and with dots in its
// name, both are removed and the first is used. If an element of a list is private, the entire list is removed, because
// the rest may reveal the same information. In a flattened row, such as a CSV row ("extra_info.answer"), the columns
// inside a private column are removed too.
func hideIn(private, row map[string]any, columns []column) {
	for _, c := range columns {
		c = c.upToList(row)
		if value, ok := c.takeFrom(row); ok {
			c.putInto(private, value)
			c.dropFrom(row)
		}
		for name, value := range row {
			if column(name) != c && c.covers(column(name)) {
				column(name).putInto(private, value)
				delete(row, name)
			}
		}
	}
}
