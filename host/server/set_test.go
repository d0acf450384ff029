package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk/process"
)

// TestMain runs a server if it is started as one. The server listens at the address in SERVE_AT.
func TestMain(m *testing.M) {
	if address := os.Getenv("SERVE_AT"); address != "" {
		fmt.Println("serving at", address)
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, os.Getpid()) })
		fmt.Println(http.ListenAndServe(address, handler))
		os.Exit(3)
	}
	goleak.VerifyTestMain(m)
}

// eventLog collects the events of a set.
type eventLog struct {
	mu     sync.Mutex
	lines  []string
	failed chan error
}

func (h *eventLog) tell(n Update) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, n.Level.String()+" "+n.Message)
	if strings.Contains(n.Message, "watch it at") != (n.ViewURL != "") {
		h.lines = append(h.lines, "a URL to watch, or none: "+n.ViewURL)
	}
}

func (h *eventLog) all() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.lines, "\n")
}

func newTestSet(t *testing.T, records string) (*Set, *eventLog) {
	t.Helper()
	h := &eventLog{failed: make(chan error, 1)}
	s := NewSet(Options{
		Run: "r1", Records: records, MaxRestarts: 2, Notify: h.tell, Failed: func(_ string, err error) { h.failed <- err },
	})
	t.Cleanup(func() { _ = s.StopAll(context.Background()) })
	return s, h
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// serving returns a server of this test program.
func serving(t *testing.T) *spec.Server {
	t.Helper()
	address := freeAddress(t)
	return &spec.Server{
		Address: "environment.mcp.desk", Command: []string{os.Args[0]}, Env: map[string]string{"SERVE_AT": address},
		ReadyURL: "http://" + address, Health: "http://" + address, Timeout: 30 * time.Second,
	}
}

func pidAt(t *testing.T, url string) int {
	t.Helper()
	response, err := client.Get(url)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	var pid int
	_, _ = fmt.Sscan(string(text), &pid)
	return pid
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 600 {
		if is() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("never: " + what)
}

func TestSet_StartsWatchesAndEnds(t *testing.T) {
	s, h := newTestSet(t, t.TempDir())
	c := serving(t)
	c.ReadyLog, c.ViewURL = "serving at", "http://localhost/vnc"
	if err := s.Start(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context(), c); err != nil { // a second stage
		t.Fatal(err)
	}
	first := pidAt(t, c.ReadyURL)
	_ = syscall.Kill(first, syscall.SIGKILL)
	eventually(t, "another process serves", func() bool { pid := pidAt(t, c.ReadyURL); return pid != 0 && pid != first })
	eventually(t, "that is told", func() bool { return strings.Contains(h.all(), "it is ready again") })
	if err := s.StopAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if pidAt(t, c.ReadyURL) != 0 {
		t.Error("it still serves")
	}
	for _, want := range []string{"INFO it is ready; watch it at " +
		"http://localhost/vnc", "WARN restarting it (restart 1 of 2)"} {
		if !strings.Contains(h.all(), want) {
			t.Errorf("it was not told %q:\n%s", want, h.all())
		}
	}
	if err := s.Start(t.Context(), c); err == nil {
		t.Error("a server was started after the end")
	}
}

func TestSet_UsesOneThatServes(t *testing.T) {
	theirs := httptest.NewServer(http.NotFoundHandler())
	defer theirs.Close()
	s, h := newTestSet(t, t.TempDir())
	c := serving(t)
	c.ReadyURL, c.Stop = theirs.URL, []string{"touch", filepath.Join(t.TempDir(), "stopped")}
	if err := s.Start(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := s.StopAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(c.Stop[1]); err == nil || !strings.Contains(h.all(), "it is already running") {
		t.Errorf("somebody else's server was stopped: %v\n%s", err, h.all())
	}
}

func TestSet_GivesUp(t *testing.T) {
	s, h := newTestSet(t, t.TempDir())
	c := serving(t)
	mark := filepath.Join(t.TempDir(), "started")
	c.Command = []string{"sh", "-c", "test -e " + mark + " && exit 7; touch " + mark + "; exec " + os.Args[0]}
	if err := s.Start(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(pidAt(t, c.ReadyURL), syscall.SIGKILL)
	err := <-h.failed
	if err == nil || !strings.Contains(err.Error(), "after 2 restarts") || !strings.Contains(err.Error(), "7") {
		t.Error(err)
	}
}

func TestSet_SaysWhyOneDoesNotStart(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*spec.Server)
		want   string
	}{
		"it fails": {func(c *spec.Server) {
			c.Command = []string{"sh", "-c", "echo no port >&2; exit 4"}
		}, "no port"},
		"it says nothing": {func(c *spec.Server) {
			c.Command, c.ReadyLog = []string{"true"}, "ready"
		}, `exited without writing "ready"`},
		"it takes too long": {func(c *spec.Server) {
			c.Command, c.Timeout = []string{"sleep", "60"}, time.Second
		}, "within 1s; no response from http://127.0.0.1:"},
		"it says something else": {func(c *spec.Server) {
			c.Command, c.Timeout, c.ReadyLog = []string{"yes"}, time.Second, "ready"
		}, `within 1s; it has not written "ready" (ready_log)`},
		"it prints other things": {func(c *spec.Server) {
			c.Command, c.Connection, c.Details = []string{"echo", `{"port": 1}`}, "stdout", []string{"url"}
			c.ReadyURL, c.Health = "", ""
		}, "ended; its standard output contains no JSON object with url, but another one"},
		"it prints nothing": {func(c *spec.Server) {
			c.Command, c.Connection, c.Details = []string{"sleep", "60"}, "stdout", []string{"a.b", "url"}
			c.Timeout = time.Second
		}, "within 1s; its standard output contains no JSON object with a.b, url"},
		"no such program": {func(c *spec.Server) { c.Command = []string{"no-such-program"} }, "no-such-program"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newTestSet(t, t.TempDir())
			config := serving(t)
			config.Dir, config.Stop = t.TempDir(), []string{"sh", "-c", "echo x >> stopped"}
			c.change(config)
			if err := s.Start(t.Context(), config); err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.Contains(err.Error(), "environment.mcp.desk") {
				t.Errorf("%v", err)
			}
			if err := s.StopAll(t.Context()); err != nil {
				t.Error(err)
			}
			if text, _ := os.ReadFile(filepath.Join(config.Dir, "stopped")); string(text) != "x\n" {
				t.Errorf("it was stopped %d times", strings.Count(string(text), "x"))
			}
		})
	}
}

// Containers outlive a killed host; the next host runs the stop command first.
func TestSet_EndsWhatAKilledHostLeft(t *testing.T) {
	records, dir := t.TempDir(), t.TempDir()
	stopped := filepath.Join(dir, "stopped")
	c := serving(t)
	c.Stop = []string{"sh", "-c", "echo x >> stopped"}
	c.Dir = dir
	path := filepath.Join(records, c.Address+".json")
	left := func(host process.Identity) {
		text, err := json.Marshal(record{Host: host, For: "run desk-1", Stop: c.Stop, Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	times := func() int {
		text, _ := os.ReadFile(stopped)
		return strings.Count(string(text), "x")
	}

	self, err := process.IdentityOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	left(self)
	s, _ := newTestSet(t, records)
	err = s.Start(t.Context(), c)
	if err == nil || !strings.Contains(err.Error(), "run desk-1 has started it") {
		t.Errorf("another run has it: %v", err)
	}
	if err := s.StopAll(t.Context()); err != nil || times() != 0 {
		t.Errorf("it was taken from the other run: %v, stopped %d times", err, times())
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the record of the other run: %v", err)
	}

	self.Started++ // an earlier process with the same pid
	left(self)
	s, h := newTestSet(t, records)
	if err := s.Start(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if times() != 1 || !strings.Contains(h.all(), "processes left behind by run desk-1 are ended by") {
		t.Errorf("stopped %d times:\n%s", times(), h.all())
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its own record: %v, %v", info, err)
	}
	if err := s.StopAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil || times() != 2 {
		t.Errorf("stopped %d times, record: %v", times(), err)
	}
}

// If two hosts start the server at once, only one does: otherwise the other would stop it with its own run.
func TestSet_OneOfManyStartsIt(t *testing.T) {
	records := t.TempDir()
	const hosts = 8
	started := make(chan error, hosts)
	var begun sync.WaitGroup
	begun.Add(hosts)
	for range hosts {
		s, _ := newTestSet(t, records)
		v := &server{Server: serving(t), set: s, name: "desk"}
		v.Stop = []string{"true"}
		go func() {
			begun.Done()
			begun.Wait()
			started <- v.note()
		}()
	}
	won := 0
	for range hosts {
		if err := <-started; err == nil {
			won++
		} else if !errors.Is(err, errTaken) {
			t.Error(err)
		}
	}
	if left, _ := os.ReadDir(records); won != 1 || len(left) != 1 {
		t.Errorf("%d of %d start it, %d files", won, hosts, len(left))
	}
}

// If the stop command fails, the user gets instructions, and it is not tried again.
func TestSet_SaysWhatToDoWhereStopFails(t *testing.T) {
	s, _ := newTestSet(t, t.TempDir())
	c := serving(t)
	c.Dir, c.Stop = t.TempDir(), []string{"sh", "-c", "echo x >> stopped; exit 5"}
	if err := s.Start(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := s.StopAll(t.Context()); err == nil {
		t.Error("it has ended")
	}
	path := filepath.Join(s.options.Records, c.Address+".json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var left record
	if err := json.Unmarshal(text, &left); err != nil {
		t.Fatal(err)
	}
	left.Host.Started++ // that host has ended
	if text, err = json.Marshal(left); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	next, _ := newTestSet(t, s.options.Records)
	if err := next.Start(t.Context(), c); err == nil || !strings.Contains(err.Error(), "manually") ||
		!strings.Contains(err.Error(), path) {
		t.Error(err)
	}
	if err := next.StopAll(t.Context()); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(filepath.Join(c.Dir, "stopped")); string(text) != "x\nx\n" {
		t.Errorf("stop ran %d times", strings.Count(string(text), "x"))
	}
}

// A command may exit and leave a server running. The URL shows whether the server works, and a failed or stopped
// server is restarted.
func TestSet_WatchesWhatACommandLeaves(t *testing.T) {
	defer func(before time.Duration) { healthPause = before }(healthPause)
	healthPause = 20 * time.Millisecond
	var mu sync.Mutex
	status := http.StatusServiceUnavailable
	set := func(to int) { mu.Lock(); defer mu.Unlock(); status = to }
	container := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.WriteHeader(status)
	}))
	defer container.Close()
	s, h := newTestSet(t, t.TempDir())
	c := serving(t)
	c.Dir = t.TempDir()
	c.Command, c.Stop = []string{"sh", "-c", "echo x >> started"}, []string{"sh", "-c", "echo x >> stopped"}
	c.ReadyURL, c.Health = container.URL, container.URL
	time.AfterFunc(300*time.Millisecond, func() { set(http.StatusOK) })
	if err := s.Start(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	times := func(name string) int {
		text, _ := os.ReadFile(filepath.Join(c.Dir, name))
		return strings.Count(string(text), "x")
	}
	set(http.StatusServiceUnavailable)
	eventually(t, "it is stopped", func() bool { return times("stopped") == 1 })
	set(http.StatusOK)
	eventually(t, "it is told", func() bool { return strings.Contains(h.all(), "it is ready again") })
	if !strings.Contains(h.all(), "no response from "+container.URL+", 3 times") || times("started") != 2 {
		t.Errorf("started %d times:\n%s", times("started"), h.all())
	}
	if err := s.StopAll(t.Context()); err != nil || times("stopped") != 2 {
		t.Errorf("at the end: %v, stopped %d times", err, times("stopped"))
	}
}

// TestSet_HearsHowOneIsReached also covers a restart with other connection details.
func TestSet_HearsHowOneIsReached(t *testing.T) {
	dir := t.TempDir()
	const script = `echo $$ >pid; echo x >>starts; n=$(wc -l <starts)
		echo '{"level":"info"}'; echo '{no JSON'; echo '{"at":' >&2
		echo '{"at":'; echo '  [{"port": '$n'}],'; echo '"n":1}'; echo '{"at":[{"port":77}]}'; exec sleep 600`
	moved := make(chan string, 1)
	var s *Set
	h := &eventLog{}
	s = NewSet(Options{Run: "r1", MaxRestarts: 1, Notify: h.tell, Moved: func(address string) {
		moved <- string(s.ConnectionOf(address))
	}})
	defer func() { _ = s.StopAll(context.Background()) }()
	c := &spec.Server{
		Address: "environment.mcp.desk", Command: []string{"sh", "-c", script}, Dir: dir, Timeout: time.Minute,
		Connection: "stdout", Details: []string{"at.0.port"}, ViewURL: "http://localhost:{{connection.at.0.port}}",
	}
	if err := s.Start(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if got, want := string(s.ConnectionOf(c.Address)), `{"at":[{"port":1}],"n":1}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if want := "it is ready; watch it at http://localhost:1"; !strings.Contains(h.all(), want) {
		t.Errorf("want %q, told %s", want, h.all())
	}
	text, _ := os.ReadFile(filepath.Join(dir, "pid"))
	var pid int
	if _, err := fmt.Sscan(string(text), &pid); err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	if got, want := <-moved, `{"at":[{"port":2}],"n":1}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestSet_UsesNoneOfWhichItWasToldNothing checks that connection details come only from a server that the set
// started.
func TestSet_UsesNoneOfWhichItWasToldNothing(t *testing.T) {
	theirs := httptest.NewServer(http.NotFoundHandler())
	defer theirs.Close()
	s, _ := newTestSet(t, t.TempDir())
	c := serving(t)
	c.ReadyURL, c.Connection, c.Details = theirs.URL, "stdout", []string{"url"}
	if err := s.Start(t.Context(), c); err == nil || !strings.Contains(err.Error(), "remove connection") {
		t.Error(err)
	}
}
