package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the number of columns of a styled line.
func Width(line string) int { return ansi.StringWidth(apart(line)) }

// Truncate cuts a styled line to a given width. The last column of a cut line is an ellipsis.
func Truncate(line string, width int) string {
	if width <= 0 {
		return ""
	}
	return together(ansi.Truncate(apart(line), width, "…"))
}

// Under Unicode's rules, a number sign in Arabic or Syriac, such as U+06DD, forms one character with the following
// digits. Terminals give it a separate column. While columns are being counted, a private-use character replaces it;
// Clean escapes these characters everywhere else.
const (
	signs    = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
	standIns = '\ue000'
)

var toStandIns, fromStandIns = replacers()

func replacers() (to, from *strings.Replacer) {
	var there, back []string
	for i, sign := range []rune(signs) {
		standIn := string(standIns + rune(i))
		there, back = append(there, string(sign), standIn), append(back, standIn, string(sign))
	}
	return strings.NewReplacer(there...), strings.NewReplacer(back...)
}

func apart(line string) string {
	if !strings.ContainsAny(line, signs) {
		return line
	}
	return toStandIns.Replace(line)
}

func together(line string) string { return fromStandIns.Replace(line) }

// Fit returns a styled line of exactly the given width, truncated or padded on the right.
func Fit(line string, width int) string {
	line = Truncate(line, width)
	return line + spaces(width-Width(line))
}

// FitRight returns a styled line of exactly the given width, truncated or padded on the left.
func FitRight(line string, width int) string {
	line = Truncate(line, width)
	return spaces(width-Width(line)) + line
}

// Spread aligns one string with the left end of a line and another with the right end. If both do not fit, the right
// one stays complete as long as the left one retains half of the line.
func Spread(left, right string, width int) string {
	if left == "" {
		return FitRight(right, width)
	}
	right = Truncate(right, max(width/2, width-Width(left)-1))
	rest := width - Width(right)
	if rest <= 0 {
		return Fit(right, width)
	}
	return Fit(Truncate(left, rest-1), rest) + right
}

// hyphen replaces "-" while text is wrapped, because a path or run name that is broken at a hyphen cannot be copied. It
// is a private-use character, which Clean escapes everywhere else.
const hyphen = "\ue02d"

// Wrap breaks plain text into lines of at most width columns, at spaces if possible, and never after a hyphen.
func Wrap(s string, width int) []string {
	var lines []string
	for _, paragraph := range CleanLines(s) {
		if width <= 0 {
			lines = append(lines, paragraph)
			continue
		}
		wrapped := ansi.Wrap(strings.ReplaceAll(apart(paragraph), "-", hyphen), width, "")
		lines = append(lines, strings.Split(together(strings.ReplaceAll(wrapped, hyphen, "-")), "\n")...)
	}
	return lines
}

// Block is a rectangle of text: lines of equal width.
type Block []string

// NewBlock cuts and pads lines to a rectangle. Missing lines are blank.
func NewBlock(lines []string, width, height int) Block {
	block := make(Block, height)
	for i := range block {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		block[i] = Fit(line, width)
	}
	return block
}

// Beside puts blocks of equal height next to one another.
func Beside(gap string, blocks ...Block) []string {
	if len(blocks) == 0 {
		return nil
	}
	lines := make([]string, len(blocks[0]))
	for i := range lines {
		row := make([]string, len(blocks))
		for j, block := range blocks {
			row[j] = block[i]
		}
		lines[i] = strings.Join(row, gap)
	}
	return lines
}

func spaces(n int) string { return strings.Repeat(" ", max(0, n)) }
