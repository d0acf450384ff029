package main

import (
	"fmt"
	"strconv"
	"strings"
)

// style is the appearance of text. Colors are "#rrggbb"; empty means the terminal's default.
type style struct {
	foreground, background string
	bold, faint, reverse   bool
}

// span is text in a single style.
type span struct {
	style style
	text  string
}

// parse splits a screen into lines of spans. Escape sequences other than colors are dropped.
func parse(screen string) [][]span {
	var lines [][]span
	var now style
	for _, line := range strings.Split(strings.TrimRight(screen, "\n"), "\n") {
		var spans []span
		for line != "" {
			before, rest, found := strings.Cut(line, "\x1b[")
			if before != "" {
				spans = append(spans, span{now, before})
			}
			if line = rest; !found {
				break
			}
			end := strings.IndexFunc(rest, func(r rune) bool { return r >= '@' && r <= '~' })
			if end < 0 {
				break
			}
			if rest[end] == 'm' {
				now = now.with(rest[:end])
			}
			line = rest[end+1:]
		}
		lines = append(lines, spans)
	}
	return lines
}

// with applies the parameters of one sequence.
func (s style) with(parameters string) style {
	codes := strings.FieldsFunc(parameters, func(r rune) bool { return r == ';' || r == ':' })
	if len(codes) == 0 {
		return style{}
	}
	for i := 0; i < len(codes); i++ {
		n, err := strconv.Atoi(codes[i])
		if err != nil {
			continue
		}
		switch {
		case n == 0:
			s = style{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.faint = true
		case n == 7:
			s.reverse = true
		case n == 22:
			s.bold, s.faint = false, false
		case n == 27:
			s.reverse = false
		case n == 39:
			s.foreground = ""
		case n == 49:
			s.background = ""
		case n >= 30 && n <= 37:
			s.foreground = palette(n - 30)
		case n >= 90 && n <= 97:
			s.foreground = palette(n - 90 + 8)
		case n >= 40 && n <= 47:
			s.background = palette(n - 40)
		case n >= 100 && n <= 107:
			s.background = palette(n - 100 + 8)
		case n == 38 || n == 48:
			color, used := extended(codes[i+1:])
			if n == 38 {
				s.foreground = color
			} else {
				s.background = color
			}
			i += used
		}
	}
	return s
}

// extended reads "5;n" or "2;r;g;b".
func extended(codes []string) (color string, used int) {
	number := func(i int) int {
		if i >= len(codes) {
			return 0
		}
		n, err := strconv.Atoi(codes[i])
		if err != nil {
			return 0
		}
		return n
	}
	switch number(0) {
	case 5:
		return palette(number(1)), 2
	case 2:
		return fmt.Sprintf("#%02x%02x%02x", number(1)&255, number(2)&255, number(3)&255), 4
	}
	return "", 1
}

var basic = [16]string{
	"#3b4252", "#e06c75", "#7fbf7f", "#e0b25c", "#61a0e8", "#c08ad8", "#56b6c2", "#c8ccd4",
	"#6b7280", "#f08088", "#98d898", "#f0c878", "#7db8f8", "#d8a8f0", "#70d0dc", "#ffffff",
}

// palette returns one of xterm's 256 colors.
func palette(n int) string {
	switch {
	case n < 0 || n > 255:
		return ""
	case n < 16:
		return basic[n]
	case n < 232:
		level := func(v int) int {
			if v == 0 {
				return 0
			}
			return 55 + 40*v
		}
		n -= 16
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
}
