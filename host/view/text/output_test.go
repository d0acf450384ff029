package text_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/awhost/awhost/host/view/text"
)

func TestOutput_LetsOnlyItsOwnStylesThrough(t *testing.T) {
	styles := text.Coloured()
	for _, c := range []struct{ in, want string }{
		{"plain, é, 数字, ▁▂█\n\tindented\n", "plain, é, 数字, ▁▂█\n\tindented\n"},
		{styles.Bad("red") + " " + styles.Title("bold"), "\x1b[1;31mred\x1b[m \x1b[1mbold\x1b[m"},
		{styles.Good("a\x1b[2Jb"), "\x1b[32ma\\x1b[2Jb\x1b[m"},
		{"\x1b[1;31mforeign\x1b[m", `\x1b[1;31mforeign\x1b[m`},
		{"\x1b[31;123m", `\x1b[31;123m`},
		{"\u009b31m\x7f\r\b\xff\u202e\u200b\ufeff\u3164\U000e0041",
			`\x9b31m\x7f\r\x08\xff\u202e\u200b\ufeff\u3164\U000e0041`},
	} {
		var out bytes.Buffer
		if n, err := text.NewOutput(&out).Write([]byte(c.in)); n != len(c.in) || err != nil {
			t.Errorf("%q: %d, %v", c.in, n, err)
		}
		if out.String() != c.want {
			t.Errorf("%q goes out as %q, want %q", c.in, out.String(), c.want)
		}
	}
}

// TestWrap_KeepsOwnStyles checks that lines can be broken after they were styled, and that forged styles stay text.
func TestWrap_KeepsOwnStyles(t *testing.T) {
	line := text.Coloured().Warn("cut") + "  a limit cuts \x1b[33mmany\x1b[0m episodes"
	got := text.Safe(strings.Join(text.Wrap(line, 20), "\n"))
	want := "\x1b[33mcut\x1b[m  a limit cuts\n\\x1b[33mmany\\x1b[0m\nepisodes"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestOutput_KeepsALineOne(t *testing.T) {
	var out bytes.Buffer
	page := text.NewPrinter(&out, text.Terminal{Styles: text.Plain()})
	page.Line("a\nError: forged")
	page.Paragraph("b\nError: forged")
	page.Pairs(text.Pair{Key: "c", Value: "d\nError: forged"})
	if strings.Contains(out.String(), "\nError") || strings.Count(out.String(), "\n") != 3 {
		t.Errorf("a value starts a separate line:\n%s", out.String())
	}
}

func TestStatus_IsWrittenOver(t *testing.T) {
	var out bytes.Buffer
	s := text.NewStatus(text.NewOutput(&out), text.Terminal{IsTerminal: true, Width: 40})
	s.Show("1 of 2 \x1b[31m" + strings.Repeat("x", 60))
	s.Show("2 of 2")
	s.Clear()
	s.Clear()
	want := "\r\x1b[K" + `1 of 2 \x1b[31m` + strings.Repeat("x", 24-1) + "…\r\x1b[K2 of 2\r\x1b[K"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	s = text.NewStatus(text.NewOutput(&out), text.Terminal{})
	s.Show("1 of 2")
	s.Clear()
	if out.Len() > 0 {
		t.Errorf("without a terminal it writes %q", out.String())
	}
}

// A permanent line is written above the status line, which is redrawn below it, also with concurrent writers.
func TestStatus_ComesBackBelowALine(t *testing.T) {
	var out bytes.Buffer
	s := text.NewStatus(text.NewOutput(&out), text.Terminal{IsTerminal: true, Width: 40})
	s.Show("1 of 2")
	s.Above("warn  reward.a  slow")
	s.Clear()
	s.Above("done")
	const want = "\r\x1b[K1 of 2\r\x1b[Kwarn  reward.a  slow\n\r\x1b[K1 of 2\r\x1b[Kdone\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { s.Show("busy") })
		all.Go(func() { s.Above("a line") })
	}
	all.Wait()
	s.Clear()
	if n := strings.Count(out.String(), "a line\n"); n != 20 || !strings.HasSuffix(out.String(), "\r\x1b[K") {
		t.Errorf("%d whole lines in %q", n, out.String())
	}
}
