package diag

import (
	"bytes"
	"unicode/utf8"
)

// Snippet is the source text around a problem.
type Snippet struct {
	Context        string  `json:"context,omitempty"` // the enclosing block: `train "quickstart"`
	Code           string  `json:"code"`              // complete lines
	StartLine      int     `json:"start_line"`        // number of the first line of Code
	HighlightStart int     `json:"highlight_start"`   // byte offset in Code
	HighlightEnd   int     `json:"highlight_end"`     // byte offset in Code, after the last byte
	Values         []Value `json:"values,omitempty"`  // values of the names in Code
}

// Value is the value of a name that occurs in a snippet. Secrets are never listed.
type Value struct {
	Name string `json:"name"` // "var.steps"
	Text string `json:"text"` // "60"
}

// maxSnippetLines is the maximum number of lines in a snippet. Longer ranges are truncated.
const maxSnippetLines = 6

// Sources holds the files that diagnostics refer to, keyed by the name shown to the user.
type Sources map[string][]byte

// Snippet returns the lines in a range, or nil if the file is unknown or ends before the range.
func (s Sources) Snippet(r Range, context string) *Snippet {
	source, ok := s[r.File]
	if !ok || r.Start.Byte < 0 || r.Start.Byte > len(source) {
		return nil
	}
	start, end := lineStart(source, r.Start.Byte), max(r.Start.Byte, min(r.End.Byte, len(source)))
	end = min(end, endOfLines(source, start, maxSnippetLines))
	stop := lineEnd(source, max(r.Start.Byte, end-1))
	end = min(end, stop)
	code := bytes.ToValidUTF8(source[start:stop], []byte(string(utf8.RuneError)))
	if len(code) != stop-start {
		return &Snippet{Context: context, Code: string(code), StartLine: r.Start.Line}
	}
	return &Snippet{
		Context: context, Code: string(code), StartLine: r.Start.Line,
		HighlightStart: r.Start.Byte - start, HighlightEnd: max(end, r.Start.Byte) - start,
	}
}

func lineStart(source []byte, at int) int {
	return bytes.LastIndexByte(source[:at], '\n') + 1
}

// lineEnd returns the offset of the next line break, or of the end of the file.
func lineEnd(source []byte, at int) int {
	if i := bytes.IndexByte(source[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(source)
}

func endOfLines(source []byte, at, lines int) int {
	for range lines - 1 {
		next := lineEnd(source, at)
		if next == len(source) {
			return next
		}
		at = next + 1
	}
	return lineEnd(source, at)
}
