package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk/client"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

func checkAgentRuns(t *T) {
	for i := range max(1, len(t.component.fixture.Episodes)) {
		t.suite.agentEpisodes++
		s := t.newAgentEpisodeAs(t.suite.agentEpisodes, i)
		t.runAgentToEnd(t.shared(), s)
		if asked, _, _ := s.counts(); asked == 0 {
			t.errorf("the agent returned a result without calling the policy")
		}
	}
}

func checkAgentResult(t *T) {
	out := t.runAgentToEnd(t.shared(), t.newAgentEpisode())
	if text := out.GetMetadataJson(); len(text) > 0 {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(text, &object); err != nil || object == nil {
			t.errorf("metadata_json is not a JSON object: %.80q", text)
		}
	}
	if r := out.GetReward(); math.IsNaN(r) || math.IsInf(r, 0) {
		t.errorf("the reward is %v", r)
	}
	for name, v := range out.GetMetrics() {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.errorf("metric %s is %v", name, v)
		}
	}
}

func checkAgentAlone(t *T) {
	s := t.newAgentEpisode()
	s.request.HasEnvironment, s.request.OfferedTools = false, nil
	s.scripted = []*awhostv1.Message{assistant("This is the answer. " + s.mark)}
	_, err := t.runAgent(t.shared(), s)
	t.reportProblems(s, topicSteps)
	t.checkAgentEnded(s, "an episode without an environment")
	if err != nil {
		t.errorf("an episode without an environment: %v", err)
	}
}

func checkAgentLease(t *T) {
	before := t.suite.host.unknownLeases()
	first, second := t.newAgentEpisode(), t.newAgentEpisode()
	for _, s := range []*agentEpisode{first, second} {
		t.runAgentToEnd(t.shared(), s)
	}
	t.checkNoLateCalls(second, "an episode that has ended")
	for _, s := range []*agentEpisode{first, second} {
		if _, _, late := s.counts(); late > 0 {
			t.errorf("%s made with the lease of an episode that had ended", plural(int64(late), "call"))
		}
	}
	if n := t.suite.host.unknownLeases() - before; n > 0 {
		t.errorf("%s made with a lease that was never issued", plural(int64(n), "call"))
	}
}

func checkAgentSecret(t *T) {
	log := &lines{}
	p := t.startAs(startSettings{log: log})
	t.need(t.suite.configure(t.ctx, p, t.component), "configure the component")
	s := t.newAgentEpisode()
	said := s.texts(t.runAgentToEnd(p, s))
	failing := t.newAgentEpisode() // the text of an error is for the user
	failing.beforeSample = func(context.Context, int) error {
		return status.Error(codes.Unknown, "the engine is "+
			"broken")
	}
	_, err := t.runAgent(p, failing)
	p.Kill() // completes the log
	for _, s := range []*agentEpisode{s, failing} {
		for where, text := range map[string]string{
			"its log": log.String(), "its Log lines": strings.Join(t.suite.host.loggedLines(), "\n"), "its " +
				"messages or its result": said,
			"its error": status.Convert(err).Message(),
		} {
			if strings.Contains(text, s.lease) {
				t.errorf("the lease of an episode appears in %s", where)
			}
		}
	}
}

// checkTopic plays an episode to the end and checks that its calls are correct in one respect.
func (t *T) checkTopic(about string) {
	s := t.newAgentEpisode()
	_, err := t.runAgent(t.shared(), s)
	t.reportProblems(s, about)
	t.checkAgentEnded(s, "an episode")
	if err != nil && len(t.failures) == 0 {
		t.need(err, "Run")
	}
}

func checkAgentSteps(t *T) {
	t.checkTopic(topicSteps)
	s := t.newAgentEpisode()
	s.lastStep = 1
	s.changeMessage = func(turn int, m *awhostv1.Message) *awhostv1.Message { return s.callTool(turn, m) }
	_, err := t.runAgent(t.shared(), s)
	t.reportProblems(s, topicSteps)
	t.checkAgentEnded(s, "an episode that the environment has ended")
	if err != nil && len(t.failures) == 0 {
		t.errorf("an episode that the environment ends: %v", err)
	}
}

// callTool returns a message that calls a tool, so that the episode never ends on its own.
func (e *agentEpisode) callTool(turn int, m *awhostv1.Message) *awhostv1.Message {
	if tools := e.request.GetOfferedTools(); len(m.GetToolCalls()) == 0 && len(tools) > 0 {
		return toolCallMessage(fmt.Sprintf("again-%d-%d", turn, len(e.calls)), tools[0])
	}
	return m
}

