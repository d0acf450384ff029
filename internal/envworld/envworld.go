// Package envworld provides a test server with the API of AgentJet's environment service. Its tasks are sums.
//
//	world := envworld.New(t)
//	world.URL                                              // for the block's url
//	world.Break(func(envworld.Call) http.HandlerFunc { … })  // nil: the normal answer
//	world.Open()                                           // the instances that were not released
//
// An instance asks for a sum. A message whose content is the correct number ends the instance with reward 1. Otherwise,
// the reward is a quarter if any message contained a digit, and 0 if none did.
package envworld

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Call is a client's request.
type Call struct {
	Name string // "create"
	Body Body
	Auth string // the Authorization header
}

// Body is the body of every request.
type Body struct {
	EnvType    string          `json:"env_type"`
	TaskID     json.RawMessage `json:"task_id"`
	InstanceID string          `json:"instance_id"`
	Messages   json.RawMessage `json:"messages"`
	Params     map[string]any  `json:"params"`
}

// World is a running service.
type World struct {
	URL   string
	fault func(Call) http.HandlerFunc // see Break

	server *httptest.Server

	mu        sync.Mutex
	calls     []Call
	instances map[string]*instance
	tasks     map[string][]any // task IDs by split
}

type instance struct {
	want  string
	tried bool // some message contained a digit
	done  bool
}

// New starts a world that is closed at the end of the test.
func New(t testing.TB) *World {
	t.Helper()
	w := Start()
	t.Cleanup(w.Close)
	return w
}

// Start starts a world.
func Start() *World {
	w := &World{instances: map[string]*instance{}, tasks: map[string][]any{
		"train": {"1+2", "2+2", "3+4"}, "dev": {"4+4", 7},
	}}
	w.server = httptest.NewServer(w)
	w.URL = w.server.URL
	return w
}

// Close stops the server.
func (w *World) Close() { w.server.Close() }

// Break answers calls with the handler that fault returns, unless the handler is nil.
func (w *World) Break(fault func(Call) http.HandlerFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = fault
}

// SetTasks replaces the task list of a split.
func (w *World) SetTasks(split string, ids ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tasks[split] = ids
}

// Calls returns the received calls with a given name, or all calls if the name is empty.
func (w *World) Calls(name string) []Call {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []Call
	for _, c := range w.calls {
		if name == "" || c.Name == name {
			out = append(out, c)
		}
	}
	return out
}

// Open returns the instances that were created but not released.
func (w *World) Open() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Sorted(maps.Keys(w.instances))
}

// ServeHTTP implements http.Handler.
func (w *World) ServeHTTP(out http.ResponseWriter, req *http.Request) {
	call := Call{Name: strings.TrimPrefix(req.URL.Path, "/"), Auth: req.Header.Get("Authorization")}
	if req.Method != http.MethodPost {
		http.Error(out, `{"detail":"Not Found"}`, http.StatusNotFound)
		return
	}
	given := map[string]json.RawMessage{}
	text := json.NewDecoder(req.Body)
	if err := text.Decode(&given); err != nil {
		refuse(out, http.StatusUnprocessableEntity, err.Error())
		return
	}
	for _, name := range []string{"env_type", "task_id", "instance_id", "messages", "params"} {
		if _, ok := given[name]; !ok {
			refuse(out, http.StatusUnprocessableEntity, "there is no "+name)
			return
		}
	}
	whole, _ := json.Marshal(given)
	if err := json.Unmarshal(whole, &call.Body); err != nil {
		refuse(out, http.StatusUnprocessableEntity, err.Error())
		return
	}
	w.mu.Lock()
	w.calls = append(w.calls, call)
	fault := w.fault
	w.mu.Unlock()
	if fault != nil {
		if answer := fault(call); answer != nil {
			answer(out, req)
			return
		}
	}
	w.Answer(out, call)
}

// Answer writes the world's normal response to a call.
func (w *World) Answer(out http.ResponseWriter, call Call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch call.Name {
	case "get_env_profile":
		split, _ := call.Body.Params["split"].(string)
		reply(out, map[string]any{"data": append([]any{}, w.tasks[split]...)})
	case "create":
		w.create(out, call)
	case "release":
		_, there := w.instances[call.Body.InstanceID]
		delete(w.instances, call.Body.InstanceID)
		reply(out, map[string]any{"success": there})
	case "step", "evaluate", "get_info":
		one := w.instances[call.Body.InstanceID]
		if one == nil {
			refuse(out, http.StatusInternalServerError, "instance "+call.Body.InstanceID+" not found")
			return
		}
		one.answer(out, call)
	default:
		refuse(out, http.StatusNotFound, "Not Found")
	}
}

func (w *World) create(out http.ResponseWriter, call Call) {
	task := strings.Trim(string(call.Body.TaskID), `"`)
	var a, b int
	_, _ = fmt.Sscanf(task, "%d+%d", &a, &b)
	if call.Body.InstanceID == "" {
		refuse(out, http.StatusInternalServerError, "no instance_id")
		return
	}
	w.instances[call.Body.InstanceID] = &instance{want: fmt.Sprint(a + b)}
	reply(out, map[string]any{"data": map[string]any{
		"state": []map[string]any{
			{"role": "system", "content": "Answer with a number."}, {"role": "user", "content": "What is " + task + "?"},
		},
		"info": map[string]any{"instance_id": call.Body.InstanceID, "task_id": task},
	}})
}

func (i *instance) answer(out http.ResponseWriter, call Call) {
	switch call.Name {
	case "evaluate":
		value := 0.0
		switch {
		case i.done:
			value = 1
		case i.tried:
			value = 0.25
		}
		reply(out, map[string]any{"data": value})
		return
	case "get_info":
		reply(out, map[string]any{"data": map[string]any{"want": len(i.want), "tried": i.tried}})
		return
	}
	var message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	if err := json.Unmarshal(call.Body.Messages, &message); err != nil || message.Role != "assistant" {
		refuse(out, http.StatusInternalServerError, "messages is not a message of an assistant")
		return
	}
	i.done = strings.TrimSpace(message.Content) == i.want
	i.tried = i.tried || strings.ContainsAny(message.Content, "0123456789")
	content := "That is not it."
	switch {
	case i.done:
		content = "Right."
	case strings.TrimSpace(message.Content) == "":
		content = ""
	}
	reply(out, map[string]any{"data": map[string]any{
		"state": map[string]any{"role": "user", "content": content}, "reward": 0.5, "is_terminated": i.done,
	}})
}

func reply(out http.ResponseWriter, answer any) {
	out.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(out).Encode(answer) // fails if the client has gone
}

// refuse writes an error in FastAPI's format.
func refuse(out http.ResponseWriter, status int, detail string) {
	out.Header().Set("Content-Type", "application/json")
	out.WriteHeader(status)
	_ = json.NewEncoder(out).Encode(map[string]string{"detail": detail})
}

// Text returns a handler that responds with a status and a message.
func Text(status int, text string) http.HandlerFunc {
	return func(out http.ResponseWriter, _ *http.Request) {
		out.WriteHeader(status)
		_, _ = out.Write([]byte(text))
	}
}

// Cut closes the connection without sending a response.
func Cut(out http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(out).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}
