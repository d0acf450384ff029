package link

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// readAll returns the lines of text, read in chunks as from a network.
func readAll(text []byte, limit int, whole bool) (lines []string, err error) {
	var in io.Reader = bytes.NewReader(text)
	if !whole {
		in = iotest.HalfReader(in)
	}
	l := NewLines(in, limit)
	for {
		line, err := l.Next()
		if err != nil {
			return lines, err
		}
		lines = append(lines, string(line))
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 200_000) // longer than the buffer of the reader
	for name, c := range map[string]struct {
		text  string
		limit int
		want  []string
		err   error
	}{
		"none":         {"", 10, nil, io.EOF},
		"two":          {"a\nbc\n", 10, []string{"a", "bc"}, io.EOF},
		"empty":        {"\n\n", 10, []string{"", ""}, io.EOF},
		"exactly":      {"0123456789\n", 10, []string{"0123456789"}, io.EOF},
		"too long":     {"a\n0123456789x\nb\n", 10, []string{"a"}, &LineError{}},
		"never ending": {strings.Repeat("x", 100), 10, nil, &LineError{}},
		"cut":          {"a\nbc", 10, []string{"a"}, io.ErrUnexpectedEOF},
		"long":         {long + "\nb\n", 200_000, []string{long, "b"}, io.EOF},
		"a bit longer": {long + "x\nb\n", 200_000, nil, &LineError{}},
	} {
		for _, whole := range []bool{true, false} {
			got, err := readAll([]byte(c.text), c.limit, whole)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			var unreadable *LineError
			if errors.As(c.err, &unreadable) != errors.As(err, &unreadable) || unreadable == nil && !errors.Is(err, c.err) {
				t.Errorf("%s: got %v, want %v", name, err, c.err)
			}
		}
	}
}

// For any input, lines must be the parts between line feeds, must not exceed the limit, and must not cause a panic.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nbb\n\n"), 3)
	f.Add([]byte(`{"type":"ping"}`+"\n"), 4096)
	f.Fuzz(func(t *testing.T, text []byte, limit int) {
		limit = min(max(limit, 0), 1<<17)
		got, err := readAll(text, limit, len(text)%2 == 0)
		if err == nil {
			t.Fatal("it never ended")
		}
		parts := bytes.Split(text, []byte("\n"))
		for i, line := range got {
			if line != string(parts[i]) || len(line) > limit {
				t.Fatalf("line %d is %q, want %q, at most %d bytes", i, line, parts[i], limit)
			}
		}
		if errors.Is(err, io.EOF) && len(got) != len(parts)-1 {
			t.Fatalf("got %d lines, want %d", len(got), len(parts)-1)
		}
	})
}

// A line must become a frame or an error. A frame must stay the same after encoding and parsing.
func FuzzFrame(f *testing.F) {
	for _, line := range []string{
		`{"type":"generate","seq":7,"ack":3,"body":{"a":[1,"\u0000"]}}`,
		`{"type":"generated","episode_id":"é\n","call_id":"\"","error":{}}`,
		`{"type":"event","seq":1,"body":null}`, `null`, `[]`, `{`, `{"seq":-1}`, `{"seq":18446744073709551615}`, " {}",
		"{\"type\":\"\xff\"}",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var frame Frame
		if err := Parse(line, &frame); err != nil {
			var unreadable *LineError
			if !errors.As(err, &unreadable) {
				t.Fatalf("got %v, want a LineError", err)
			}
			return
		}
		// Written types are from our own vocabulary, and Body comes from an encoder.
		if strings.ContainsFunc(frame.Type, func(r rune) bool { return r < 'a' || r > 'z' }) ||
			bytes.ContainsRune(line, '\n') {
			return
		}
		frame.Ack, frame.Code, frame.Detail = 0, "", ""
		text, err := frame.open()
		if err != nil {
			t.Fatal(err)
		}
		var again Frame
		if err := Parse(append(text, '}'), &again); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(frame, again); diff != "" {
			t.Error(diff)
		}
	})
}