func checkAgentClaims(t *T) {
	s := t.newAgentEpisode()
	if n := len(t.runAgentToEnd(t.shared(), s).GetMessages()); n > 0 {
		t.errorf("the result contains %s from an episode whose calls the host has already "+
			"relayed", plural(int64(n), "message"))
	}
}

func checkAgentSame(t *T) {
	t.suite.agentEpisodes++
	n := t.suite.agentEpisodes
	first, second := t.newAgentEpisodeAs(n, 0), t.newAgentEpisodeAs(n, 0)
	one, other := t.runAgentToEnd(t.shared(), first), t.runAgentToEnd(t.fresh(), second)
	if deterministicBytes(one) != deterministicBytes(other) {
		t.errorf("two equal episodes have the results\n%s\nand\n%s", one, other)
	}
	before, after := first.record(), second.record()
	for i := range max(len(before), len(after)) {
		if a, b := elementAt(before, i), elementAt(after, i); a != b {
			a, _, _ = strings.Cut(a, endOfText)
			b, _, _ = strings.Cut(b, endOfText)
			t.errorf("two equal episodes send different requests:\n%.600s\nand\n%.600s", a, b)
			return
		}
	}
}

const (
	orderEpisodes = 20
	orderTime     = 5 * time.Second // for all of them
	// Requests are not sent at once if the plugin responds to this many others between them.
	orderPings = 4
	pingPause  = 2 * time.Millisecond
)

// checkAgentOrder plays equal episodes and compares the order of their requests. It ignores the order of requests that
// are sent at once, which depends on the scheduler: between others, the plugin responds to several pings.
func checkAgentOrder(t *T) {
	t.suite.agentEpisodes++
	p, begun, earlier := t.shared(), time.Now(), map[[2]string]bool{}
	for n := 0; n < orderEpisodes && time.Since(begun) < orderTime; n++ {
		requests, pings := t.requestOrder(p)
		for i, first := range requests {
			for k, second := range requests[i+1:] {
				if pings[i+1+k]-pings[i] < orderPings {
					continue
				}
				if earlier[[2]string{first, second}] = true; first != second && earlier[[2]string{second, first}] {
					t.fatalf("two requests of equal episodes are sent in different orders:\n%.600q\nand\n%.600q", first, second)
				}
			}
		}
	}
}

// requestOrder plays an episode and returns its requests, each with the number of pings before it.
func (t *T) requestOrder(p *client.Plugin) (requests []string, pings []int64) {
	s := t.newAgentEpisodeAs(t.suite.agentEpisodes, 0)
	ctx, stop := context.WithCancel(t.ctx)
	var count atomic.Int64
	var pinging sync.WaitGroup
	pinging.Go(func() {
		for ctx.Err() == nil && p.Ping(ctx) == nil {
			count.Add(1)
			time.Sleep(pingPause)
		}
	})
	s.beforeSample = func(_ context.Context, n int) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		requests, pings = append(requests, keyOf(s.requests[n-1])), append(pings, count.Load())
		return nil
	}
	_, err := t.runAgent(p, s)
	stop()
	pinging.Wait()
	t.need(err, "Run")
	return requests, pings
}

func checkAgentIDs(t *T) {
	s := t.newAgentEpisode()
	s.request.EpisodeId = "conformance/launch-Quxzov/" + s.mark
	t.runAgentToEnd(t.shared(), s)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, req := range s.requests {
		if text := req.String(); strings.Contains(text, "launch-Quxzov") {
			t.fatalf("a request to the policy contains the episode id: %s", excerpt(text, "launch-Quxzov"))
		}
	}
}

// dateForms and timeForms are the layouts in which agents write the present date and time.
var (
	dateForms = []string{"2006-01-02", "2006/01/02", "20060102", "02.01.2006", "01/02/2006", "02/01/2006",
		"January 2, 2006", "2 January 2006", "02 January 2006", "Jan 2, 2006", "02 Jan 2006", "Jan 02 2006", "Jan _2"}
	timeForms = []string{"15:04:05", "3:04:05 PM"}
)

