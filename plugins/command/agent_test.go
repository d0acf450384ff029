package commandplugin

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sandbox"
	"github.com/awhost/awhost/sdk/sdktest"
)

// shell returns an agent whose program is a shell script, and the parent directory of the episodes' folders.
func shell(t testing.TB, script string, config map[string]any) (sdk.Agent, string) {
	t.Helper()
	directory, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	full := map[string]any{
		"sandbox":   "none",
		"command":   []string{"sh", "-c", script},
		"directory": directory,
		"grace":     "0s",
	}
	for name, value := range config {
		full[name] = value
	}
	return sdktest.Agent(t, Plugin(), "command", full), directory
}

func newRequest() sdk.AgentRequest {
	return sdk.AgentRequest{
		EpisodeID: "launch/t1/g1/s1", Place: "00c0ffee",
		Task:     sdk.Task{ID: "t1", Public: json.RawMessage(`{"prompt":"1 + 2?","level":{"n":3}}`)},
		Messages: []sdk.Message{{Role: sdk.RoleSystem, Content: "Be brief."}, {Role: sdk.RoleUser, Content: "1 + 2?"}},
		Models:   map[string]sdk.ModelEndpoint{sdk.ModelPolicy: {BaseURL: "http://127.0.0.1:9/v1", APIKey: "key"}},
	}
}

