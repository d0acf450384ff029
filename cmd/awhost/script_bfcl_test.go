//go:build linux

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

func init() {
	scriptCommands["bfclsource"] = bfclSource // bfclsource DIR v3|v4: BFCL's data, its constants written as Python
	scriptCommands["bfclmodel"] = bfclModel   // bfclmodel DIR v3|v4: a server whose model CATEGORY replays the ground truth, at $MODEL_URL
}

// bfclSource creates a folder with the data of a wheel, where the constants of long contexts are Python.
func bfclSource(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 2, "bfclsource DIR v3|v4")
	dir, reference := ts.MkAbs(args[0]), filepath.Join(os.Getenv("AWHOST_TESTDATA"), "reference", "bfcl")
	ts.Check(os.CopyFS(dir, os.DirFS(filepath.Join(reference, "data_"+args[1]))))
	tables := map[string]string{"v3": "tables_et.json.gz", "v4": "tables_v4.json.gz"}[args[1]]
	packed, err := os.ReadFile(filepath.Join(reference, "golden", tables))
	ts.Check(err)
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	ts.Check(err)
	content, err := io.ReadAll(unpacked)
	ts.Check(err)
	var constants struct {
		LongContext map[string]json.RawMessage `json:"long_context"`
	}
	ts.Check(json.Unmarshal(content, &constants))
	var source strings.Builder
	for name, value := range constants.LongContext { // valid as Python: the JSON has no true, false or null
		fmt.Fprintf(&source, "%s = %s\n", name, ellipsis.ReplaceAllLiteral(value, []byte("...")))
	}
	ts.Check(os.WriteFile(filepath.Join(dir, "long_context.py"), []byte(source.String()), 0o644))
}

// ellipsis matches Python's ellipsis in the records.
var ellipsis = regexp.MustCompile(`\{\s*"__ellipsis__":\s*true\s*\}`)

// bfclModel starts an OpenAI-style server with a model per category, which writes a task's solution as Python text,
// and the model mute, which writes nothing.
func bfclModel(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 2, "bfclmodel DIR v3|v4")
	m := replayer{tasks: map[string][]replayed{}, parameters: map[string][]string{}}
	dir := ts.MkAbs(args[0])
	files, err := filepath.Glob(filepath.Join(dir, "multi_turn_func_doc", "*.json"))
	ts.Check(err)
	for _, file := range files {
		m.readFunctions(ts, file)
	}
	for _, category := range []string{"base", "miss_func", "miss_param", "long_context"} {
		m.readTasks(ts, dir, args[1], category)
	}
	server := httptest.NewServer(m)
	ts.Defer(server.Close)
	ts.Setenv("MODEL_URL", server.URL+"/v1")
}

// replayer knows the solution of each task.
type replayer struct {
	tasks      map[string][]replayed // by category
	parameters map[string][]string   // of functions, in their order
}

type replayed struct {
	questions []string // by turn; "" if functions are added
	messages  []string // messages that solve the turns
}

// turnDone ends a turn: it is not a list of calls.
const turnDone = "Done."

func (m replayer) readFunctions(ts *testscript.TestScript, file string) {
	for _, line := range lines(ts.ReadFile(file)) {
		var function struct {
			Name       string
			Parameters struct{ Properties json.RawMessage }
		}
		ts.Check(json.Unmarshal([]byte(line), &function))
		decoder := json.NewDecoder(bytes.NewReader(function.Parameters.Properties))
		_, err := decoder.Token()
		for ts.Check(err); decoder.More(); {
			name, err := decoder.Token()
			ts.Check(err)
			m.parameters[function.Name] = append(m.parameters[function.Name], name.(string))
			var skipped json.RawMessage
			ts.Check(decoder.Decode(&skipped))
		}
	}
}

func (m replayer) readTasks(ts *testscript.TestScript, dir, version, category string) {
	name := "BFCL_" + version + "_multi_turn_" + category + ".json"
	answers := lines(ts.ReadFile(filepath.Join(dir, "possible_answer", name)))
	for i, line := range lines(ts.ReadFile(filepath.Join(dir, name))) {
		var asked struct{ Question [][]chatMessage }
		var answered struct {
			Truth [][]string `json:"ground_truth"`
		}
		ts.Check(json.Unmarshal([]byte(line), &asked))
		ts.Check(json.Unmarshal([]byte(answers[i]), &answered))
		var task replayed
		for turn, messages := range asked.Question {
			question := ""
			if len(messages) > 0 {
				question = messages[0].Content
			}
			var calls []string
			for _, call := range answered.Truth[turn] {
				calls = append(calls, m.named(call))
			}
			solution := turnDone
			if len(calls) > 0 {
				solution = "[" + strings.Join(calls, ", ") + "]"
			}
			task.questions, task.messages = append(task.questions, question), append(task.messages, solution)
		}
		m.tasks[category] = append(m.tasks[category], task)
	}
}

// named adds parameter names to the arguments of a call: text calls with unnamed arguments are dropped.
func (m replayer) named(call string) string {
	name, rest, _ := strings.Cut(call, "(")
	arguments := split(strings.TrimSuffix(strings.TrimSpace(rest), ")"))
	for i, argument := range arguments {
		before, _, assigned := strings.Cut(argument, "=")
		if !assigned || !slices.Contains(m.parameters[name], strings.TrimSpace(before)) {
			arguments[i] = m.parameters[name][i] + "=" + argument
		}
	}
	return name + "(" + strings.Join(arguments, ", ") + ")"
}

// split cuts a list at the commas outside of texts and brackets.
func split(list string) []string {
	var out []string
	start, depth, quote := 0, 0, byte(0)
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			out, start = append(out, list[start:i]), i+1
		}
	}
	if strings.TrimSpace(list[start:]) != "" {
		out = append(out, list[start:])
	}
	return out
}

// ServeHTTP implements http.Handler.
func (m replayer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Model    string
		Messages []chatMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	content := m.say(request.Model, request.Messages)
	text, err := json.Marshal(content)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	reply(w, `{"role":"assistant","content":`+string(text)+`}`, "stop")
}

// say returns the next message of a category's model: the solution of the turn, and then turnDone.
func (m replayer) say(category string, messages []chatMessage) string {
	var asked []string // by turn
	called, begins := false, true
	for _, message := range messages {
		switch {
		case message.Role == "user" && begins:
			asked, begins, called = append(asked, message.Content), false, false
		case message.Role == "assistant":
			begins, called = message.Content == turnDone, message.Content != turnDone
		}
	}
	for _, task := range m.tasks[category] {
		if called {
			return turnDone
		}
		if task.begins(asked) {
			return task.messages[len(asked)-1]
		}
	}
	return turnDone // also for the model mute, which has no category
}

func (t replayed) begins(asked []string) bool {
	if len(asked) > len(t.questions) {
		return false
	}
	for turn, question := range asked {
		if t.questions[turn] != "" && t.questions[turn] != question {
			return false
		}
	}
	return true
}

var _ http.Handler = replayer{}
