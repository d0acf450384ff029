package process

import (
	"bufio"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk/ownerfile"
)

const (
	maxLastLines     = 200     // of standard error, kept in memory
	maxLastLineBytes = 2 << 10 // of each
	maxFirstLines    = 5       // of standard output, for the diagnosis of a start
)

// The streams of a process, under the names used in the log.
const (
	// Stdout is the name of a process's standard output in its log and for Config.Line.
	Stdout       = "stdout"
	streamStderr = "stderr"
	streamBoth   = "output" // of a detachable process
)

// output distributes a process's lines to the log file, the logger, and memory.
type output struct {
	logger *slog.Logger
	limit  int64                     // bytes kept; negative: no bound
	redact func(string) string       // applied before writing to the file; may be nil
	line   func(stream, line string) // called for each line; may be nil
	now    func() time.Time

	mu           sync.Mutex
	file         *os.File      // nil without a log file, or if the process writes it itself
	buffer       *bufio.Writer // of the file; flushed before a read blocks
	kept         int64         // bytes in the file
	dropped      int64         // lines that were not kept
	droppedBytes int64
	fullWarned   bool
	limiter      lineLimiter // of the logger
	notShown     int64       // lines that the logger accepts and did not get
	last         []line      // of standard error; a ring once it is full
	next         int         // next position of the ring
	first        []string    // of standard output
	crash        crash
}

func newOutput(logger *slog.Logger, limit int64, redact func(string) string) *output {
	return &output{
		logger: logger, limit: limit, redact: redact, now: time.Now,
		limiter: lineLimiter{perSecond: shownPerSecond, burst: shownBurst},
	}
}

// receive processes a piece of a stream's output.
func (o *output) receive(stream string, p piece) {
	if o.line != nil && !p.continues {
		o.line(stream, string(p.text()))
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	keep := o.admit(p)
	if keep {
		o.write(p)
	}
	switch {
	case p.continues: // the head of the line was processed; the rest is in the file
	case keep && o.allowDisplay(p.text()):
		o.remember(stream, p).log(o.logger, o.now(), stream)
	default:
		o.rememberUnparsed(stream, p)
	}
}

// remember parses the beginning of a line and keeps it for diagnostics.
func (o *output) remember(stream string, p piece) entry {
	e := parseLine(p.text())
	if stream != Stdout {
		if e.plain && o.crash.addLine(e.message) {
			e.level = slog.LevelError
		}
		o.push(line{text: shorten(e.text(), maxLastLineBytes)})
	} else if len(o.first) < maxFirstLines {
		o.first = append(o.first, shorten(e.text(), maxHeadLineBytes))
	}
	if p.cut {
		e.message = shorten(e.message, maxLastLineBytes) + " (a line longer than 64 KiB; the log file contains all " +
			"of it)"
	}
	return e
}

func (o *output) push(l line) {
	if len(o.last) < maxLastLines {
		o.last = append(o.last, l)
		return
	}
	o.last[o.next] = l
	o.next = (o.next + 1) % maxLastLines
}

// lastLines returns the remembered lines of standard error, from oldest to newest.
func (o *output) lastLines() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lastLinesLocked()
}

func (o *output) lastLinesLocked() []string {
	out := make([]string, 0, len(o.last))
	for _, l := range slices.Concat(o.last[o.next:], o.last[:o.next]) {
		out = append(out, l.String())
	}
	return out
}

func (o *output) firstLines() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.first)
}

func (o *output) panicHead() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.crash.head()
}

// admit counts a piece and reports whether it fits within the limit.
func (o *output) admit(p piece) bool {
	if o.limit < 0 || o.kept+int64(len(p.raw)) <= o.limit {
		o.kept += int64(len(p.raw))
		return true
	}
	o.kept = o.limit // no output after a dropped line is kept: a log with silent gaps misleads
	o.drop(p)
	return false
}

func (o *output) write(p piece) {
	if o.file == nil {
		return
	}
	raw := p.raw
	if !p.cut && raw[len(raw)-1] != '\n' {
		raw = append(slices.Clone(raw), '\n') // the last line of a stream; another stream may continue
	}
	if o.redact != nil {
		raw = []byte(o.redact(string(raw)))
	}
	_, err := o.buffer.Write(raw)
	o.logTo(err)
}

// flush writes the buffer to the file. Without the buffer, each line in a flood of output would cost a system call.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.file != nil {
		o.logTo(o.buffer.Flush())
	}
}

// logTo disables the file if writing to it has failed.
func (o *output) logTo(err error) {
	if err != nil {
		o.logger.Error("the log file cannot be written; logging continues without it", "file", o.file.Name(), "error", err)
		o.closeFile()
	}
}

// finish closes the log file. If lines were dropped, it first reports this and adds the last ones, which explain why
// the process ended.
func (o *output) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.logOmitted()
	if o.file == nil {
		return
	}
	if o.dropped > 0 {
		fmt.Fprintf(o.buffer, "[%d lines, %d bytes, were dropped: the log limit of %d bytes is reached; the last %d lines of standard error follow]\n",
			o.dropped, o.droppedBytes, o.limit, len(o.last))
		for _, text := range o.lastLinesLocked() {
			if o.redact != nil {
				text = o.redact(text)
			}
			fmt.Fprintln(o.buffer, text)
		}
	}
	if o.logTo(o.buffer.Flush()); o.file != nil {
		o.closeFile()
	}
}

func (o *output) closeFile() {
	if err := o.file.Close(); err != nil {
		o.logger.Error("the log file cannot be closed", "file", o.file.Name(), "error", err)
	}
	o.file, o.buffer = nil, nil
}

// open sets the log file.
func (o *output) open(f *os.File) { o.file, o.buffer = f, bufio.NewWriterSize(f, maxLineBytes) }

// openLog opens a log file for appending that only its owner can read, because plugin output may contain secrets.
func openLog(path string) (*os.File, error) {
	f, err := ownerfile.Append(path)
	if err != nil {
		return nil, fmt.Errorf("open log file: %w", err)
	}
	return f, nil
}
