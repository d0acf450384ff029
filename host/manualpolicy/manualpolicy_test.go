package manualpolicy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/internal/fakeplugin"
	"github.com/awhost/awhost/host/manualpolicy"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

type (
	Config = manualpolicy.Config
	Choice = manualpolicy.Choice
)

func TestMain(m *testing.M) {
	fakeplugin.Main()
	goleak.VerifyTestMain(m)
}

// patience limits a test on a busy machine.
const patience = 2 * time.Minute

func configure(t testing.TB, c Config) (context.Context, Config) {
	t.Helper()
	found, err := fakeplugin.Catalog(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	if c.Type == "" {
		c.Type = "scripted"
	}
	c.Catalog, c.PassEnv = found, fakeplugin.PassEnv()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx, c
}

func lines(t testing.TB, c Config, in io.Reader) (string, error) {
	t.Helper()
	ctx, c := configure(t, c)
	var out bytes.Buffer
	err := manualpolicy.Lines(ctx, c, in, &out)
	return out.String(), err
}

const (
	tools  = `"tools":[{"name":"add","description":"Adds two numbers.","parameters":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}}]}` + "\n"
	sum    = `{"type":"answer","turn":1,"messages":[{"role":"tool","content":"3","tool_call_id":"call-1-1","name":"add"}],"done":false,"metrics":{"calls":1}}` + "\n"
	opened = `{"type":"opened","environment":"scripted","task":"task","seed":"7","messages":[{"role":"user","content":"1+2="}],` + tools
)

func TestLines(t *testing.T) {
	sumTask := Choice{JSON: `{"question":"1+2=","answer":"3"}`}
	for name, c := range map[string]struct {
		config Config
		in     string
		out    string
		err    string
	}{
		"nothing is said": {
			config: Config{Task: sumTask},
			out:    opened + `{"type":"closed","reason":"left","turns":0,"state":{"task":"task"}}` + "\n",
		},
		"calls in every form, then an answer that is scored": {
			config: Config{Task: sumTask, Reward: "scripted"},
			in: `{"tool":"add","arguments":{"a":1,"b":2}}

{"role":"assistant","content":null,"tool_calls":[{"id":"c9","type":"function","function":{"name":"add","arguments":"{\"a\":2,\"b\":2}"}},{"function":{"name":"add","arguments":{"a":1}}}]}
{"content":"3"}`,
			out: opened + sum +
				`{"type":"answer","turn":2,"messages":[{"role":"tool","content":"4","tool_call_id":"c9","name":"add"},{"role":"tool","content":"1","tool_call_id":"call-2-2","name":"add"}],"done":false,"metrics":{"calls":2}}` + "\n" +
				`{"type":"answer","turn":3,"messages":[],"done":true}` + "\n" +
				`{"type":"closed","reason":"done","turns":3,"state":{"task":"task"}}` + "\n" +
				`{"type":"scored","reward":"scripted","score":1,"components":{"exact":1},"is_success":true}` + "\n",
		},
		"what the reward cannot judge is a failure": {
			config: Config{Task: Choice{JSON: `{"id":12,"prompt":"1+2="}`}, Reward: "scripted"},
			in:     `{"content":"3"}`,
			out: strings.Replace(opened, `"task":"task"`, `"task":"12"`, 1) +
				`{"type":"answer","turn":1,"messages":[],"done":true}` + "\n" +
				`{"type":"closed","reason":"done","turns":1,"state":{"task":"12"}}` + "\n" +
				`{"type":"scored","reward":"scripted","failure":{"class":"REWARD","detail":"there is no ground truth"}}` + "\n",
		},
		"an invalid line ends the episode, and earlier messages have their answers": {
			config: Config{Task: sumTask},
			in:     `{"tool":"add","arguments":{"a":1,"b":2}}` + "\n\nhello\n",
			out:    opened + sum + `{"type":"closed","reason":"left","turns":1,"state":{"task":"task"}}` + "\n",
			err:    "line 3: it is not a JSON object: want {",
		},
		"a Tool": {
			config: Config{Task: sumTask}, in: `{"Tool":"add"}`, err: `unknown member "Tool": write "tool"`,
		},
		"a tool's Arguments": {
			config: Config{Task: sumTask}, in: `{"tool":"add","Arguments":{"a":1}}`,
			err: `line 1: unknown member "Arguments": write "arguments"`,
		},
		"a user": {config: Config{Task: sumTask}, in: `{"role":"user","content":"x"}`,
			err: `line 1: its role is "user": the agent's role is assistant`},
		"nobody": {config: Config{Task: sumTask}, in: `{"role":"robot","content":"x"}`,
			err: `the role is "robot"`},
		"an empty message":   {config: Config{Task: sumTask}, in: `{}`, err: `line 1: message 1: content is missing`},
		"a tool of no name":  {config: Config{Task: sumTask}, in: `{"tool":3}`, err: `its tool is not a name`},
		"two kinds of calls": {config: Config{Task: sumTask}, in: `{"tool":"add","tool_calls":[]}`, err: `remove one`},
		"wrong arguments": {config: Config{Task: sumTask}, in: `{"tool":"add","arguments":"{"}`,
			err: `the arguments of a tool call are not JSON text`},
		"an unknown type":    {config: Config{Type: "scripted_none"}, err: "scripted_none"},
		"an unknown setting": {config: Config{Settings: map[string]string{"fial": "[]"}}, err: `unknown attribute "fial"`},
		"a group's reward":   {config: Config{Reward: "scripted_group"}, err: "compares the samples of a group"},
		"an unknown reward":  {config: Config{Reward: "tea"}, err: `no plugin has reward "tea"`},
		"an invalid task":    {config: Config{Task: Choice{JSON: "7"}}, err: `--task-json is not a JSON object`},
		"two tasks":          {config: Config{Task: Choice{JSON: "{}", ID: "x"}}, err: `remove --task and --dataset`},
		"no built-in tasks":  {config: Config{Task: Choice{ID: "x"}}, err: `has no built-in tasks: take "x" from a file`},
		"a refusal": {config: Config{Task: sumTask, Settings: map[string]string{"fail": `["task"]`}},
			err: `the desk is broken`},
		"a refusal without a task": {
			config: Config{Settings: map[string]string{"fail": `["none"]`}},
			err:    `without a task: ENVIRONMENT: the desk is broken, says ; give it one by --task-json`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.config.Seed = 7
			out, err := lines(t, c.config, strings.NewReader(c.in))
			if (c.err == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %q", err, c.err)
			}
			if c.out != "" {
				if diff := cmp.Diff(c.out, out); diff != "" {
					t.Errorf("output (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestLines_TakesTasksFromFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one := file("one.csv", "id,question,answer\nfirst,1+2=,3\n")
	many := file("many.jsonl", `{"id":"a","prompt":"1"}`+"\n"+`{"id":"b","prompt":"2"}`+"\n")
	for name, c := range map[string]struct {
		choice Choice
		want   string
		err    string
	}{
		"the only one": {Choice{Dataset: one}, `"task":"first","seed":"0","messages":[{"role":"user","content":"1+2="}]`, ""},
		"by id": {Choice{Dataset: many, ID: "b"}, `"task":"b","seed":"0","messages":[{"role":"user","content":"2"}]`,
			""},
		"none chosen": {Choice{Dataset: many}, "", "has 2 tasks: choose one with --task; some are a, b"},
		"a wrong id":  {Choice{Dataset: many, ID: "c"}, "", `has no task "c"; some are a, b`},
		"no file":     {Choice{Dataset: filepath.Join(dir, "none.jsonl")}, "", "none.jsonl"},
	} {
		out, err := lines(t, Config{Task: c.choice}, strings.NewReader(""))
		if (c.err == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, want %q", name, err, c.err)
		}
		if !strings.Contains(out, c.want) {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// The ground truth reaches neither the output nor an environment that does not need it.
func TestLines_KeepsTheAnswer(t *testing.T) {
	out, err := lines(t, Config{Task: Choice{JSON: `{"prompt":"?","ground_truth":"canary-17"}`}, Reward: "scripted"},
		strings.NewReader(`{"content":"3"}`))
	if err != nil || strings.Contains(out, "canary") {
		t.Errorf("%v %s", err, out)
	}
}

// If a plugin exits, the error contains its last output, and nothing waits for it.
func TestLines_ADeadPlugin(t *testing.T) {
	c := Config{Settings: map[string]string{"die_always": `["step 1"]`}}
	_, err := lines(t, c, strings.NewReader(`{"content":"3"}`))
	if !errors.Is(err, sdk.ErrUnavailable) || !strings.Contains(err.Error(), "killed") {
		t.Errorf("%v", err)
	}
}

// The end of the context ends a wait for input.
func TestLines_EndsWithItsContext(t *testing.T) {
	ctx, c := configure(t, Config{})
	ctx, cancel := context.WithCancel(ctx)
	in, feed := io.Pipe()
	defer feed.Close()
	err := manualpolicy.Lines(ctx, c, in, writerFunc(func(line []byte) (int, error) {
		cancel() // the episode is open
		return len(line), nil
	}))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// scriptedConsole is a console with prepared input.
type scriptedConsole struct {
	lines     []string
	completed []string
}

func (p *scriptedConsole) ReadLine(_ string, complete func(string) string) (string, error) {
	if len(p.lines) == 0 {
		return "", io.EOF
	}
	line := p.lines[0]
	p.lines = p.lines[1:]
	if typed, tab := strings.CutSuffix(line, "\t"); tab {
		p.completed = append(p.completed, typed+complete(typed))
		return "", nil
	}
	return line, nil
}

func TestPrompt(t *testing.T) {
	ctx, c := configure(t, Config{Task: Choice{JSON: `{"question":"1+2=","answer":"3"}`}, Reward: "scripted", Seed: 7})
	var out bytes.Buffer
	person := &scriptedConsole{lines: []string{
		"ad\t", "/t\t", "x\t", "", "/brew", "/tools", "add {\"a\":1", `{"role":"user","content":"x"}`, `add {"a":1,"b":2}`,
		"/state", "3",
	}}
	if err := manualpolicy.Prompt(ctx, c, person, text.NewPrinter(&out,
		text.Terminal{Width: 60, Styles: text.Plain()})); err != nil {
		t.Fatal(err)
	}
	want := `
scripted
  seed  7
  task  task

  add {"a"?: integer, "b"?: integer}
    Adds two numbers.

user  1+2=
You are the assistant. /help explains how to play.
unknown command /brew: see /help

  add {"a"?: integer, "b"?: integer}
    Adds two numbers.
not sent  the arguments of add are not a JSON object:
          unexpected end of JSON input
not sent  its role is "user": the agent's role is assistant
add  3
calls 1
{
  "task": "task"
}

done after 2 messages
  reward scripted  1, solved
  components       exact 1
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"add {", "/tools", "x"}, person.completed); diff != "" {
		t.Errorf("completed (-want +got):\n%s", diff)
	}
}

// A user who leaves gets the result.
func TestPrompt_Leaving(t *testing.T) {
	for name, typed := range map[string][]string{"by a command": {"/help", "/quit", "never read"},
		"by the end of input": nil} {
		ctx, c := configure(t, Config{})
		var out bytes.Buffer
		if err := manualpolicy.Prompt(ctx, c, &scriptedConsole{lines: typed},
			text.NewPrinter(&out, text.Terminal{Styles: text.Plain()})); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "left after 0 messages") {
			t.Errorf("%s: %s", name, &out)
		}
	}
}

// FuzzMessage checks that any line is answered or rejected, and that the output remains lines of JSON.
func FuzzMessage(f *testing.F) {
	for _, line := range []string{
		`{"content":"x"}`, `{"tool":"add","arguments":{"a":1}}`, `{"tool":"add","arguments":null}`,
		`{"role":"assistant","tool_calls":[{}]}`,
		`{"content":[{"type":"text","text":"x"}]}`, `[]`, `null`, `{"tool_calls":null,"content":null}`,
		`{"tool":"add","role":5}`,
		`{"tool_CAlLs":[{}]}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		message, err := manualpolicy.ParseMessage(line)
		if err != nil {
			return
		}
		if message.Role != sdk.RoleAssistant {
			t.Errorf("role %q: %s", message.Role, line)
		}
		for _, call := range message.ToolCalls {
			if call.Name == "" || !json.Valid([]byte(call.Arguments)) {
				t.Errorf("a call %+v: %s", call, line)
			}
		}
	})
}
