package harness_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/internal/testlevel"
	commandplugin "github.com/awhost/awhost/plugins/command"
	"github.com/awhost/awhost/sdk/schema"
)

var update = flag.Bool("update", false, "write what the harnesses sent to host/gateway/testdata/harness")

// harnesses are the harnesses of .ci/harnesses, with the pinned package, the number of calls per episode, and the
// message with which they abandon a response whose stream was cut. It is empty if they always retry.
var harnesses = []struct {
	name, pinned string
	calls        int
	givesUp      string
}{
	{"claude-code", "@anthropic-ai/claude-code@2.1.332", 3, "Connection closed mid-response"},
	{"qwen-code", "@qwen-code/qwen-code@0.24.4", 3, "other side closed"},
	{"codex", "@openai/codex@0.171.0", 3, ""},
	{"opencode", "opencode-ai@1.18.33", 4, ""}, // one call creates a title and is not part of the task
}

// installed returns the folder with a harness's program, as installed by .ci/harnesses. It skips the test with a
// message without one.
func installed(t *testing.T, name, pinned string) (bin string) {
	t.Helper()
	folder := os.Getenv("AWHOST_HARNESSES")
	if folder == "" {
		t.Skip("set AWHOST_HARNESSES=$(.ci/harnesses all) to play with real harnesses")
	}
	at := strings.LastIndex(pinned, "@")
	bin = filepath.Join(folder, name, "node_modules/.bin")
	text, err := os.ReadFile(filepath.Join(folder, name, "node_modules", pinned[:at], "package.json"))
	if os.IsNotExist(err) {
		t.Skipf("%s is not installed: .ci/harnesses %s", pinned, name)
	}
	var manifest struct{ Version string }
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil {
		t.Fatal(err)
	}
	if manifest.Version != pinned[at+1:] {
		t.Fatalf(
			"%s has version %s, and the recordings are of %s: look at what it sends (go test -update), and change the "+
				"version here, "+
				"in .ci/harnesses and in plugins/command/preset.go",
			name,
			manifest.Version,
			pinned,
		)
	}
	return bin
}

// TestHarness_PlaysOffline runs the example's episodes with each real harness against a scripted policy: one of the
// harness's own tools, a tool of the environment, an answer. It repeats them through a proxy between harness and
// gateway that cuts streams: the calls must be the same, and none may be sampled twice.
func TestHarness_PlaysOffline(t *testing.T) {
	for _, h := range harnesses {
		t.Run(h.name, func(t *testing.T) {
			bin := installed(t, h.name, h.pinned)
			p := newPolicy(t)
			cuts := []int{never, 0, 1, lastEvent}
			if testlevel.Slow() {
				for n := range 12 {
					cuts = append(cuts, n+2)
				}
			}
			x := newProxy(t, cuts)
			awhost := build(t)
			played := p.plays(t, awhost, bin, h.name, "", 1)
			direct := p.taken()
			if n := len(direct[0]); n != h.calls || played.failed[0] != "" {
				t.Fatalf("an episode has %d calls, want %d: %s\n%s", n, h.calls, played.failed[0], strings.Join(direct[0], "\n"))
			}
			played = p.plays(t, awhost, bin, h.name, through(t, h.name, x.server.URL), len(cuts))
			taken, gaveUp := p.taken(), 0
			for task, cut := range cuts {
				want := direct[0]
				if failed := played.failed[task]; h.givesUp != "" && cut != never && strings.Contains(failed, h.givesUp) {
					want = want[:min(len(want), len(taken[task]))] // the calls before it gave up
					gaveUp++
				} else if failed != "" {
					t.Errorf("with streams cut at event %d: %s", cut, failed)
				}
				if diff := cmp.Diff(want, taken[task]); diff != "" {
					t.Errorf("with streams cut at event %d (-without, +with):\n%s", cut, diff)
				}
			}
			n := x.cutStreams()
			if n < len(cuts)-1 {
				t.Errorf("%d streams were cut of %d episodes", n, len(cuts)-1)
			}
			t.Logf("%s: %d streams were cut in %d episodes, of which it gave up %d", h.pinned, n, len(cuts)-1, gaveUp)
			x.holdRecordings(t, h.name+"-"+h.pinned[strings.LastIndex(h.pinned, "@")+1:], played.directory)
		})
	}
}

// TestHarness_SearchesForTools checks Claude Code with its tool search, which defers the environment's tools.
func TestHarness_SearchesForTools(t *testing.T) {
	h := harnesses[0]
	bin, p := installed(t, h.name, h.pinned), newPolicy(t)
	played := p.plays(t, build(t), bin, h.name, "  env = {\n    ENABLE_TOOL_SEARCH = \"true\"\n  }\n", 1)
	calls := p.taken()[0]
	if played.failed[0] != "" || len(calls) != h.calls+1 || !strings.Contains(calls[0], "ToolSearch") {
		t.Errorf("%s\n%s", played.failed[0], strings.Join(calls, "\n"))
	}
}

