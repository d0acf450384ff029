package process

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestParseLine(t *testing.T) {
	for _, test := range []struct {
		line  string
		level slog.Level
		text  string
	}{
		{`{"@level":"info","@message":"step done","@timestamp":"2026-01-02T03:04:05.000006Z","step":3,"loss":0.5,"ok":true}`,
			slog.LevelInfo, "[info] step done loss=0.5 ok=true step=3"},
		{`{"@level":"warning","@message":"slow","who":{"a":[1,"\u001b"]},"msg":"mine"}`, slog.LevelWarn,
			`[warn] slow msg_=mine who={"a":[1,"\u001b"]}`},
		{`{"@level":"trace","@message":"x"}`, LevelTrace, "[trace] x"},
		{`{"@message": 42}`, slog.LevelInfo, "[info] 42"},
		{`{"@level": 7}`, slog.LevelInfo, "[info] "},
		{`{"@message":null,"@level":null,"@timestamp":[]}`, slog.LevelInfo, "[info] null"},
		{`{"@message":"big","n":123456789012345678901234567890,"huge":1e999}`, slog.LevelInfo,
			"[info] big huge=1e999 n=1.2345678901234568e+29"},
		{`{"level":"info","msg":"of another logger"}`, slog.LevelDebug, `{"level":"info","msg":"of another logger"}`},
		{`{"@message":"two"} {"@message":"objects"}`, slog.LevelDebug, `{"@message":"two"} {"@message":"objects"}`},
		{`{"@message":`, slog.LevelDebug, `{"@message":`},
		{"[WARN]  careful", slog.LevelWarn, "[WARN]  careful"},
		{"ERROR:root:no", slog.LevelError, "ERROR:root:no"},
		{"10%\r50%\r100%", slog.LevelDebug, "100%"},
		{"\x1b]0;title\x07red \xff\u202e\ttab é 😀", slog.LevelDebug, `\x1b]0;title\ared \xff\u202e` + "\ttab é 😀"},
		{"", slog.LevelDebug, ""},
	} {
		e := parseLine([]byte(test.line))
		if e.level != test.level || e.text() != test.text {
			t.Errorf("%s\n got %s %q\nwant %s %q", test.line, e.level, e.text(), test.level, test.text)
		}
	}
	for text, want := range map[string]time.Time{
		"2026-01-02T03:04:05.000006Z":    time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC),    // hclog
		"2026-01-02T03:04:05.006Z":       time.Date(2026, 1, 2, 3, 4, 5, 6000000, time.UTC), // JavaScript
		"2026-01-02T04:04:05+01:00":      time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),       // Python, on the second
		"2026-01-02T03:04:05.000000006Z": time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC),       // Rust
	} {
		if at := parseLine([]byte(`{"@message":"x","@timestamp":"` + text + `"}`)).at; !at.Equal(want) {
			t.Errorf("%s was read as %v", text, at)
		}
	}
}

func FuzzParseLine(f *testing.F) {
	for _, seed := range []string{`{"@message":42}`, `{"@level":"info","@message":"x","a":{"b":[1,2]}}`, "panic: x",
		"\xff\r\x1b", tracebackHead} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e := parseLine(line)
		e.log(slog.New(slog.DiscardHandler), time.Now(), streamStderr)
		for _, text := range []string{e.text(), e.message} {
			if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
				return unicode.IsControl(r) &&
					r != '\t'
			}) {
				t.Fatalf("%q is not printable", text)
			}
		}
		var c crash
		c.addLine(e.message)
	})
}