// play1 plays an episode that must succeed.
func play1(t *testing.T, a sdk.Agent, session sdk.AgentSession) *sdk.AgentResponse {
	t.Helper()
	request := newRequest()
	request.HasEnvironment = session != nil
	out, err := a.Run(t.Context(), request, nil, session)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// refuses plays an episode that must fail as the agent's.
func refuses(t *testing.T, a sdk.Agent, session sdk.AgentSession) string {
	t.Helper()
	request := newRequest()
	request.HasEnvironment = session != nil
	out, err := a.Run(t.Context(), request, nil, session)
	var failure *sdk.Failure
	if !errors.As(err, &failure) || failure.Class != sdk.FailureAgent {
		t.Fatalf("%+v, %v; want a failure of the agent", out, err)
	}
	return failure.Detail
}

type programSeen struct {
	Program struct {
		ExitCode int               `json:"exit_code"`
		Stopped  string            `json:"stopped"`
		Turns    int               `json:"turns"`
		Diff     string            `json:"diff"`
		Files    map[string]string `json:"files"`
		Cut      bool              `json:"cut"`
	} `json:"program"`
}

func seenOf(t *testing.T, r *sdk.AgentResponse) programSeen {
	t.Helper()
	var out programSeen
	if err := json.Unmarshal(r.Metadata, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAgent_HasAnEnvironmentOfItsOwn(t *testing.T) {
	t.Setenv("SECRET_OF_MINE", "x")
	t.Setenv("GIVEN", "given")
	t.Setenv("XDG_RUNTIME_DIR", "/run/user/1000")
	t.Setenv("VIRTUAL_ENV", "/venv")
	a, directory := shell(
		t,
		"env | grep -v '^AWHOST_\\(RUN\\|INSTANCE\\|MARK\\)=' | sort; pwd; cat $AWHOST_TASK_FILE $AWHOST_PROMPT_FILE; ls "+
			"-A \"$HOME\"; cat",
		map[string]any{
			"env": map[string]any{
				"OPENAI_MODEL": "mine",
				"LEVEL":        "{{task.level.n}} of {{task.prompt}}",
				"PATH":         "/usr/bin:/bin",
			}, "pass_env": []string{"GIVEN"},
			"files": map[string]any{"~/.x/settings": "{{model}}", "a/b.txt": "{{api_key}}"},
		},
	)
	root := filepath.Join(directory, "00c0ffee")
	want := strings.NewReplacer("ROOT", root).Replace(`ANTHROPIC_API_KEY=key
ANTHROPIC_BASE_URL=http://127.0.0.1:9
AWHOST_MCP_FILE=ROOT/awhost/mcp.json
AWHOST_PROMPT_FILE=ROOT/awhost/prompt.txt
AWHOST_TASK_FILE=ROOT/awhost/task.json
GIVEN=given
HOME=ROOT/home
LANG=C.UTF-8
LEVEL=3 of 1 + 2?
OPENAI_API_KEY=key
OPENAI_BASE_URL=http://127.0.0.1:9/v1
OPENAI_MODEL=mine
PATH=/usr/bin:/bin
PWD=ROOT/work
TMPDIR=ROOT/tmp
TZ=UTC
ROOT/work
{"prompt":"1 + 2?","level":{"n":3}}
Be brief.

1 + 2?.x
Be brief.

1 + 2?`)
	got := slices.DeleteFunc(strings.Split(*play1(t, a, nil).FinalAnswer, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "_=") || strings.HasPrefix(line, "SHLVL=") || strings.HasPrefix(line, "OLDPWD=")
	})
	if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if left, err := os.ReadDir(directory); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestAgent_GetsTheToolsOfTheEnvironment(t *testing.T) {
	const script = `echo "$AWHOST_MCP_URL $AWHOST_MCP_TOKEN"; cat settings; cat "$AWHOST_MCP_FILE"`
	config := map[string]any{
		"files": map[string]any{"settings": "none\n"}, "mcp_files": map[string]any{"settings": "{{mcp_url}} {{mcp_token}}\n"},
	}
	a, _ := shell(t, script, config)
	if got, want := *play1(t, a, nil).FinalAnswer, "none\n{\"mcpServers\":{}}"; got != want {
		t.Errorf("without tools: %q, want %q", got, want)
	}
	request := newRequest()
	request.ToolServer = &sdk.ToolEndpoint{URL: "http://127.0.0.1:8/mcp", Token: "tok"}
	out, err := a.Run(t.Context(), request, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const address = "http://127.0.0.1:8/mcp tok\n"
	if got, want := *out.FinalAnswer, address+address+string(request.ToolServer.MCPServers("awhost")); got != want {
		t.Errorf("with tools: %s, want %s", got, want)
	}
}

func TestAgent_TakesThePromptAsTheBlockSays(t *testing.T) {
	for name, config := range map[string]map[string]any{
		"standard input": {"command": []string{"sh", "-c", "cat"}},
		"an argument":    {"command": []string{"sh", "-c", `printf %s "$1"; cat`, "sh", "{{prompt}}"}, "stdin": "nothing"},
		"a file":         {"command": []string{"sh", "-c", `cat "$1"; cat`, "sh", "{{prompt_file}}"}, "stdin": "nothing"},
	} {
		a, _ := shell(t, "", config)
		if got := *play1(t, a, nil).FinalAnswer; got != "Be brief.\n\n1 + 2?" {
			t.Errorf("%s: %q", name, got)
		}
	}
	a, _ := shell(t, "", map[string]any{"command": []string{"sh", "-c", "true", "{{prompt}}"}})
	request := newRequest()
	request.Messages[1].Content = strings.Repeat("x", 1<<20)
	if _, err := a.Run(t.Context(), request, nil, nil); err == nil ||
		!strings.Contains(err.Error(), `use stdin = "prompt"`) {
		t.Errorf("a prompt too long for an argument: %v", err)
	}
}

func TestAgent_TakesTheAnswerFromWhereTheBlockSays(t *testing.T) {
	a, _ := shell(t, "echo noise; echo ' 3 ' >answer.txt", map[string]any{"result": "file", "result_file": "answer.txt"})
	if got := *play1(t, a, nil).FinalAnswer; got != "3" {
		t.Errorf("of a file: %q", got)
	}
	a, _ = shell(t, "echo noise", map[string]any{"result": "message"})
	if got := play1(t, a, nil).FinalAnswer; got != nil {
		t.Errorf("the model's last message: %q", *got)
	}
	a, _ = shell(
		t,
		`echo '{"final_answer":"3","reward":0.5,"is_success":true,"metadata":{"a":[1]},"metrics":{"m":2}}'`,
		map[string]any{"result_format": "json"},
	)
	out := play1(t, a, nil)
	if *out.FinalAnswer != "3" || *out.Reward != 0.5 || !*out.IsSuccess || out.Metrics["m"] != 2 ||
		string(out.Metadata) != `{"a":[1],"program":{"exit_code":0,"turns":1}}` {
		t.Errorf("of JSON: %+v, %s", out, out.Metadata)
	}
	a, _ = shell(t, "echo 3", map[string]any{"result_format": "json"})
	if got := refuses(t, a, nil); !strings.Contains(got, `not a JSON object`) || !strings.Contains(got, `"3\n"`) {
		t.Errorf("no JSON: %s", got)
	}
	a, _ = shell(t, "true", map[string]any{"result": "file", "result_file": "answer.txt"})
	if got := refuses(t, a, nil); !strings.Contains(got, "left no answer in answer.txt") {
		t.Errorf("no file: %s", got)
	}
}

func TestAgent_AnExitThatIsNotGood(t *testing.T) {
	const script = "echo out; echo 'no such model' >&2; exit 3"
	a, _ := shell(t, script, nil)
	if got := refuses(t, a, nil); !strings.Contains(got, "sh exited with status 3; last lines: no such model") {
		t.Error(got)
	}
	a, _ = shell(t, "echo only here; exit 3", nil)
	if got := refuses(t, a, nil); !strings.Contains(got, "sh exited with status 3; last lines: only here") {
		t.Error(got)
	}
	a, _ = shell(t, script, map[string]any{"accept": []string{"exit"}})
	if out := play1(t, a, nil); *out.FinalAnswer != "out" || seenOf(t, out).Program.ExitCode != 3 {
		t.Errorf("%q, %s", *out.FinalAnswer, out.Metadata)
	}
	a, _ = shell(t, "kill -SEGV $$", map[string]any{"accept": []string{"exit"}})
	if got := refuses(t, a, nil); !strings.Contains(got, "signal segmentation fault") {
		t.Error(got)
	}
	a, _ = shell(t, "", map[string]any{"command": []string{"no-such-program"}})
	if got := refuses(t, a, nil); !strings.Contains(got, `program "no-such-program" is not in PATH`) {
		t.Error(got)
	}
}

// Kept folders remain until the next attempt at the episode, which starts fresh at the same path.
func TestAgent_KeepsFolders(t *testing.T) {
	for keep, want := range map[string][2]bool{"none": {}, "failed": {true, false}, "all": {true, true}} {
		a, directory := shell(
			t,
			"ls; pwd; touch here; grep -q 2 $AWHOST_PROMPT_FILE && exit 1; true",
			map[string]any{"keep": keep},
		)
		work := filepath.Join(directory, "00c0ffee", "work")
		there := func() bool { _, err := os.Stat(filepath.Join(work, "here")); return err == nil }
		if got := refuses(t, a, nil); there() != want[0] || strings.Contains(got, "its folder is kept: ") != want[0] {
			t.Errorf("keep = %s: a failed one is there: %v; %s", keep, there(), got)
		}
		request := newRequest()
		request.Messages[1].Content = "3?"
		out, err := a.Run(t.Context(), request, nil, nil)
		if err != nil || *out.FinalAnswer != work {
			t.Errorf("keep = %s: %v, %v; the folder is not as new", keep, out, err)
		}
		if there() != want[1] {
			t.Errorf("keep = %s: one that went well is there: %v", keep, there())
		}
	}
}

// Concurrent episodes never share a folder.
func TestAgent_EpisodesOfOnePlaceHaveFoldersOfTheirOwn(t *testing.T) {
	a, directory := shell(t, "touch $$; while [ $(ls "+t.TempDir()+" | wc -l) != 0 ]; do :; done; ls | wc -l; pwd", nil)
	var mu sync.Mutex
	var got []string
	var playing sync.WaitGroup
	for range 4 {
		playing.Go(func() {
			out, err := a.Run(t.Context(), newRequest(), nil, nil)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
				return
			}
			got = append(got, *out.FinalAnswer)
		})
	}
	playing.Wait()
	for _, answer := range got {
		if !strings.HasPrefix(answer, "1\n"+directory+"/00c0ffee") {
			t.Errorf("%q", got)
		}
	}
}

// fakeEnvironment is an environment of a user with several turns.
type fakeEnvironment struct {
	turns []string
	heard []string
}

// Step implements sdk.AgentSession.
func (d *fakeEnvironment) Step(_ context.Context, step sdk.AgentStep) (*sdk.StepResponse, error) {
	d.heard = append(d.heard, step.Message.Content)
	if n := len(d.heard); n <= len(d.turns) {
		return &sdk.StepResponse{Messages: []sdk.Message{{Role: sdk.RoleUser, Content: d.turns[n-1]}}}, nil
	}
	return &sdk.StepResponse{Done: true}, nil
}

func TestAgent_TheEnvironmentGoesOn(t *testing.T) {
	a, _ := shell(t, "cat", nil)
	d := &fakeEnvironment{turns: []string{"And then?"}}
	if got := refuses(t, a, d); !strings.Contains(got, `another turn of the user's ("And then?")`) ||
		!strings.Contains(got, `"restart"`) {
		t.Error(got)
	}
	for turns, want := range map[string][]string{
		"restart": {"first: Be brief.\n\n1 + 2?", "first: And then?", "first: Why?"},
		"resume":  {"first: Be brief.\n\n1 + 2?", "again: And then?", "again: Why?"},
	} {
		a, _ := shell(
			t,
			"printf 'first: '; cat",
			map[string]any{"turns": turns, "resume_command": []string{"sh", "-c", "printf 'again: '; cat"}},
		)
		d := &fakeEnvironment{turns: []string{"And then?", "Why?"}}
		out := play1(t, a, d)
		if diff := cmp.Diff(want, d.heard); diff != "" {
			t.Errorf("%s (-want +got):\n%s", turns, diff)
		}
		if *out.FinalAnswer != want[2] || seenOf(t, out).Program.Turns != 3 {
			t.Errorf("%s: %q, %s", turns, *out.FinalAnswer, out.Metadata)
		}
	}
	d = &fakeEnvironment{}
	a, _ = shell(t, "echo 3", nil)
	if play1(t, a, d); len(d.heard) != 1 || d.heard[0] != "3" {
		t.Errorf("the environment was told %q", d.heard)
	}
}

func template(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"kept.txt": "same\n", "changed.txt": "one\ntwo\nthree\n", "gone.txt": "gone\n",
		"run.sh": "#!/bin/sh\necho ran\n", "deep/er/x": "x\n", ".git/HEAD": "ref\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("kept.txt", filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// Rewards receive the difference from the template and chosen files. patch can reproduce the changes.
func TestAgent_ShowsWhatItDid(t *testing.T) {
	from := template(t)
	a, directory := shell(
		t,
		`rm gone.txt; printf 'one\n2\nthree' >changed.txt; mkdir out; echo new >out/new.json; printf 'a\0\377' `+
			`>out/b.json; : >empty; ./run.sh; echo >>.git/HEAD; ln -s /etc/passwd stolen`,
		map[string]any{"template": from, "diff": true, "collect": []string{"out/*.json", "stolen", "none"}, "keep": "all"},
	)
	out := play1(t, a, nil)
	if *out.FinalAnswer != "ran" {
		t.Errorf("%q", *out.FinalAnswer)
	}
	seen := seenOf(t, out).Program
	if diff := cmp.Diff(map[string]string{"out/new.json": "new\n", "out/b.json": "(not text)", "stolen": "link to " +
		"/etc/passwd\n"}, seen.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for _, want := range []string{
		"--- a/changed.txt\n+++ b/changed.txt\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+three\n\\ No newline at end of " +
			"file\n",
		"--- a/gone.txt\n+++ /dev/null\n", "--- /dev/null\n+++ b/out/new.json\n", "Binary or large files /dev/null and " +
			"b/out/b.json differ\n",
		"--- /dev/null\n+++ b/empty\n", "+link to /etc/passwd\n",
	} {
		if !strings.Contains(seen.Diff, want) {
			t.Errorf("the difference lacks %q:\n%s", want, seen.Diff)
		}
	}
	for _, other := range []string{"kept.txt", "deep", "HEAD", "root:"} {
		if strings.Contains(seen.Diff, other) {
			t.Errorf("the difference has %q:\n%s", other, seen.Diff)
		}
	}
	if text, err := os.ReadFile(filepath.Join(from, "changed.txt")); err != nil || string(text) != "one\ntwo\nthree\n" {
		t.Errorf("the template: %q, %v", text, err)
	}
	if git, err := exec.LookPath("git"); err == nil {
		patch := filepath.Join(t.TempDir(), "p")
		text := strings.ReplaceAll(seen.Diff, "Binary or large files /dev/null and b/out/b.json differ\n", "")
		if err := os.WriteFile(patch, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(git, "apply", "--exclude=empty", "--exclude=stolen", patch)
		c.Dir = from
		if said, err := c.CombinedOutput(); err != nil {
			t.Errorf("git apply: %v: %s\n%s", err, said, text)
		}
		mine, _ := os.ReadFile(filepath.Join(from, "changed.txt"))
		theirs, _ := os.ReadFile(filepath.Join(directory, "00c0ffee/work/changed.txt"))
		if string(mine) != string(theirs) || len(mine) == 0 {
			t.Errorf("after the patch: %q, want %q", mine, theirs)
		}
	}
	a, _ = shell(
		t,
		"head -c 100000 /dev/zero | tr '\\0' a >big",
		map[string]any{"collect": []string{"*"}, "collect_bytes": 1000},
	)
	if seen := seenOf(t, play1(t, a, nil)).Program; !seen.Cut || len(seen.Files["big"]) != 1000 {
		t.Errorf("cut: %v, %d bytes", seen.Cut, len(seen.Files["big"]))
	}
}

func TestAgent_RefusesATemplateWithAWayOut(t *testing.T) {
	from := template(t)
	if err := os.Symlink("../../etc", filepath.Join(from, "deep", "out")); err != nil {
		t.Fatal(err)
	}
	_, err := newFolderPool(t.TempDir(), from)
	if err == nil || !strings.Contains(err.Error(), "is a link to ../../etc, outside of the template") {
		t.Errorf("%v", err)
	}
}

// A program that is killed without exceeding a limit fails once per task as infrastructure. After the second kill its
// episode is scored with the existing files, whatever the block accepts.
func TestAgent_Kill(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		config map[string]any
		answer string
	}{
		"SIGKILL":            {script: "printf half; kill -KILL $$", answer: "half"},
		"SIGTERM":            {script: "printf half; kill -TERM $$", answer: "half"},
		"a child of a shell": {script: "printf half; sh -c 'kill -KILL $$'", answer: "half"},
		"accepted": {
			script: "sh -c 'kill -KILL $$'", config: map[string]any{"accept": []string{"exit"}},
		},
		"no answer": {
			script: "kill -KILL $$", config: map[string]any{"result": "file", "result_file": "x", "result_format": "json"},
		},
		"in a sandbox": {
			script: "printf half; kill -KILL $$", config: map[string]any{"sandbox": "process"}, answer: "half",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if test.config["sandbox"] != nil && sandbox.Probe().Missing != "" {
				t.Skip("SKIPPED: no program was run in a sandbox")
			}
			a, _ := shell(t, test.script, test.config)
			_, err := a.Run(t.Context(), newRequest(), nil, nil)
			var failure *sdk.Failure
			if !errors.As(err, &failure) || failure.Class != sdk.FailureInfrastructure {
				t.Errorf("the first time: %v", err)
			}
			other := newRequest()
			other.EpisodeID = "launch/t1/g1/s2"
			out, err := a.Run(t.Context(), other, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			seen := seenOf(t, out).Program
			if *out.FinalAnswer != test.answer || seen.Stopped != "killed" || seen.ExitCode != -1 {
				t.Errorf("the second time: %q, %+v", *out.FinalAnswer, seen)
			}
			other.Task.ID = "another"
			if _, err := a.Run(t.Context(), other, nil, nil); !errors.As(err, &failure) {
				t.Errorf("at another task: %v", err)
			}
		})
	}
	for _, own := range []string{"SEGV", "ABRT", "BUS"} {
		a, _ := shell(t, "kill -"+own+" $$", nil)
		refuses(t, a, nil)
	}
}