// TestHarness_VersionsAreThoseOfThePresets checks that the presets and the documentation name the tested versions.
func TestHarness_VersionsAreThoseOfThePresets(t *testing.T) {
	script, err := os.ReadFile("../../.ci/harnesses")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/guides/harnesses.md")
	if err != nil {
		t.Fatal(err)
	}
	preset, err := os.ReadFile("../../plugins/command/preset.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range harnesses {
		for name, text := range map[string]string{
			".ci/harnesses": string(script), "docs/guides/harnesses.md": string(page), "preset.go": string(preset),
		} {
			if !strings.Contains(text, h.pinned) {
				t.Errorf("%s does not name %s", name, h.pinned)
			}
		}
		version := h.name + h.pinned[strings.LastIndex(h.pinned, "@"):]
		if _, err := os.Stat(filepath.Join(recordings, strings.Replace(version, "@", "-", 1))); err != nil {
			t.Errorf("missing recordings of %s: %v", h.pinned, err)
		}
	}
}

var built struct {
	once sync.Once
	path string
	err  error
}

// build returns the program to test: the one that AWHOST names, otherwise a new build.
func build(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("AWHOST"); path != "" {
		return path
	}
	built.once.Do(func() {
		dir, err := os.MkdirTemp("", "awhost")
		if err != nil {
			built.err = err
			return
		}
		built.path = filepath.Join(dir, "awhost")
		if said, err := exec.Command("go", "build", "-o", built.path, "../../cmd/awhost").CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%w: %s", err, said)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.path != "" {
		_ = os.RemoveAll(filepath.Dir(built.path))
	}
	os.Exit(code)
}

// policy is a server of OpenAI's protocol that follows the script of these tests.
type policy struct {
	server *httptest.Server

	mu    sync.Mutex
	calls map[int][]string // by task number
}

func newPolicy(t *testing.T) *policy {
	p := &policy{calls: map[int][]string{}}
	p.server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.server.Close)
	return p
}

// taken returns the sorted calls since the last time it was called: for each, its conversation, number of messages
// and answer.
func (p *policy) taken() map[int][]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.calls
	p.calls = map[int][]string{}
	for _, calls := range out {
		slices.Sort(calls)
	}
	return out
}

