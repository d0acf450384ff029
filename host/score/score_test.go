package score_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/internal/fakeplugin"
	"github.com/awhost/awhost/host/score"
	"github.com/awhost/awhost/sdk"
)

func TestMain(m *testing.M) {
	fakeplugin.Main()
	goleak.VerifyTestMain(m)
}

// patience limits a test on a busy machine.
const patience = 2 * time.Minute

// run scores lines with a reward of the scripted plugin and returns the output.
func run(t testing.TB, typ string, sets map[string]string, in io.Reader) (string, error) {
	t.Helper()
	c, err := fakeplugin.Catalog(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out bytes.Buffer
	err = score.Run(ctx, score.Config{Catalog: c, Type: typ, Settings: sets, PassEnv: fakeplugin.PassEnv(), In: in,
		Out: &out})
	return out.String(), err
}

const (
	right = `"score":1,"components":{"exact":1},"is_success":true}` + "\n"
	wrong = `"score":0,"components":{"exact":0},"is_success":false}` + "\n"
)

func TestRun(t *testing.T) {
	for name, c := range map[string]struct {
		typ  string
		sets map[string]string
		in   string
		out  string
		err  string
	}{
		"nothing":      {},
		"blank lines":  {in: "\n \r\n\n"},
		"one":          {in: `{"id":"a","task":{"ground_truth":"3"},"answer":"3"}`, out: `{"id":"a",` + right},
		"windows ends": {in: "{\"id\":1,\"task\":{\"ground_truth\":\"3\"},\"answer\":\"4\"}\r\n", out: `{"id":1,` + wrong},
		"ids are kept": {
			in: `{"task":{"ground_truth":"3"},"answer":"3"}` + "\n" +
				`{"id":{"a":[12345678901234567890]},"task":{"ground_truth":"3"},"answer":"3"}`,
			out: `{"id":null,` + right + `{"id":{"a":[12345678901234567890]},` + right,
		},
		"messages": {
			in: `{"id":1,"task":{"ground_truth":"3"},"messages":[{"role":"user","content":"1+2"},{"role":"assistant","content":"3"},{"role":"user","content":"thanks"}]}` + "\n" +
				`{"id":2,"task":{"ground_truth":"3"},"answer":null,"messages":[{"role":"assistant","content":[{"type":"text","text":"3"}]}]}`,
			out: `{"id":1,` + right + `{"id":2,` + right,
		},
		"large numbers": {
			in: `{"id":1,"task":{"ground_truth":12345678901234567890},"answer":"12345678901234567890"}` + "\n" +
				`{"id":2,"task":{"ground_truth":1.10},"answer":"1.10"}`,
			out: `{"id":1,` + right + `{"id":2,` + right,
		},
		"an item that cannot be judged ends nothing": {
			in: strings.Join([]string{
				`{"id":1,"task":{"ground_truth":"3"},"answer":null}`, `{"id":2,"task":{"ground_truth":"3"},"answer":3}`,
				`{"id":3,"task":{"ground_truth":"3"},"answer":{"text":"3"}}`, `{"id":4,"task":"3","answer":"3"}`,
				`{"id":5,"answer":"3"}`, `{"id":6,"task":{"ground_truth":"3"},"messages":[{"role":"robot","content":"3"}]}`,
				`{"id":7,"task":{"ground_truth":"3"},"messages":[]}`, `{"id":8,"task":{"ground_truth":"3"},"answer":"panic"}`,
				`{"id":10,"answer":"3","turn_rewards":"3"}`, `{"id":11,"answer":"3","turn_rewards":[true]}`,
				`{"id":"hard","task":{"ground_truth":"3"},"answer":"3"}`, `{"id":9,"task":{"ground_truth":"3"},"answer":"3"}`,
			}, "\n"),
			sets: map[string]string{"fail": `["hard"]`},
			out: `{"id":1,"failure":{"class":"REWARD","detail":"answer is null: want the text that is to be scored"}}
{"id":2,"failure":{"class":"REWARD","detail":"answer is a number: want the text that is to be scored"}}
{"id":3,"failure":{"class":"REWARD","detail":"answer is an object: want the text that is to be scored"}}
{"id":4,"failure":{"class":"REWARD","detail":"task is a text: want an object such as {\"ground_truth\": …}"}}
{"id":5,"failure":{"class":"REWARD","detail":"there is no ground truth"}}
{"id":6,"failure":{"class":"REWARD","detail":"message 1: the role is \"robot\", not system, user, assistant or tool: write messages as {\"role\": \"user\", \"content\": \"…\"}, as in OpenAI's chat format"}}
{"id":7,"failure":{"class":"REWARD","detail":"messages is empty: write a list of messages, each with a role and content"}}
{"id":8,"failure":{"class":"REWARD","detail":"this answer is too much"}}
{"id":10,"failure":{"class":"REWARD","detail":"turn_rewards must be a list of numbers, such as [0, 0.5, 1]"}}
{"id":11,"failure":{"class":"REWARD","detail":"turn_rewards must be a list of numbers, such as [0, 0.5, 1]"}}
{"id":"hard","failure":{"class":"REWARD","detail":"cannot judge hard with "}}
{"id":9,` + right,
		},
		"settings have types": {
			sets: map[string]string{"bonus": "2.5", "weight": `{"a":"b"}`, "fail": "[]"},
			in:   `{"id":1,"task":{"ground_truth":"3"},"answer":"3"}`,
			out:  `{"id":1,"score":3.5,"components":{"exact":1},"is_success":true}` + "\n",
		},
		"an unknown setting": {sets: map[string]string{"bonsu": "1"}, err: `unknown attribute "bonsu": want one of`},
		"a setting of a wrong type": {sets: map[string]string{"bonus": "much"},
			err: `attribute "bonus": "much" is not a number`},
		"a refused configuration": {sets: map[string]string{"strict": "true"}, err: "too strict"},
		"an unknown reward":       {typ: "scripted_none", err: "scripted_none"},
		"a reward of groups":      {typ: "scripted_group", err: "compares the samples of a group"},
		"an invalid program":      {typ: "broken", err: "exited with status 1"},
		"a line with invalid JSON": {
			in:  `{"id":1,"task":{"ground_truth":"3"},"answer":"3"}` + "\n\n" + `{"id":2,`,
			out: `{"id":1,` + right, err: "line 3: invalid item: the JSON text ends before it is complete: want {",
		},
		"a line without an object": {in: `[1]`, err: "line 1: invalid item"},
		"neither":                  {in: `{"id":1}`, err: "line 1: messages and answer are missing"},
		"both": {in: `{"id":1,"answer":"x","messages":[]}`,
			err: "line 1: both messages and answer are set"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			typ := c.typ
			if typ == "" {
				typ = "scripted"
			}
			out, err := run(t, typ, c.sets, strings.NewReader(c.in))
			if (c.err == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %q", err, c.err)
			}
			if diff := cmp.Diff(c.out, out); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
}

// The order of the results equals the order of the items, whatever the size of a batch.
func TestRun_KeepsTheOrder(t *testing.T) {
	for _, typ := range []string{"scripted", "scripted_batch"} {
		var in, want strings.Builder
		for i := range 1001 {
			answer, verdict := "3", right
			switch i % 7 {
			case 3:
				answer, verdict = "4", wrong
			case 5:
				answer, verdict = "panic", `"failure":{"class":"REWARD","detail":"this answer is too much"}}`+"\n"
			}
			fmt.Fprintf(&in, `{"id":%d,"task":{"ground_truth":"3"},"answer":%q}`+"\n", i, answer)
			fmt.Fprintf(&want, `{"id":%d,%s`, i, verdict)
		}
		out, err := run(t, typ, nil, strings.NewReader(in.String()))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.String(), out); diff != "" {
			t.Errorf("%s (-want +got):\n%s", typ, diff)
		}
	}
}

// seen returns the item as received by a reward of a type.
func seen(t *testing.T, typ, in string, sets map[string]string) (item sdk.ScoreItem, config map[string]any) {
	t.Helper()
	if sets == nil {
		sets = map[string]string{}
	}
	sets["tell"] = "true"
	out, err := run(t, typ, sets, strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	var line struct{ Failure sdk.Failure }
	if err := json.Unmarshal([]byte(out), &line); err != nil {
		t.Fatal(err)
	}
	var told struct {
		Item   sdk.ScoreItem
		Config map[string]any
	}
	if err := json.Unmarshal([]byte(line.Failure.Detail), &told); err != nil {
		t.Fatalf("%v: %s", err, line.Failure.Detail)
	}
	return told.Item, told.Config
}

// A reward receives the same parts of an item as in a run.
func TestRun_ShowsWhatARewardNeeds(t *testing.T) {
	const in = `{"id":"a","task":{"prompt":"1+2","ground_truth":12345678901234567890,"level":1.50},"messages":[{"role":"user","content":"1+2"},{"role":"assistant","content":"3"}]}`
	const private = `{"prompt":"1+2","ground_truth":12345678901234567890,"level":1.50}`
	const public = `{"level":1.50,"prompt":"1+2"}`
	for typ, c := range map[string]struct {
		private  string
		messages int
	}{
		"scripted":       {private, 0},
		"scripted_batch": {private, 2},
		"scripted_blind": {"", 0},
	} {
		item, _ := seen(t, typ, in, nil)
		if item.Task.ID != "a" || item.FinalAnswer != "3" || string(item.Task.Public) != public ||
			string(item.Task.Private) != c.private || len(item.Messages) != c.messages {
			t.Errorf("%s sees %+v, public %s, private %s", typ, item, item.Task.Public, item.Task.Private)
		}
	}
	answer, _ := seen(t, "scripted_batch", `{"id":1,"task":{"ground_truth":"3"},"answer":"the text"}`, nil)
	if len(answer.Messages) != 0 || answer.FinalAnswer != "the text" {
		t.Errorf("of an answer it sees %+v", answer)
	}
	turns, _ := seen(t, "scripted_batch", `{"id":1,"answer":"","turn_rewards":[0,-1.5]}`, nil)
	if !slices.Equal(turns.TurnRewards, []float64{0, -1.5}) {
		t.Errorf("of turn rewards it sees %v", turns.TurnRewards)
	}
}

// A path starts at the working directory, like all paths on a command line.
func TestRun_PathsAreAbsolute(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	_, config := seen(t, "scripted", `{"id":1,"task":{"ground_truth":"3"},"answer":"3"}`,
		map[string]string{"file": "data/x.json", "bonus": "1e3"})
	if config["file"] != filepath.Join(here, "data", "x.json") || config["bonus"] != 1000.0 {
		t.Errorf("%v", config)
	}
}

// long is a line that never ends.
type long struct{ left int }

func (l *long) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, io.EOF
	}
	n := min(len(b), l.left)
	for i := range n {
		b[i] = 'x'
	}
	l.left -= n
	return n, nil
}

// A huge line is scored. A line without end is an error that names it; earlier lines are scored.
func TestRun_LongLines(t *testing.T) {
	const size = 8 << 20
	head := `{"id":1,"task":{"ground_truth":"3"},"answer":"`
	out, err := run(t, "scripted_batch", nil, io.MultiReader(strings.NewReader(head), &long{size},
		strings.NewReader(`"}`)))
	if err != nil || out != `{"id":1,`+wrong {
		t.Errorf("%q %v", out, err)
	}
	first := `{"id":1,"task":{"ground_truth":"3"},"answer":"3"}` + "\n"
	out, err = run(t, "scripted_batch", nil, io.MultiReader(strings.NewReader(first+head), &long{1 << 40}))
	if err == nil || !strings.Contains(err.Error(), "line 2: the item exceeds 64 MiB") || out != `{"id":1,`+right {
		t.Errorf("%q %v", out, err)
	}
}

// Failed reads and writes, an exited plugin and the end of the context are errors.
func TestRun_Ends(t *testing.T) {
	broken := errors.New("the disk is gone")
	const item = `{"id":1,"task":{"ground_truth":"3"},"answer":"3"}` + "\n"
	if out, err := run(t, "scripted", nil, io.MultiReader(strings.NewReader(item), failing{broken})); !errors.Is(err,
		broken) || out != `{"id":1,`+right {
		t.Errorf("%q %v", out, err)
	}
	out, err := run(t, "scripted", map[string]string{"die_always": `["score 2"]`},
		strings.NewReader(strings.Repeat(item, 3)))
	if !errors.Is(err, sdk.ErrUnavailable) || !strings.Contains(err.Error(), "killed") || out != `{"id":1,`+right {
		t.Errorf("%q %v", out, err)
	}
	c, err := fakeplugin.Catalog(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	err = score.Run(t.Context(), score.Config{Catalog: c, Type: "scripted", PassEnv: fakeplugin.PassEnv(),
		In: strings.NewReader(item), Out: full{broken}})
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := score.Run(ended, score.Config{Catalog: c, Type: "scripted", PassEnv: fakeplugin.PassEnv(),
		In: strings.NewReader(item), Out: io.Discard}); err == nil {
		t.Error("it continues when its context has ended")
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }
