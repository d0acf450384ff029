package text

import "strings"

// Table is a table with column titles.
type Table struct {
	Columns []Column
	Rows    [][]string // may contain foreign text; missing cells are blank
}

// Column defines the format of a column.
type Column struct {
	Title  string
	Right  bool                    // right-aligned, for numbers
	Shrink bool                    // the column shrinks if the table is too wide
	Style  func(cell string) Style // nil: unchanged
}

const (
	columnGap   = "  "
	leastColumn = 8 // width below which a column does not shrink
)

// Lines formats the table for a given width. 0 means unlimited.
func (t Table) Lines(width int, styles Styles) []string {
	rows := t.clean()
	widths := t.widths(rows, width)
	lines := make([]string, 0, len(rows)+1)
	titles := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		titles[i] = column.Title
	}
	lines = append(lines, t.line(titles, widths, func(int, string) Style { return styles.Dim }))
	for _, row := range rows {
		lines = append(lines, t.line(row, widths, t.styleOf))
	}
	return lines
}

func (t Table) styleOf(column int, cell string) Style {
	if style := t.Columns[column].Style; style != nil {
		return style(cell)
	}
	return nil
}

func (t Table) clean() [][]string {
	rows := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = make([]string, len(t.Columns))
		for j := range min(len(row), len(t.Columns)) {
			rows[i][j] = Clean(row[j])
		}
	}
	return rows
}

func (t Table) widths(rows [][]string, limit int) []int {
	widths := make([]int, len(t.Columns))
	total := Width(columnGap) * (len(widths) - 1)
	for i, column := range t.Columns {
		widths[i] = Width(column.Title)
		for _, row := range rows {
			widths[i] = max(widths[i], Width(row[i]))
		}
		total += widths[i]
	}
	for limit > 0 && total > limit {
		widest := t.widest(widths)
		if widest < 0 {
			break
		}
		widths[widest]--
		total--
	}
	return widths
}

// widest returns the index of the widest column that may shrink, or -1.
func (t Table) widest(widths []int) int {
	found := -1
	for i, column := range t.Columns {
		if column.Shrink && widths[i] > leastColumn && (found < 0 || widths[i] > widths[found]) {
			found = i
		}
	}
	return found
}

func (t Table) line(cells []string, widths []int, styleOf func(int, string) Style) string {
	fitted := make([]string, len(cells))
	for i, cell := range cells {
		switch {
		case t.Columns[i].Right:
			fitted[i] = FitRight(cell, widths[i])
		case i == len(cells)-1:
			fitted[i] = Truncate(cell, widths[i]) // no trailing blanks
		default:
			fitted[i] = Fit(cell, widths[i])
		}
		if style := styleOf(i, cell); style != nil {
			fitted[i] = style(fitted[i])
		}
	}
	return strings.TrimRight(strings.Join(fitted, columnGap), " ")
}
