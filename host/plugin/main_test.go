package plugin_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

func TestMain(m *testing.M) {
	if len(os.Args) >= 2 && os.Args[1] == playPlugin {
		os.Args = slices.Delete(os.Args, 1, 2) // "describe" may follow
		p := testPlugin()
		p.MaxMessageBytes, _ = strconv.Atoi(os.Getenv(playMessages)) // 0: it declares nothing
		sdk.Serve(p)
	}
	goleak.VerifyTestMain(m)
}

// deadline limits every wait of these tests. It is generous, because the machine may be busy: no test needs all of
// it.
const deadline = 60 * time.Second

// stage is a supervisor with its dependencies and its recorded states.
type stage struct {
	*plugin.Supervisor
	t       *testing.T
	clock   *clock
	sockets string
	dir     string

	mu      sync.Mutex
	states  []plugin.State
	changed chan struct{}
}

// newStage returns a supervisor that is stopped at the end of the test.
func newStage(t *testing.T, maxRestarts int, options ...func(*plugin.Config)) *stage {
	t.Helper()
	authority, err := mtls.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	sockets, err := process.NewSocketDir()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, clock: newClock(), sockets: sockets, dir: t.TempDir(), changed: make(chan struct{})}
	config := plugin.Config{
		Authority: authority, SocketDir: sockets, HostSocket: filepath.Join(sockets, "host.sock"), RunID: "run-1",
		Incarnation: 1, MaxRestarts: maxRestarts,
		Dir: func(instance string) (string, error) {
			dir := filepath.Join(s.dir, instance)
			return dir, os.MkdirAll(dir, 0o755)
		},
		LogFile: func(instance string) string { return filepath.Join(s.dir, instance+".log") },
		Log:     func(string) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) },
		Notify:  s.hear, Clock: s.clock,
	}
	for _, option := range options {
		option(&config)
	}
	s.Supervisor = plugin.NewSupervisor(config)
	t.Cleanup(func() {
		_ = s.StopAll(context.Background(), 0, "the test has ended") // tests check its error where it matters
		s.nothingLeft()
	})
	return s
}

func (s *stage) hear(state plugin.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.states = append(s.states, state)
	close(s.changed)
	s.changed = make(chan struct{})
}

// until waits until the published states meet a condition.
func (s *stage) until(what string, condition func([]plugin.State) bool) {
	s.t.Helper()
	timer := time.NewTimer(deadline)
	defer timer.Stop()
	for {
		s.mu.Lock()
		met, changed := condition(s.states), s.changed
		s.mu.Unlock()
		if met {
			return
		}
		select {
		case <-changed:
		case <-timer.C:
			s.t.Fatalf("%s: not within %s; so far:\n%s", what, deadline, strings.Join(s.history(""), "\n"))
		}
	}
}

// untilPhase waits until an instance has been in a phase n times.
func (s *stage) untilPhase(address string, phase plugin.Phase, n int) {
	s.t.Helper()
	s.until(fmt.Sprintf("%s is %s for the %d. time", address, phase, n), func(states []plugin.State) bool {
		count := 0
		for _, state := range states {
			if state.Block.Address == address && state.Phase == phase {
				count++
			}
		}
		return count >= n
	})
}

// history returns "phase restarts" of an instance, or "address phase restarts" of all.
func (s *stage) history(address string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, state := range s.states {
		switch {
		case address == "":
			out = append(out, fmt.Sprintf("%s %s %d", state.Block.Address, state.Phase, state.Restarts))
		case state.Block.Address == address:
			out = append(out, fmt.Sprintf("%s %d", state.Phase, state.Restarts))
		}
	}
	return out
}

// last returns the last published state of an instance.
func (s *stage) last(address string) plugin.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, state := range slices.Backward(s.states) {
		if state.Block.Address == address {
			return state
		}
	}
	s.t.Fatalf("nothing was said of %s", address)
	return plugin.State{}
}

// nothingLeft fails if a process that was ever ready is running, or its files are left.
func (s *stage) nothingLeft() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, state := range s.states {
		if state.PID != 0 && syscall.Kill(state.PID, 0) == nil {
			s.t.Errorf("process %d of %s lives on", state.PID, state.Block.Address)
		}
	}
	left, err := os.ReadDir(s.sockets)
	if err != nil {
		s.t.Error(err)
	}
	for _, entry := range left {
		if !strings.HasPrefix(entry.Name(), "owner.") { // the owner of the directory
			s.t.Errorf("%s was left in the socket directory", entry.Name())
		}
	}
	if err := process.RemoveSocketDir(s.sockets); err != nil {
		s.t.Error(err)
	}
}

// block returns a block of the test plugin.
func block(kind sdk.ComponentKind, name string, s settings) plugin.Block {
	config, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return plugin.Block{
		Address: string(kind) + ".obedient." + name, Kind: kind, Type: "obedient", Config: config,
		Entry: &catalog.Entry{Name: "test", Command: []string{os.Args[0], playPlugin}, Description: testPlugin().Describe()},
	}
}

// reward starts a reward that executes commands.
func (s *stage) reward(name string, settings settings) *plugin.Instance {
	s.t.Helper()
	return s.start(block(sdk.KindReward, name, settings))
}

func (s *stage) start(b plugin.Block) *plugin.Instance {
	s.t.Helper()
	i, err := s.Start(s.t.Context(), b)
	if err != nil {
		s.t.Fatal(err)
	}
	return i
}

// order makes a reward execute a command.
func order(ctx context.Context, i *plugin.Instance, command string) (int, error) {
	out, err := i.Reward().Score(ctx, sdk.ScoreRequest{Items: []sdk.ScoreItem{{FinalAnswer: command}}})
	if err != nil {
		return 0, err
	}
	return int(out.Items[0].Score), nil
}

func obeyed(t *testing.T, i *plugin.Instance, command string) int {
	t.Helper()
	answer, err := order(t.Context(), i, command)
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return answer
}

// dies sends a command that ends the process, or kills it, and returns the caller's error.
func dies(t *testing.T, i *plugin.Instance, command string) error {
	t.Helper()
	_, err := order(t.Context(), i, command)
	if !errors.Is(err, sdk.ErrUnavailable) {
		t.Fatalf("%s: want ErrUnavailable, got %v", command, err)
	}
	return err
}

// awaits fails if the instance does not become ready again.
func awaits(t *testing.T, i *plugin.Instance) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	if err := i.Await(ctx); err != nil {
		t.Fatal(err)
	}
}

// within fails the test if f does not return.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(deadline):
		t.Fatalf("%s: still blocked after %s", what, deadline)
	}
}

// mentions fails unless an error contains all the words.
func mentions(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, word := range words {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in: %v", word, err)
		}
	}
}

// clock takes no time: delays end when the test ends them, or immediately.
type clock struct {
	mu     sync.Mutex
	held   chan time.Time // nil: delays end immediately
	pauses []time.Duration
}

func newClock() *clock { return &clock{} }

// After implements plugin.Clock.
func (c *clock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pauses = append(c.pauses, d)
	if c.held != nil {
		return c.held
	}
	over := make(chan time.Time, 1)
	over <- time.Time{}
	return over
}

// hold makes delays last until release.
func (c *clock) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = make(chan time.Time)
}

func (c *clock) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.held)
	c.held = nil
}

func (c *clock) waited() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.pauses)
}

var _ plugin.Clock = (*clock)(nil)