func checkAgentClock(t *T) {
	s, began := t.newAgentEpisode(), time.Now()
	t.runAgentToEnd(t.shared(), s)
	known := s.request.String() + string(t.component.config)
	for _, m := range s.scripted {
		known += m.String()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var sent strings.Builder
	for _, req := range s.requests {
		for _, m := range req.GetMessages() {
			fmt.Fprintln(&sent, textsOf(m))
		}
	}
	for at := began; at.Before(time.Now().Add(time.Second)); at = at.Add(time.Second) {
		written := []string{strconv.FormatInt(at.Unix(), 10)}
		for _, place := range []*time.Location{time.UTC, time.Local} {
			for _, layout := range append(slices.Clone(dateForms), timeForms...) {
				written = append(written, at.In(place).Format(layout))
			}
		}
		for _, form := range written {
			if strings.Contains(sent.String(), form) && !strings.Contains(known, form) {
				t.fatalf("a request to the policy contains the present date or time: %s", excerpt(sent.String(), form))
			}
		}
	}
}

// memoryEpisodes is the number of episodes after which an agent may have seen enough to remember it.
const memoryEpisodes = 4

func checkAgentMemory(t *T) {
	p := t.shared()
	for range memoryEpisodes {
		s := t.newAgentEpisode()
		s.request.EpisodeId = "conformance/memory-" + s.mark
		s.changeMessage = func(_ int, m *awhostv1.Message) *awhostv1.Message { // an agent may remember answers
			if len(m.GetToolCalls()) > 0 {
				return m
			}
			return assistant(textsOf(m) + " " + s.mark)
		}
		t.runAgentToEnd(p, s)
		for _, found := range markPattern.FindAllString(strings.Join(s.record(), "\n"), -1) {
			if found != s.mark {
				t.fatalf("a request of one episode (%s) contains text of an earlier one (%s)", s.mark, found)
			}
		}
	}
}

func elementAt(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

// parallelAgentEpisodes is the number of episodes that an agent plays concurrently.
const parallelAgentEpisodes = 8

var markPattern = regexp.MustCompile(`mark\d+end`)

func checkAgentParallel(t *T) {
	n := parallelAgentEpisodes
	if most := int(t.component.GetAgent().GetMaxConcurrent()); most > 0 {
		n = min(n, most)
	}
	p := t.shared()
	var there, all sync.WaitGroup
	there.Add(n)
	together := make(chan struct{})
	go func() {
		there.Wait()
		close(together)
	}()
	episodes, results, errs := make([]*agentEpisode, n), make([]*awhostv1.RunResponse, n), make([]error, n)
	for i := range n {
		s := t.newAgentEpisode()
		episodes[i] = s
		var once sync.Once
		s.beforeSample = func(ctx context.Context, _ int) error {
			once.Do(there.Done)
			select { // all episodes are running, if the agent allows as many
			case <-together:
			case <-time.After(abandoned):
			case <-ctx.Done():
			}
			return nil
		}
		all.Go(func() {
			results[i], errs[i] = t.runAgent(p, s)
			once.Do(there.Done)
		})
	}
	all.Wait()
	for i, s := range episodes {
		t.checkAgentEnded(s, "one of the concurrent episodes")
		if errs[i] != nil {
			t.errorf("one of %d concurrent episodes returned %v", n, errs[i])
		}
		for _, found := range markPattern.FindAllString(s.texts(results[i]), -1) {
			if found != s.mark {
				t.errorf("the agent's output in one episode (%s) contains input from another (%s)", s.mark, found)
				break
			}
		}
	}
}

func checkAgentFull(t *T) {
	for _, first := range []int{1, 2} { // the question itself may be too long
		s := t.newAgentEpisode()
		s.failFrom(first, contextFullError("the conversation has reached its token limit"))
		_, err := t.runAgent(t.shared(), s)
		t.checkAgentEnded(s, "an episode that reaches its limit")
		t.checkResponds(err, "an episode that reaches its limit")
	}
}

func checkAgentTurns(t *T) {
	s := t.newAgentEpisode()
	s.maxTurns, s.request.MaxTurns = 2, 2
	s.changeMessage = s.callTool
	_, err := t.runAgent(t.shared(), s)
	t.checkAgentEnded(s, "an episode whose policy never stops calling tools")
	t.checkResponds(err, "an episode whose policy never stops calling tools")
}

// checkResponds checks that the agent itself responded to a call in time, no matter how.
func (t *T) checkResponds(err error, what string) {
	switch code := status.Code(err); code {
	case codes.Internal, codes.Unavailable, codes.DeadlineExceeded:
		t.errorf("%s: Run returned %s (%s)", what, name(code), status.Convert(err).Message())
	default: // any other failure is a valid answer
	}
}
