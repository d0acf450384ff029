package process

import "strings"

// Bounds of the stored crash report.
const (
	maxHeadLines     = 16
	maxHeadLineBytes = 512
)

// crash recognizes the report of a crashing runtime among plain lines and stores its head. A Go panic continues to
// the end of the process. A Python traceback ends with the line that names the exception, and the process may survive
// it.
type crash struct {
	lines     []string
	goPanic   bool // all following lines belong to it
	traceback bool // the next line that is not indented ends it
}

const tracebackHead = "Traceback (most recent call last):"

// addLine processes a plain line and reports whether it belongs to a report.
func (c *crash) addLine(line string) bool {
	switch {
	case c.goPanic:
		c.appendLine(line)
	case isPanic(line):
		*c = crash{goPanic: true}
		c.appendLine(line)
	case strings.HasPrefix(line, tracebackHead):
		*c = crash{traceback: true}
		c.appendLine(line)
	case c.traceback:
		c.appendLine(line)
		c.traceback = line == "" || line[0] == ' ' || line[0] == '\t'
		if !c.traceback { // the exception line is kept even if the traceback was long
			c.lines[len(c.lines)-1] = shorten(line, maxHeadLineBytes)
		}
	default:
		return false
	}
	return true
}

// inReport reports whether the next line may belong to a report.
func (c *crash) inReport() bool { return c.goPanic || c.traceback }

// startsReport reports whether a report begins with a line.
func (*crash) startsReport(line []byte) bool {
	head := string(line[:min(len(line), len(tracebackHead))]) // the other beginnings are shorter
	return isPanic(head) || head == tracebackHead
}

func isPanic(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") ||
		strings.HasPrefix(line, "Fatal Python error: ")
}

func (c *crash) appendLine(line string) {
	if len(c.lines) < maxHeadLines {
		c.lines = append(c.lines, shorten(line, maxHeadLineBytes))
	}
}

// head returns the report, cut to the bounds, or an empty string.
func (c *crash) head() string { return strings.TrimRight(strings.Join(c.lines, "\n"), "\n") }

// summaryOf returns the line of a head that describes the failure: the last of a traceback, otherwise the first.
func summaryOf(head string) string {
	if strings.HasPrefix(head, tracebackHead) {
		return head[strings.LastIndexByte(head, '\n')+1:]
	}
	first, _, _ := strings.Cut(head, "\n")
	return first
}
