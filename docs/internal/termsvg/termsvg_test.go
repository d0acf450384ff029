package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse_FollowsColours(t *testing.T) {
	got := parse("a\x1b[1;31mb\x1b[0mc\n\x1b[38;5;46md\x1b[48;2;1;2;3me\x1b[39;49;2mf\x1b[22mg\x1b[K\n")
	want := [][]span{
		{{style{}, "a"}, {style{foreground: "#e06c75", bold: true}, "b"}, {style{}, "c"}},
		{
			{style{foreground: "#00ff00"}, "d"}, {style{foreground: "#00ff00", background: "#010203"}, "e"},
			{style{faint: true}, "f"}, {style{}, "g"},
		},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(span{}, style{})); diff != "" {
		t.Error(diff)
	}
}

func TestConvert_WritesXMLWhateverIsOnTheScreen(t *testing.T) {
	for name, screen := range map[string]string{
		"empty":      "",
		"markup":     "<b>&amp; \"quotes\"",
		"wide":       "世界 █▁",
		"cut escape": "text\x1b[38;5",
		"controls":   "a\x00\x07b",
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := convert(strings.NewReader(screen), &out, 80, `a "title" & more`); err != nil {
				t.Fatal(err)
			}
			decoder := xml.NewDecoder(strings.NewReader(out.String()))
			for {
				if _, err := decoder.Token(); errors.Is(err, io.EOF) {
					return
				} else if err != nil {
					t.Fatalf("%v in\n%s", err, out.String())
				}
			}
		})
	}
}
