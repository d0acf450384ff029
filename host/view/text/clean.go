// Package text renders text for terminals. It sanitizes untrusted text, fits text into columns, formats numbers, and
// draws tables, bars, sparklines, and charts. All human-readable output passes through it.
//
//	out := text.NewPrinter(os.Stdout, text.Detect(os.Stdout, os.Environ()))
//	out.Heading("Runs")
//	out.Table(text.Table{
//		Columns: []text.Column{{Title: "RUN"}, {Title: "SPEC", Shrink: true}, {Title: "SUCCESS", Right: true}},
//		Rows:    [][]string{{"quickstart-1", "train.hcl", text.Percent(0.934)}},
//	})
//	return out.Err()
//
// Widths are in columns of the terminal. The package must not depend on runs or events.
package text

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean sanitizes untrusted text for use within a line. Control characters, escape sequences, and characters that
// change the text direction are shown as escapes, and line breaks are shown as ⏎. Invisible characters that a script's
// spelling needs are kept, and so are this package's styles. Characters that only select one of two glyphs are removed.
func Clean(s string) string {
	s = strings.TrimRight(s, "\r\n")
	if isHarmless(s) {
		return s
	}
	var out strings.Builder
	var c cleaner
	for len(s) > 0 {
		switch {
		case s[0] == '\n':
			out.WriteString(lineBreak)
			s = s[1:]
		case s[0] == '\t':
			out.WriteByte(' ')
			s = s[1:]
		case strings.HasPrefix(s, "\r\n"):
			s = s[1:]
		case ownStyle(s) != "":
			style := ownStyle(s)
			out.WriteString(style)
			s = s[len(style):]
			continue
		default:
			s = c.next(&out, s)
			continue
		}
		c = cleaner{}
	}
	return out.String()
}

// lineBreak represents a line break.
const lineBreak = "⏎"

// cleaner sanitizes text character by character.
type cleaner struct {
	base   rune // the last visible character; 0: none
	marks  int  // number of combining marks on it
	chosen bool // after a variation selector
	joined bool // after a joiner
}

// next writes the sanitized form of the first character of a string and returns the rest.
func (c *cleaner) next(out *strings.Builder, s string) string {
	r, size := utf8.DecodeRuneInString(s)
	rest := s[size:]
	after, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == utf8.RuneError && size == 1:
		fmt.Fprintf(out, `\x%02x`, s[0])
		*c = cleaner{}
	case r == '\r':
		out.WriteString(`\r`)
		*c = cleaner{}
	case unicode.Is(unicode.Zs, r):
		out.WriteByte(' ')
		*c = cleaner{}
	case isSkinTone(r), r == zeroWidthJoiner && isPicture(c.base) && isPicture(after):
	case unicode.Is(unicode.Variation_Selector, r) && c.chooses(r):
		c.chosen = true
	case r == flag && subdivision.MatchString(rest):
		out.WriteRune(r)
		*c = cleaner{base: r}
		return rest[len(subdivision.FindString(rest)):]
	case c.joins(r, after):
		out.WriteRune(r)
		c.joined = true
	case !isShown(r) || isMark(r) && c.marks >= most(r):
		out.WriteString(escapeRune(r))
		*c = cleaner{marks: c.marks}
	case isMark(r):
		out.WriteRune(r)
		c.marks, c.joined = c.marks+1, false
	default:
		out.WriteRune(r)
		*c = cleaner{base: r}
	}
	return rest
}

// chooses reports whether a variation selector only selects one of two glyphs for the preceding character. Terminals
// disagree about the width of the result, so the selector is removed. In any other position, or if repeated, a selector
// hides content.
func (c *cleaner) chooses(r rune) bool {
	visible := c.base > '~' && unicode.In(c.base, unicode.L, unicode.S, unicode.N)
	return !c.chosen && (visible || r == '\ufe0e' || r == '\ufe0f')
}

// joins reports whether the script needs an invisible character to determine which adjacent letters join. Between other
// letters, such a character makes different words look alike.
func (c *cleaner) joins(r, after rune) bool {
	if c.joined {
		return false
	}
	switch r {
	case zeroWidthSpace:
		return sameScript(unbroken, c.base, after)
	case zeroWidthNonJoiner:
		return sameScript(joining, c.base, after)
	case zeroWidthJoiner: // also at the end of a word, as in Malayalam
		return sameScript(joining, c.base, c.base)
	}
	return false
}

func sameScript(scripts []*unicode.RangeTable, a, b rune) bool {
	both := func(t *unicode.RangeTable) bool { return unicode.Is(t, a) && unicode.Is(t, b) }
	return slices.ContainsFunc(scripts, both)
}

// CleanLines sanitizes text that may have several lines, in the same way as Clean.
func CleanLines(s string) []string {
	lines := strings.Split(strings.TrimRight(s, "\r\n"), "\n")
	for i, line := range lines {
		lines[i] = Clean(strings.ReplaceAll(line, "\t", "    "))
	}
	return lines
}

const (
	zeroWidthSpace     = '\u200b'
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'

	flag = '\U0001f3f4' // a black flag, unless tags follow that define another one
)

// subdivision matches the tags of a subdivision flag, such as Scotland's: three to six letters or digits, and an end
// tag.
var subdivision = regexp.MustCompile(`^[\x{e0030}-\x{e0039}\x{e0061}-\x{e007a}]{3,6}\x{e007f}`)

// joining lists the scripts whose spelling uses joiners (Unicode, chapters 9 and 12 to 16). unbroken lists the scripts
// that are written without spaces and in which the ends of words may be marked.
var (
	unbroken = []*unicode.RangeTable{unicode.Khmer, unicode.Lao, unicode.Myanmar, unicode.Thai, unicode.Tibetan}
	joining  = append([]*unicode.RangeTable{
		unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Adlam, unicode.Mongolian,
		unicode.Phags_Pa,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
		unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Balinese, unicode.Javanese,
	}, unbroken...)
)

// Maximum number of combining marks on one character. More marks are used only to draw over the adjacent lines. Hebrew
// uses four: a letter's point, its doubling, a vowel, and an accent. Scripts that write syllables below and above a
// letter use more.
const (
	mostMarks   = 4
	mostStacked = 8
)

// stacked lists these scripts. Thai and Lao are excluded, because their marks are the ones that are stacked to draw
// over lines.
var stacked = []*unicode.RangeTable{
	unicode.Myanmar, unicode.Tibetan, unicode.Khmer, unicode.Tai_Tham, unicode.Balinese, unicode.Javanese,
}

func most(mark rune) int {
	if unicode.In(mark, stacked...) {
		return mostStacked
	}
	return mostMarks
}

func isMark(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Me) }

func isHarmless(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// isSkinTone reports whether a character sets the skin tone of the preceding emoji. Such characters are removed, like
// variation selectors.
func isSkinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// isPicture reports whether a character may be part of an emoji that is built with joiners. Terminals draw such an
// emoji as one glyph or as several. The joiner is removed, so that all terminals draw several glyphs.
func isPicture(r rune) bool { return unicode.Is(unicode.So, r) || r == '↔' || r == '↕' }

// isShown reports whether a character is visible. Invisible letters and marks, which can make two different words look
// alike, are not visible. Of the format characters only the ones that enclose digits are visible.
func isShown(r rune) bool {
	if r > '~' && unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return false
	}
	return unicode.IsPrint(r) || unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

func escapeRune(r rune) string {
	switch {
	case r <= 0xff:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}