func TestCrash_Head(t *testing.T) {
	long := make([]string, 40)
	for i := range long {
		long[i] = fmt.Sprintf("  File %d", i)
	}
	for _, test := range []struct {
		name    string
		lines   []string
		summary string
		errors  int // number of lines that belong to the report
		size    int // number of lines of the head
	}{
		{"panic", []string{"starting", "panic: boom", "", "goroutine 1 [running]:", "main.main()"}, "panic: boom", 4, 4},
		{"fatal error", []string{"fatal error: all goroutines are asleep - deadlock!"},
			"fatal error: all goroutines are asleep - deadlock!", 1, 1},
		{"traceback that was handled", []string{tracebackHead, "  File 1", "ValueError: x", "going on"}, "ValueError: x", 3,
			3},
		{"long traceback", append(append([]string{tracebackHead}, long...), "KeyError: 'k'"), "KeyError: 'k'", 42,
			maxHeadLines},
		{"the last traceback counts", []string{tracebackHead, "A: 1", tracebackHead, "B: 2"}, "B: 2", 4, 2},
		{"nothing", []string{"don't panic: all is well"}, "", 0, 1},
	} {
		var c crash
		errors := 0
		for _, line := range test.lines {
			if c.addLine(line) {
				errors++
			}
		}
		head := c.head()
		if summaryOf(head) != test.summary || errors != test.errors || len(strings.Split(head, "\n")) != test.size {
			t.Errorf("%s: summary %q, %d lines of errors, head\n%s", test.name, summaryOf(head), errors, head)
		}
	}
}

func TestReadLines_NeverStops(t *testing.T) {
	long := strings.Repeat("x", 3*maxLineBytes) + "\n"
	var got []string
	waits := 0
	readLines(strings.NewReader("a\n"+long+"\nb"), func(p piece) {
		if waits == 0 {
			t.Error("it read without calling idle")
		}
		got = append(got, fmt.Sprintf("%d %v %v", len(p.raw), p.continues, p.cut))
	}, func() { waits++ })
	want := []string{"2 false false", "65536 false true", "65536 true true", "65536 true true", "1 true false",
		"1 false false", "1 false false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if waits > 2*len(want) {
		t.Errorf("idle was called %d times for %d pieces", waits, len(want))
	}
}

// A line must be shown while its process is silent: it must not wait in a buffer for the next line.
func TestOutput_ShowsALineWhileItsProcessIsSilent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	file, err := openLog(path)
	if err != nil {
		t.Fatal(err)
	}
	o := newOutput(slog.New(slog.DiscardHandler), -1, nil)
	o.open(file)
	r, w := io.Pipe()
	read := make(chan struct{})
	go func() {
		defer close(read)
		readLines(r, func(p piece) { o.receive(streamStderr, p) }, o.flush)
	}()
	for _, text := range []string{"one\n", "two\nthree\n"} {
		io.WriteString(w, text)
	}
	w.Write(nil) // returns when it is read, which is after the flush
	if text, err := os.ReadFile(path); err != nil || string(text) != "one\ntwo\nthree\n" {
		t.Errorf("%q, %v", text, err)
	}
	w.Close()
	<-read
	o.finish()
}

func TestOutput_WarnsOnceWhenLogIsFull(t *testing.T) {
	log := &logRecorder{}
	o := newOutput(slog.New(log), 4, nil)
	for range 150 {
		o.receive(streamStderr, piece{raw: []byte("abc\n")})
	}
	o.finish()
	want := []string{"abc", "its log is full: later output is dropped, except for the last lines", "its output " +
		"exceeded the limits"}
	if diff := cmp.Diff(want, log.messages()); diff != "" {
		t.Error(diff)
	}
	if last := o.lastLines(); len(last) != 150 || last[149] != "abc" {
		t.Errorf("%d last lines: %q", len(last), last)
	}
}

// Displayed lines must be bounded; the log file must have all of them.
func TestOutput_BoundsWhatIsShown(t *testing.T) {
	log := &logRecorder{}
	now := time.Unix(0, 0)
	o := newOutput(slog.New(log), -1, nil)
	o.now = func() time.Time { return now }
	for range 10 * shownBurst {
		o.receive(streamStderr, piece{raw: []byte("abc\n")})
	}
	now = now.Add(time.Second)
	for range shownBurst {
		o.receive(streamStderr, piece{raw: []byte("def\n")})
	}
	o.finish()
	count := map[string]int{}
	for _, m := range log.messages() {
		count[m]++
	}
	want := map[string]int{
		"abc": shownBurst, "def": shownPerSecond, "more than 200 lines per second: most of them are omitted " +
			"here": 1, "its output exceeded the limits": 1,
	}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Error(diff)
	}
}