type chatMessage struct {
	Role      string     `json:"role"`
	Content   string     `json:"content"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

var taskNumber = regexp.MustCompile(`This is task (\d+)`)

func (p *policy) serve(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Messages []chatMessage `json:"messages"`
		Tools    []struct {
			Function struct{ Name string } `json:"function"`
		} `json:"tools"`
	}
	body, err := io.ReadAll(r.Body)
	if err == nil && r.Method == http.MethodPost {
		err = json.Unmarshal(body, &in)
	}
	found := taskNumber.FindSubmatch(body)
	if err != nil || found == nil {
		http.Error(w, "no call of these tests", http.StatusBadRequest)
		return
	}
	var names []string
	for _, tool := range in.Tools {
		names = append(names, tool.Function.Name)
	}
	answer, conversation := script(in.Messages, names), "main"
	if len(names) == 0 {
		conversation = "title"
	}
	said, _ := json.Marshal(answer)
	var task int
	_, _ = fmt.Sscan(string(found[1]), &task)
	p.mu.Lock()
	p.calls[task] = append(p.calls[task], fmt.Sprintf("%s, after %2d messages: %s", conversation, len(in.Messages), said))
	p.mu.Unlock()
	writeCompletion(w, answer)
}

// writeCompletion writes a response of OpenAI's protocol.
func writeCompletion(w http.ResponseWriter, answer chatMessage) {
	finish := "stop"
	if len(answer.ToolCalls) > 0 {
		finish = "tool_calls"
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "x", "object": "chat.completion", "model": "scripted",
		"usage":   map[string]int{"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12},
		"choices": []any{map[string]any{"index": 0, "message": answer, "finish_reason": finish}},
	})
}

// shells are the command tools of harnesses, with the name of their argument.
var shells = map[string]string{
	"run_shell_command": "command",
	"Bash":              "command",
	"bash":              "command",
	"exec_command":      "cmd",
}

func isAdd(tool string) bool { return strings.HasSuffix(tool, "add") }

// script finds the environment's tools if they are hidden, writes the file, calls the environment's tool, and then
// answers.
func script(messages []chatMessage, tools []string) chatMessage {
	last := messages[len(messages)-1]
	call := func(name string, arguments map[string]any) chatMessage {
		c := toolCall{ID: fmt.Sprint("call_", len(messages)), Type: "function"}
		text, _ := json.Marshal(arguments)
		c.Function.Name, c.Function.Arguments = name, string(text)
		return chatMessage{Role: "assistant", ToolCalls: []toolCall{c}}
	}
	switch {
	case len(tools) == 0:
		return chatMessage{Role: "assistant", Content: "A title"}
	case slices.Contains(tools, "ToolSearch") && !slices.ContainsFunc(tools, isAdd):
		return call("ToolSearch", map[string]any{"query": "select:mcp__awhost__add"})
	case last.Role != "tool", strings.Contains(last.Content, "is available"):
		for _, name := range tools {
			if argument, ok := shells[name]; ok {
				arguments := map[string]any{argument: "echo hello > note.txt && cat note.txt"}
				if name != "exec_command" {
					arguments["description"] = "Write a note"
				}
				if name == "run_shell_command" {
					arguments["is_background"] = false
				}
				return call(name, arguments)
			}
		}
	case strings.Contains(last.Content, "hello"):
		for _, name := range tools {
			if isAdd(name) {
				return call(name, map[string]any{"a": 20, "b": 22})
			}
		}
	case strings.Contains(last.Content, "42"):
		return chatMessage{Role: "assistant", Content: "The sum is 42."}
	}
	return chatMessage{
		Role:    "assistant",
		Content: fmt.Sprintf("I do not know what to do with %v after %q.", tools, last.Content),
	}
}

// played is the result of the episodes: the parent of their folders, and the reasons of failures by task number.
type played struct {
	directory string
	failed    map[int]string
}

// plays evaluates the policy on the example with a harness. attributes are added to the agent's block.
func (p *policy) plays(t *testing.T, awhost, bin, preset, attributes string, tasks int) played {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"train.hcl", "rewards.py"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "train.hcl" {
			before := string(text)
			text = []byte(strings.Replace(before, presetLine, presetLine+attributes, 1))
			if attributes != "" && string(text) == before {
				t.Fatalf("the example has changed: %q is missing", presetLine)
			}
		}
		put(t, filepath.Join(dir, name), text)
	}
	if err := os.CopyFS(filepath.Join(dir, "workspace"), os.DirFS("workspace")); err != nil {
		t.Fatal(err)
	}
	var rows bytes.Buffer
	for n := range tasks {
		fmt.Fprintf(
			&rows,
			`{"id": "t%d", "prompt": "Write hello into note.txt, add 20 and 22, and say what the sum is. This is task %d.", `+
				`"ground_truth": "42"}`+"\n",
			n,
			n,
		)
	}
	put(t, filepath.Join(dir, "tasks.jsonl"), rows.Bytes())
	directory, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out.jsonl")
	c := exec.CommandContext(
		t.Context(),
		awhost,
		"eval",
		filepath.Join(dir, "train.hcl"),
		"--var",
		"preset="+preset,
		"--var",
		"directory="+directory,
		"--base-url",
		p.server.URL+"/v1",
		"--model-name",
		"scripted",
		"--concurrency",
		"2",
		"--out",
		out,
	)
	c.Dir, c.Env = dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "AWHOST_SECRET=x")
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	failed := map[int]string{}
	for line := range strings.Lines(string(text)) {
		var e struct {
			Task    string
			Success *bool
			Reward  float64
			Answer  string
			Failure *struct{ Class, Detail string }
		}
		var task int
		err := json.Unmarshal([]byte(line), &e)
		if err == nil {
			_, err = fmt.Sscanf(e.Task, "t%d", &task)
		}
		switch {
		case err != nil:
			t.Fatalf("%v: %s", err, line)
		case e.Failure != nil && e.Failure.Class == "AGENT":
			failed[task] = e.Failure.Detail
		case e.Failure != nil || e.Success == nil || !*e.Success || e.Reward != 1 || e.Answer != "The sum is 42.":
			failed[task] = fmt.Sprintf("reward %v, answer %q, failure %v", e.Reward, e.Answer, e.Failure)
		}
	}
	return played{directory, failed}
}

func put(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// presetLine is the line of the example's agent to which tests add attributes.
const presetLine = "  preset      = var.preset\n"

// through returns the attributes that route the requests of a preset's program through a proxy, which reads the
// gateway's address from their paths.
func through(t *testing.T, preset, proxy string) string {
	t.Helper()
	var lines strings.Builder
	for _, a := range commandplugin.Plugin().Agents[0].Schema.Attributes {
		for _, p := range a.Presets {
			if p.Value == preset {
				lines.WriteString(rewritten(t, p, proxy))
			}
		}
	}
	fmt.Fprintf(
		&lines,
		"  env = {\n    OPENAI_BASE_URL = %q\n    ANTHROPIC_BASE_URL = %q\n  }\n",
		proxy+"/to/{{base_url}}",
		proxy+"/to/{{root_url}}",
	)
	return lines.String()
}

func rewritten(t *testing.T, p schema.Preset, proxy string) string {
	var defaults struct {
		Files map[string]string `json:"mcp_files"`
	}
	if err := json.Unmarshal(p.DefaultsJSON, &defaults); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for name, text := range defaults.Files {
		fmt.Fprintf(
			&out,
			"  mcp_files = {\n    %q = %s\n  }\n",
			name,
			quoted(strings.ReplaceAll(text, "{{base_url}}", proxy+"/to/{{base_url}}")),
		)
	}
	return out.String()
}

// quoted returns a text as an HCL string.
func quoted(text string) string {
	out, _ := json.Marshal(text)
	return strings.ReplaceAll(string(out), "${", "$${")
}

// Positions at which a proxy cuts a stream. A number n ≥ 0 means after n events, lastEvent before the last one.
const (
	never     = -1
	lastEvent = -2
)

// proxy cuts the stream of each response once, the first time that it is sent. The task number selects the number of
// events.
type proxy struct {
	server *httptest.Server
	cuts   []int // by task number

	mu       sync.Mutex
	seen     map[string]bool // responses already sent
	cut      int
	requests []*http.Request // requests of the first task, for the recordings
	bodies   [][]byte
}

func newProxy(t *testing.T, cuts []int) *proxy {
	x := &proxy{cuts: cuts, seen: map[string]bool{}}
	x.server = httptest.NewServer(http.HandlerFunc(x.serve))
	t.Cleanup(x.server.Close)
	return x
}

func (x *proxy) cutStreams() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.cut
}

// first reports whether a response has not been sent before.
func (x *proxy) first(stream []byte) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	was := x.seen[string(stream)]
	x.seen[string(stream)] = true
	return !was
}

func (x *proxy) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	target, ok := strings.CutPrefix(r.URL.Path, "/to/")
	target = strings.Replace(target, "http:/127", "http://127", 1) // a client may have merged two slashes
	if err != nil || !ok {
		http.Error(w, "nothing is there: "+r.URL.Path, http.StatusNotFound)
		return
	}
	if r.URL.RawQuery != "" {
		target += "?" + r.URL.RawQuery
	}
	out, err := http.NewRequestWithContext(r.Context(), r.Method, target, bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	out.Header = r.Header.Clone()
	out.Header.Del("Accept-Encoding")
	at := x.place(out, body)
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(out)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	for name, values := range response.Header {
		if name != "Content-Length" {
			w.Header()[name] = values
		}
	}
	if at != never && strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") && x.first(text) {
		text = x.shorten(text, at)
		w.WriteHeader(response.StatusCode)
		_, _ = w.Write(text)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) // the connection ends in the middle
	}
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(text)
}

// place returns the position at which the response to a request is cut. It records the requests of the first task,
// whose responses are not cut.
func (x *proxy) place(r *http.Request, body []byte) int {
	found := taskNumber.FindSubmatch(body)
	if r.Method != http.MethodPost || found == nil {
		return never
	}
	var task int
	_, _ = fmt.Sscan(string(found[1]), &task)
	if task >= len(x.cuts) {
		return never
	}
	if task == 0 {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.requests, x.bodies = append(x.requests, r), append(x.bodies, body)
	}
	return x.cuts[task]
}

// shorten returns the first events of a stream, but never all of them.
func (x *proxy) shorten(stream []byte, events int) []byte {
	ends := regexp.MustCompile(`\n\n`).FindAllIndex(stream, -1)
	if events == lastEvent || events >= len(ends) {
		events = len(ends) - 1
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cut++
	if events <= 0 {
		return nil
	}
	return stream[:ends[events-1][1]]
}

const recordings = "../../host/gateway/testdata/harness"

// holdRecordings compares the requests of a harness with the recorded ones that were reviewed.
func (x *proxy) holdRecordings(t *testing.T, version, directory string) {
	t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	s := newScrubber(directory)
	var got []recording
	for i, r := range x.requests {
		path := r.URL.Path
		if r.URL.RawQuery != "" {
			path += "?" + r.URL.RawQuery
		}
		one, err := s.record(path, r.Header, x.bodies[i])
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, one)
	}
	slices.SortStableFunc(got, func(a, b recording) int { return a.order() - b.order() })
	folder := filepath.Join(recordings, version)
	if *update {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for n, r := range got {
			if err := write(filepath.Join(folder, fmt.Sprint(n+1, ".json")), r); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	for n, r := range got {
		text, err := os.ReadFile(filepath.Join(folder, fmt.Sprint(n+1, ".json")))
		if err != nil {
			t.Fatalf("%v: record what %s sends with go test -update, and look at it", err, version)
		}
		var want recording
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.comparable(), r.comparable()); diff != "" {
			t.Errorf(
				"request %d of %s differs from the reviewed one (-want +got); review it and run go test -update:\n%s",
				n+1,
				version,
				diff,
			)
		}
	}
}