// pair runs two streams over one connection until stop is called, or the connection ends.
func pair(a, b *Stream, handleA, handleB func(Frame) error) (stop func(), errs func() (error, error)) {
	one, two := net.Pipe()
	var running sync.WaitGroup
	var errA, errB error
	timing := Timing{Ping: 50 * time.Millisecond}
	running.Go(func() { errA = a.Run(one, NewLines(one, MaxLineBytes), timing, handleA) })
	running.Go(func() { errB = b.Run(two, NewLines(two, MaxLineBytes), timing, handleB) })
	return func() { one.Close() }, func() (error, error) { running.Wait(); return errA, errB }
}

func nothing(Frame) error { return nil }

func TestStream_KeepsWhatIsNotAcknowledged(t *testing.T) {
	a, b := NewStream(DefaultLimits), NewStream(DefaultLimits)
	got := make(chan Frame, 8)
	stop, errs := pair(a, b, nothing, func(f Frame) error {
		if f.EpisodeID == "2" {
			b.Defer(f.Seq) // as if its handler were still running
		}
		got <- f
		return nil
	})
	for _, id := range []string{"1", "2", "3"} {
		if err := a.Send(Frame{Type: "event", EpisodeID: id, Body: json.RawMessage(`{"n":` + id + `}`)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"1", "2", "3"} {
		if f := <-got; f.EpisodeID != want {
			t.Errorf("got frame %s, want %s", f.EpisodeID, want)
		}
	}
	if n := b.Received(); n != 1 {
		t.Errorf("frames up to %d are processed, want 1: the handler of the second is at work", n)
	}
	stop()
	errs()
	kept, err := a.Kept()
	if err != nil {
		t.Fatal(err)
	}
	if len(kept) < 2 || string(kept[len(kept)-1].Body) != `{"n":3}` {
		t.Errorf("%v are kept, want at least the last two", kept)
	}
	b.Processed()
	if n := b.Received(); n != 3 {
		t.Errorf("frames up to %d are processed, want 3", n)
	}
	if !a.Resume(b.Received()) {
		t.Error("the stream does not continue after the received frames")
	}
	if kept, _ := a.Kept(); len(kept) != 0 {
		t.Errorf("%v are kept, want none", kept)
	}
}

func TestStream_DoesNotResumeWhatNeverWas(t *testing.T) {
	s := NewStream(DefaultLimits)
	if err := s.Send(Frame{Type: "event"}); err != nil {
		t.Fatal(err)
	}
	if s.Resume(1) {
		t.Error("an acknowledgement of a frame that was never sent was accepted")
	}
}

func TestStream_EndsWithTooMuchKept(t *testing.T) {
	s := NewStream(Limits{LineBytes: 1000, KeptBytes: 1500})
	if err := s.Send(Frame{Type: "event", Body: json.RawMessage(`"` + strings.Repeat("x", 2000) + `"`)}); err == nil ||
		errors.Is(err, ErrOverflow) {
		t.Errorf("got %v, want an error about a long line", err)
	}
	var err error
	sent := 0
	for ; err == nil && sent < 100; sent++ {
		err = s.Send(Frame{Type: "event", Body: json.RawMessage(`"` + strings.Repeat("x", 400) + `"`)})
	}
	if !errors.Is(err, ErrOverflow) || sent < 4 || sent > 8 {
		t.Errorf("after %d frames got %v, want an overflow at 3000 bytes", sent, err)
	}
}

func TestStream_OverflowEndsTheConnectionFirst(t *testing.T) {
	a, b := NewStream(Limits{LineBytes: 1 << 20, KeptBytes: 1000}), NewStream(DefaultLimits)
	entered, release := make(chan struct{}, 4), make(chan struct{})
	_, errs := pair(a, b, nothing, func(Frame) error { entered <- struct{}{}; <-release; return nil })
	for i := range 4 {
		if i == 1 {
			<-entered // they are connected
		}
		if err := a.Send(Frame{Type: "event", Body: json.RawMessage(`"` + strings.Repeat("x", 300) + `"`)}); err != nil {
			t.Fatal(err)
		}
	}
	close(release)
	if err, _ := errs(); !errors.Is(err, ErrOverflow) {
		t.Errorf("the connection ended with %v, want an overflow", err)
	}
	if !a.Resume(b.Received()) {
		t.Error("the stream has ended, although the peer has read its data")
	}
}

func TestStream_FinishesWhenBothKnowEverything(t *testing.T) {
	a, b := NewStream(DefaultLimits), NewStream(DefaultLimits)
	over := errors.New("over")
	var last Frame
	_, errs := pair(a, b, nothing, func(f Frame) error { last = f; return nil })
	for range 10 {
		if err := a.Send(Frame{Type: "event"}); err != nil {
			t.Fatal(err)
		}
	}
	a.Finish(over)
	if err, _ := errs(); !errors.Is(err, over) {
		t.Errorf("got %v, want an ended stream", err)
	}
	if last.Seq != 10 || !errors.Is(a.Send(Frame{Type: "event"}), over) {
		t.Errorf("the last frame is %d, want 10, and none after it", last.Seq)
	}
}

// A peer may leave on receiving the acknowledgement of its last frame, before the writer runs again. The stream must
// then end without waiting for another connection. A peer that has not received it comes back.
func TestStream_FinishesWhenThePeerLeavesFirst(t *testing.T) {
	over := errors.New("over")
	for _, told := range []bool{true, false} {
		s := NewStream(DefaultLimits)
		if _, err := s.attach(func() {}); err != nil {
			t.Fatal(err)
		}
		s.Finish(over)
		s.recordHandled(1)
		if told {
			if written, _ := s.appendPending(nil, 1, false); !strings.Contains(string(written), `"ack":1`) {
				t.Fatalf("%q acknowledges nothing", written)
			}
		}
		s.detach()
		if ended := errors.Is(s.Ended(), over); ended != told {
			t.Errorf("the acknowledgement was written: %t; the stream has ended: %t", told, ended)
		}
	}
}

// held is a connection with a delayed reader: its deadline passes before it reads.
type held struct{ net.Conn }

func (h held) SetReadDeadline(t time.Time) error {
	err := h.Conn.SetReadDeadline(t)
	if until := time.Until(t); until > readSlack {
		time.Sleep(until + readSlack/4)
	}
	return err
}

// Data that arrived in time must count, however late it is read. A peer that sends nothing is silent.
func TestLines_ReadWhatCameWhileTheyWereHeldUp(t *testing.T) {
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS() // for its certificate
	server.Close()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: server.TLS.Certificates})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	accepted := make(chan *tls.Conn, 1)
	go func() {
		defer close(accepted)
		if conn, err := listener.Accept(); err == nil {
			if conn := conn.(*tls.Conn); conn.HandshakeContext(t.Context()) == nil {
				accepted <- conn
			}
		}
	}()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	peer, err := tls.Dial("tcp", listener.Addr().String(), &tls.Config{RootCAs: roots, ServerName: "example.com"})
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	conn, ok := <-accepted
	if !ok {
		t.Fatal("no connection")
	}
	defer conn.Close()
	lines := NewLines(held{conn}, MaxLineBytes)
	lines.from.silence = 2 * readSlack
	if _, err := peer.Write([]byte("here\n")); err != nil {
		t.Fatal(err)
	}
	if line, err := lines.Next(); string(line) != "here" {
		t.Errorf("got %q, %v", line, err)
	}
	if line, err := lines.Next(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("from a silent peer: %q, %v", line, err)
	}
}

func TestParse_RefusesWhatIsNoObject(t *testing.T) {
	for _, line := range []string{"", " ", "null", "1", `"x"`, "[]", "{", `{"seq":"1"}`, `{"type":1}`, "{} {}"} {
		var f Frame
		var unreadable *LineError
		if err := Parse([]byte(line), &f); !errors.As(err, &unreadable) {
			t.Errorf("%q: got %v, want a LineError", line, err)
		}
	}
}
