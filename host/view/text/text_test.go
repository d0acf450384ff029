package text_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/view/text"
)

func TestCleanMakesForeignTextHarmless(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "2 + 2 = 4", "2 + 2 = 4"},
		{"other scripts", "número 数字 число رقم", "número 数字 число رقم"},
		{"colours", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"title of the window", "\x1b]0;owned\a", `\x1b]0;owned\x07`},
		{"eight-bit control", "\u009b2J", `\x9b2J`},
		{"bidirectional override", "a\u202eb\u2066c", `a\u202eb\u2066c`},
		{"invisible tags", "a\U000e0041", `a\U000e0041`},
		{"zero width", "a\u200bb\ufeff", `a\u200bb\ufeff`},
		{"line breaks", "a\nb\r\nc\n", "a⏎b⏎c"},
		{"overwriting", "good\rbad", `good\rbad`},
		{"blanks", "a\tb\u00a0c", "a b c"},
		{"invalid", "a\xffb", `a\xffb`},
		{"replacement character", "a\ufffdb", "a\ufffdb"},
		{"stacked accents", "e\u0301\u0302\u0303\u0304\u0305\u0306!", "e\u0301\u0302\u0303\u0304\\u0305\\u0306!"},
		{"stacked tones", "ก" + strings.Repeat("\u0e49", 5), "ก" + strings.Repeat("\u0e49", 4) + "\\u0e49"},
		{"a stack without end", "ས" + strings.Repeat("\u0f92", 9), "ས" + strings.Repeat("\u0f92", 8) + "\\u0f92"},
		{"Hebrew with accents", "שּׁ֖", "שּׁ֖"},
		{"Burmese", "မြွှို့", "မြွှို့"},
		{"Tibetan", "བསྒྲུབས་ ཧཱུྃ", "བསྒྲུབས་ ཧཱུྃ"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"Hindi", "क्\u200dष क्\u200cष", "क्\u200dष क्\u200cष"},
		{"Malayalam, at the end of a word", "അവന്\u200d മലയാളം", "അവന്\u200d മലയാളം"},
		{"Khmer", "ខ្ញុំ\u200bស្រលាញ់", "ខ្ញុំ\u200bស្រលាញ់"},
		{"a verse of the Quran", "\u06dd١", "\u06dd١"},
		{"joiners between Latin letters", "a\u200db\u200cc", `a\u200db\u200cc`},
		{"joiners between scripts", "می\u200ca", `می\u200ca`},
		{"two joiners", "می\u200c\u200cخ", "می\\u200c\\u200cخ"},
		{"a word space between Persian letters", "م\u200bی", "م\\u200bی"},
		{"a family", "👩\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 🧔🏽\u200d♂\ufe0f", "👩👩👧 🏳🌈 🧔♂"},
		{"a joiner behind a picture", "👩\u200dx", "👩\\u200dx"},
		{"a flag", "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f!", "🏴!"},
		{"tags without end", "🏴\U000e0067", "🏴\\U000e0067"},
		{"variants", "葛\U000e0100城 ∩\ufe00", "葛城 ∩"},
		{"variants that hide text", "😀\U000e0148\U000e0155", "😀\\U000e0155"},
		{"variants of Latin letters", "a\U000e0100", `a\U000e0100`},
		{"directional marks", "a\u200f\u061c", `a\u200f\u061c`},
		{"presentation selectors", "❤\ufe0f 👍🏽", "❤ 👍"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, text.Clean(test.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzCleanAndFit(f *testing.F) {
	f.Add("\x1b[2J\u202e数字\xff\ne\u0301", 7)
	f.Fuzz(func(t *testing.T, in string, width int) {
		clean := text.Clean(in)
		for _, r := range clean {
			joiner := r >= '\u200b' && r <= '\u200d' || unicode.Is(unicode.Prepended_Concatenation_Mark, r)
			if !unicode.IsPrint(r) && !unicode.In(r, unicode.Mn, unicode.Me) && !joiner {
				t.Fatalf("%q has %U", clean, r)
			}
		}
		width = width & 0xff
		if got := text.Width(text.Fit(clean, width)); got != width {
			t.Errorf("%q fitted to %d columns takes %d", clean, width, got)
		}
	})
}

// All signs with a separate column have Unicode's property Prepended_Concatenation_Mark.
func TestWidth_OfSignsBeforeNumbers(t *testing.T) {
	for c := range unicode.MaxRune {
		if !unicode.Is(unicode.Prepended_Concatenation_Mark, c) {
			continue
		}
		if got := text.Width(string(c) + "1"); got != 2 {
			t.Errorf("%U and 1 take %d columns, want 2", c, got)
		}
	}
}

func TestFitUsesTheWidthOnTheScreen(t *testing.T) {
	tests := []struct {
		in    string
		width int
		want  string
	}{
		{"abc", 5, "abc  "},
		{"abcdef", 5, "abcd…"},
		{"数字数字", 5, "数字…"},
		{"数字数字", 4, "数… "},
		{"\x1b[31mabcdef\x1b[0m", 4, "\x1b[31mabc…\x1b[0m"},
		{"abc", 0, ""},
		{"a\u06dd", 4, "a\u06dd  "},
		{"\u06dd12", 2, "\u06dd…"},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, text.Fit(test.in, test.width)); diff != "" {
			t.Errorf("%q in %d columns: %s", test.in, test.width, diff)
		}
	}
}

func TestSpreadKeepsBothEnds(t *testing.T) {
	for _, test := range []struct {
		left, right string
		width       int
		want        string
	}{
		{"left", "right", 12, "left   right"},
		{"a rather long left side", "right", 12, "a rat… right"},
		{"", "a rather long right side", 12, "a rather lo…"},
		{"", "right", 7, "  right"},
	} {
		if diff := cmp.Diff(test.want, text.Spread(test.left, test.right, test.width)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestNumbersAreShort(t *testing.T) {
	tests := map[float64]string{
		0: "0", 1: "1.000", 0.61234: "0.612", 0.0123: "0.0123", 0.00012: "1.2e-04", 12.345: "12.35", 143.21: "143.2",
		1234.5: "1234", 12345: "12.3k", 4.2e6: "4.20M", 7e9: "7.00G", 1e20: "1.0e+20", -0.5: "-0.500",
		math.Inf(1): "+Inf",
	}
	for in, want := range tests {
		if got := text.Number(in); got != want {
			t.Errorf("Number(%v) = %q, want %q", in, got, want)
		}
	}
	if got := text.Number(math.NaN()); got != "NaN" {
		t.Errorf("Number(NaN) = %q", got)
	}
	if got := text.Percent(0.9344); got != "93.4 %" {
		t.Errorf("Percent = %q", got)
	}
	if got := text.Count(-1234567); got != "-1,234,567" {
		t.Errorf("Count = %q", got)
	}
}

func TestClock(t *testing.T) {
	tests := map[time.Duration]string{
		-time.Second:                     "0:00",
		7 * time.Second:                  "0:07",
		59*time.Minute + 59*time.Second:  "59:59",
		time.Hour + 2*time.Second:        "1:00:02",
		51*time.Hour + 4*time.Minute:     "2d 03:04",
		1499 * time.Millisecond:          "0:01",
		59*time.Second + 600*1e6:         "1:00",
		24*time.Hour - time.Second:       "23:59:59",
		24*time.Hour + 90*time.Second:    "1d 00:01",
		100*24*time.Hour + 5*time.Minute: "100d 00:05",
	}
	for in, want := range tests {
		if got := text.Clock(in); got != want {
			t.Errorf("Clock(%v) = %q, want %q", in, got, want)
		}
	}
}

func TestSparkline(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		values []float64
		width  int
		want   string
	}{
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, 8, "▁▂▃▄▅▆▇█"},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, 4, "▁▃▆█"},
		{[]float64{1, 2}, 8, "▁█"},
		{[]float64{3, 3, 3}, 8, "▄▄▄"},
		{[]float64{0, nan, 7, math.Inf(1)}, 8, "▁ █ "},
		{nil, 8, ""},
	} {
		if diff := cmp.Diff(test.want, text.Sparkline(test.values, test.width)); diff != "" {
			t.Errorf("%v: %s", test.values, diff)
		}
	}
}

func TestBarStaysWithinItsWidth(t *testing.T) {
	for _, fraction := range []float64{math.NaN(), math.Inf(-1), -1, 0, 0.5, 1, 7, math.Inf(1)} {
		done, rest := text.Bar(fraction, 10)
		if got := text.Width(done + rest); got != 10 {
			t.Errorf("the bar of %v takes %d columns", fraction, got)
		}
	}
	if done, rest := text.Bar(0.3, 10); done != "━━━" || rest != "───────" {
		t.Errorf("the bar of 0.3 is %q %q", done, rest)
	}
}

func TestChart(t *testing.T) {
	curve := func(n int, f func(x float64) float64) []text.Point {
		var points []text.Point
		for i := range n {
			x := float64(i) / float64(n-1)
			points = append(points, text.Point{X: x, Y: f(x)})
		}
		return points
	}
	tests := []struct {
		name   string
		points []text.Point
		want   []string
	}{
		{"nothing", nil, []string{
			"1.000 ┤             ",
			"      │             ",
			"    0 ┤             ",
			"      └─────────────",
			"       1          60",
		}},
		{"one point", []text.Point{{X: 3, Y: 0.5}}, []string{
			"0.550 ┤             ",
			"      │⠄            ",
			"0.450 ┤             ",
			"      └─────────────",
			"       1          60",
		}},
		{"a line", curve(60, func(x float64) float64 { return x }), []string{
			"1.000 ┤         ⣀⠤⠒⠉",
			"      │    ⣀⡠⠔⠊⠉    ",
			"    0 ┤⣀⠤⠒⠉         ",
			"      └─────────────",
			"       1          60",
		}},
		{"gaps are bridged, non-finite values left out",
			[]text.Point{{X: 0, Y: 1}, {X: 1, Y: math.NaN()}, {X: 2, Y: math.Inf(1)}, {X: 3, Y: 2}}, []string{
				"2.000 ┤         ⣀⠤⠒⠉",
				"      │    ⣀⡠⠔⠊⠉    ",
				"1.000 ┤⣀⠤⠒⠉         ",
				"      └─────────────",
				"       1          60",
			}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			chart := text.Chart{
				Points: test.points, Format: text.Number, Labels: [2]string{"1", "60"},
				Line: text.Plain().Accent, Axis: text.Plain().Dim,
			}
			if diff := cmp.Diff(test.want, []string(chart.Draw(20, 5))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTableFitsTheTerminal(t *testing.T) {
	table := text.Table{
		Columns: []text.Column{{Title: "RUN"}, {Title: "SPEC", Shrink: true}, {Title: "SUCCESS", Right: true},
			{Title: "STATE"}},
		Rows: [][]string{
			{"quickstart-1", "a/rather/long/path/train.hcl", "93.4 %", "completed"},
			{"数字-2", "\x1b[2J", "8.0 %"},
		},
	}
	tests := map[int]string{
		0: `
RUN           SPEC                          SUCCESS  STATE
quickstart-1  a/rather/long/path/train.hcl   93.4 %  completed
数字-2        \x1b[2J                         8.0 %
`,
		50: `
RUN           SPEC              SUCCESS  STATE
quickstart-1  a/rather/long/p…   93.4 %  completed
数字-2        \x1b[2J             8.0 %
`,
		10: `
RUN           SPEC      SUCCESS  STATE
quickstart-1  a/rathe…   93.4 %  completed
数字-2        \x1b[2J     8.0 %
`,
	}
	for width, want := range tests {
		got := "\n" + strings.Join(table.Lines(width, text.Plain()), "\n") + "\n"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("in %d columns: %s", width, diff)
		}
	}
}

func TestPrinter(t *testing.T) {
	var out bytes.Buffer
	printer := text.NewPrinter(&out, text.Terminal{Width: 24, Styles: text.Plain()})
	printer.Paragraph("The quick brown fox jumps over the lazy dog.")
	printer.Heading("Plan\x1b[2J")
	printer.Pairs(text.Pair{"stage", "full"}, text.Pair{"nothing", ""}, text.Pair{"steps", "60"})
	printer.Bullet("a sentence that is longer than the line")
	if err := printer.Err(); err != nil {
		t.Fatal(err)
	}
	want := `The quick brown fox
jumps over the lazy dog.

Plan\x1b[2J
  stage  full
  steps  60
  • a sentence that is
    longer than the line
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestNoColorAndPipesArePlain(t *testing.T) {
	var pipe bytes.Buffer
	for _, environ := range [][]string{nil, {"TERM=xterm-256color"}, {"NO_COLOR=1", "CLICOLOR_FORCE=1", "TERM=xterm"}} {
		if got := text.Detect(&pipe, environ).Styles.Bad("x"); got != "x" {
			t.Errorf("with %v a pipe gets %q", environ, got)
		}
	}
	if got := text.Detect(&pipe, []string{"CLICOLOR_FORCE=1", "TERM=xterm-256color"}).Styles.Bad("x"); got == "x" {
		t.Error("CLICOLOR_FORCE has no effect")
	}
}

// Curves side by side share one scale: equal heights are equal values, and a shorter series is a shorter line.
func TestSparklines_ShareTheirScale(t *testing.T) {
	for _, c := range []struct {
		width  int
		series [][]float64
		want   []string
	}{
		{4, [][]float64{{0, 1}, {0, 2}}, []string{"▁▅", "▁█"}},
		{4, [][]float64{{1, 1}, {0, 1, 2, 3, 4, 5, 6, 7}}, []string{"▂", "▁▃▆█"}},
		{4, [][]float64{nil, {3}}, []string{"", "▄"}},
		{0, [][]float64{{1}, {2}}, []string{"", ""}},
		{4, nil, []string{}},
	} {
		if diff := cmp.Diff(c.want, text.Sparklines(c.width, c.series...)); diff != "" {
			t.Errorf("%v in %d columns (-want +got):\n%s", c.series, c.width, diff)
		}
	}
}

// A path that is broken at a hyphen cannot be copied.
func TestWrap_BreaksAtSpacesOnly(t *testing.T) {
	got := text.Wrap("what verl wrote is in .awhost/runs/verl-1.eaf9/verl.log, in well-known words", 42)
	want := []string{"what verl wrote is in", ".awhost/runs/verl-1.eaf9/verl.log, in", "well-known words"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
