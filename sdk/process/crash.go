package process

import "strings"

// Limits for the stored crash report.
const (
	maxHeadLines     = 16
	maxHeadLineBytes = 512
)

// crash recognizes a crashing runtime's report among plain lines and stores the beginning of the report. A Go panic
// report continues until the process ends. A Python traceback ends with the line that names the exception, and the
// process may survive it.
type crash struct {
	lines     []string
	goPanic   bool // all following lines belong to it
	traceback bool // the next line that is not indented ends it
}

const tracebackHead = "Traceback (most recent call last):"

// addLine processes a plain line and reports whether the line belongs to a report.
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

// startsReport reports whether a line begins a report.
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

// head returns the report, truncated to the limits, or an empty string.
func (c *crash) head() string { return strings.TrimRight(strings.Join(c.lines, "\n"), "\n") }

// summaryOf returns the line that describes the failure: the last line of a traceback, or the first line otherwise.
func summaryOf(head string) string {
	if strings.HasPrefix(head, tracebackHead) {
		return head[strings.LastIndexByte(head, '\n')+1:]
	}
	first, _, _ := strings.Cut(head, "\n")
	return first
}
