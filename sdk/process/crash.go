package process

import "strings"

// Bounds of what is remembered of a crash.
const (
	maxHeadLines     = 16
	maxHeadLineBytes = 512
)

// crash recognises the report of a dying runtime among plain lines and remembers its head. A Go panic goes on to the
// end of the process; a Python traceback ends with the line that names the exception, and the process may live on.
type crash struct {
	lines     []string
	goPanic   bool // everything that follows belongs to it
	traceback bool // the next line that is not indented ends it
}

const tracebackHead = "Traceback (most recent call last):"

// see looks at a plain line and tells whether it belongs to a report.
func (c *crash) see(line string) bool {
	switch {
	case c.goPanic:
		c.add(line)
	case isPanic(line):
		*c = crash{goPanic: true}
		c.add(line)
	case strings.HasPrefix(line, tracebackHead):
		*c = crash{traceback: true}
		c.add(line)
	case c.traceback:
		c.add(line)
		c.traceback = line == "" || line[0] == ' ' || line[0] == '\t'
		if !c.traceback { // the line that says what happened is kept even if the traceback was long
			c.lines[len(c.lines)-1] = shorten(line, maxHeadLineBytes)
		}
	default:
		return false
	}
	return true
}

// open says that the next line may belong to a report.
func (c *crash) open() bool { return c.goPanic || c.traceback }

// begins says whether a report begins with a line.
func (*crash) begins(line []byte) bool {
	head := string(line[:min(len(line), len(tracebackHead))]) // all beginnings are shorter
	return isPanic(head) || head == tracebackHead
}

func isPanic(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "Fatal Python error: ")
}

func (c *crash) add(line string) {
	if len(c.lines) < maxHeadLines {
		c.lines = append(c.lines, shorten(line, maxHeadLineBytes))
	}
}

// head is the report, cut; empty when there was none.
func (c *crash) head() string { return strings.TrimRight(strings.Join(c.lines, "\n"), "\n") }

// summaryOf is the line of a head that says what happened: the last of a traceback, the first of anything else.
func summaryOf(head string) string {
	if strings.HasPrefix(head, tracebackHead) {
		return head[strings.LastIndexByte(head, '\n')+1:]
	}
	first, _, _ := strings.Cut(head, "\n")
	return first
}