// Lines that are not shown must cost little and must not hide others.
func TestOutput_ParsesOnlyWhatIsShown(t *testing.T) {
	log := &logRecorder{}
	o := newOutput(slog.New(levelHandler{log, slog.LevelInfo}), -1, nil)
	o.now = func() time.Time { return time.Unix(0, 0) }
	for _, unwanted := range []string{"loss 0.1", `{"@level":"debug","@message":"loss 0.1"}`,
		`{"@message":"loss 0.1", "@level": "trace"}`, `{"loss":0.1}`, "pool: 7", "Traceback?"} {
		for range 10 * shownBurst {
			o.receive(streamStderr, piece{raw: []byte(unwanted + "\n")})
		}
	}
	for _, l := range o.last {
		if !l.raw {
			t.Fatalf("%q was parsed", l.text)
		}
	}
	if o.notShown != 0 {
		t.Errorf("%d lines count as hidden", o.notShown)
	}
	for _, wanted := range []string{`{"@level":"error","@message":"a"}`, `{"@message":"b", "@level": "warn"}`,
		`{"@message":"c"}`, "ERROR: d", "[WARN]  e", "panic: f"} {
		o.receive(streamStderr, piece{raw: []byte(wanted + "\n")})
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "ERROR: d", "[WARN]  e", "panic: f"}, log.messages()); diff != "" {
		t.Error(diff)
	}
}

// guessLevel must never be lower than the parsed level, so that no wanted line is left out.
func TestGlanceLevel(t *testing.T) {
	for _, line := range []string{
		"", " ", "plain", "[INFO] x", "CRITICAL: x", "WARNING:", "{", "{}", `{"a":1}`, `{"@message":"x"}`,
		`{"@level":"info"}`, `  {"@level" : "WARNING" , "@message":"x"}`,
		`{"@level":null}`, `{"@level":7}`, `{"@level":"\u0065rror"}`, `{"@level":"","@message":""}`,
		`{"x":"\"@level\"","@level":"error"}`, `{"@message":"say \"@level\":\"debug\"","@level":"error"}`,
	} {
		if got, want := guessLevel([]byte(line)), parseLine([]byte(line)).level; got < want {
			t.Errorf("%s: %s, parsed %s", line, got, want)
		}
	}
}

// A panic must be recognized even if no more lines are kept.
func TestOutput_LooksAtDroppedLinesForCrashes(t *testing.T) {
	o := newOutput(slog.New(slog.DiscardHandler), 0, nil)
	for _, text := range []string{"noise\n", "panic: out of cheese\n", "goroutine 1 [running]:\n",
		`{"@level":"error","@message":"bye"}` + "\n"} {
		o.receive(streamStderr, piece{raw: []byte(text)})
	}
	if got := o.panicHead(); !strings.HasPrefix(got, "panic: out of cheese\ngoroutine 1") {
		t.Errorf("got %q", got)
	}
	o = newOutput(slog.New(slog.DiscardHandler), 0, nil)
	o.receive(streamStderr, piece{raw: []byte(`{"@level":"error","@message":"\u001b[2Jbye"}` + "\n")})
	if diff := cmp.Diff([]string{`[error] \x1b[2Jbye`}, o.lastLines()); diff != "" {
		t.Error(diff)
	}
}

// logRecorder is a logger that stores its records.
type logRecorder struct {
	mu      sync.Mutex
	records []slog.Record
}

// levelHandler is a handler with a minimum level.
type levelHandler struct {
	slog.Handler
	level slog.Level
}

// Enabled implements slog.Handler.
func (a levelHandler) Enabled(_ context.Context, level slog.Level) bool { return level >= a.level }

// WithAttrs implements slog.Handler.
func (a levelHandler) WithAttrs([]slog.Attr) slog.Handler { return a }

func (j *logRecorder) Enabled(context.Context, slog.Level) bool { return true }
func (j *logRecorder) Handle(_ context.Context, r slog.Record) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.records = append(j.records, r)
	return nil
}
func (j *logRecorder) WithAttrs([]slog.Attr) slog.Handler { return j }
func (j *logRecorder) WithGroup(string) slog.Handler      { return j }

func (j *logRecorder) messages() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []string
	for _, r := range j.records {
		out = append(out, r.Message)
	}
	return out
}

func (j *logRecorder) find(message string) (slog.Record, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	i := slices.IndexFunc(j.records, func(r slog.Record) bool { return r.Message == message })
	if i < 0 {
		return slog.Record{}, false
	}
	return j.records[i], true
}
