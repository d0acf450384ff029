package participants

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/sdk"
)

// textServer is a fake server of a model: it returns fixed messages in order, as one does that was started without a
// tool parser, and keeps the last request.
type textServer struct {
	messages []map[string]any
	asked    int
	body     map[string]any
}

func (s *textServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = json.NewDecoder(r.Body).Decode(&s.body)
	message, err := json.Marshal(s.messages[min(s.asked, len(s.messages)-1)])
	s.asked++
	if err == nil {
		_, _ = io.WriteString(w, `{"choices":[{"message":`+string(message)+`,"finish_reason":"stop"}]}`)
	}
}

func said(content string) map[string]any { return map[string]any{"content": content} }

// bindTextModel returns the binding of a block with further attributes whose server is the fake.
func bindTextModel(t *testing.T, server *textServer, attributes map[string]any) *rollout.ServedBinding {
	t.Helper()
	h := httptest.NewServer(server)
	t.Cleanup(h.Close)
	attributes["base_url"], attributes["name"] = h.URL, "m"
	if attributes["timeout"] == nil {
		attributes["timeout"] = "1m"
	}
	config, err := json.Marshal(attributes)
	if err != nil {
		t.Fatal(err)
	}
	places := spec.Places{Address: "model.openai.judge"}
	e, err := Served(&spec.Block{Places: places, Kind: "model", Type: "openai", Config: config})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return &rollout.ServedBinding{
		GeneratorBinding: rollout.GeneratorBinding{Address: "model.openai.judge", Generator: e},
		Close:            e.Close, Prepare: e.Prepare,
	}
}

func prepareModel(t *testing.T, by *rollout.ServedBinding) error {
	t.Helper()
	return Prepare(t.Context(), rollout.StageSetup{Served: map[string]*rollout.ServedBinding{"react.critic": by}})
}

var readNote = []sdk.Tool{{Name: "notes/read", Parameters: json.RawMessage(
	`{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer"}}}`)}}

func askModel(t *testing.T, by *rollout.ServedBinding, tools []sdk.Tool) (*sdk.GenerateResponse, error) {
	t.Helper()
	return by.Generate(t.Context(), sdk.GenerateRequest{
		EpisodeID: "e1", Tools: tools, Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "?"}},
		ChatTemplateKwargs: json.RawMessage(`{"enable_thinking":true}`),
	})
}

// The text of a server without a tool parser is read with the codec of the model's tokenizer.
func TestTextReader_RealCodec(t *testing.T) {
	python := realtest.Python(t, "AWHOST_CODECS_PYTHON")
	tokenizer := realtest.FamilyTokenizer(t, python, "qwen3.5")
	const call = "<tool_call>\n<function=notes_read>\n<parameter=path>\na/b: \"Grüße\"\n</parameter>\n" +
		"<parameter=limit>\n3\n</parameter>\n</function>\n</tool_call>"
	parsed := []any{map[string]any{"id": "c1", "function": map[string]any{"name": "notes_read", "arguments": "{}"}}}
	server := &textServer{messages: []map[string]any{
		said("I look.\n</think>\n\nOne call.\n\n" + call),
		said("I look.\n</think>\n\n<tool_call>\n<function=\n</tool_call>"),
		{"content": "One call.\n\n" + call, "reasoning_content": "I look."},
		{"content": call, "tool_calls": parsed},
		said("I look.\n</think>\n\nIt is 42."),
	}}
	model := bindTextModel(t, server, map[string]any{"tokenizer": tokenizer, "python": python})
	if err := prepareModel(t, model); err != nil {
		t.Fatal(err)
	}
	ask := func(tools []sdk.Tool) *sdk.GenerateResponse {
		out, err := askModel(t, model, tools)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}

	first := ask(readNote)
	want := sdk.Message{
		Role: sdk.RoleAssistant, Content: "One call.", Reasoning: "I look.",
		ToolCalls: []sdk.ToolCall{
			{ID: "call_1_0", Name: "notes/read", Arguments: `{"path": "a/b: \"Grüße\"", "limit": 3}`},
		},
	}
	if diff := cmp.Diff(want, first.Message); diff != "" || first.Finish != sdk.FinishToolCalls {
		t.Errorf("finish %s; message (-want +got):\n%s", first.Finish, diff)
	}
	if !strings.HasPrefix(first.Codec, "renderers/") || first.CodecDigest == "" {
		t.Errorf("codec %q, digest %q", first.Codec, first.CodecDigest)
	}
	if kwargs, _ := server.body["chat_template_kwargs"].(map[string]any); kwargs["enable_thinking"] != true {
		t.Errorf("the request has no template arguments: %v", server.body)
	}
	damaged := ask(readNote).Message
	if len(damaged.ToolCalls) != 0 || len(damaged.Malformed) != 1 || !strings.Contains(damaged.Content, "<function=") {
		t.Errorf("a damaged call: %+v", damaged)
	}
	if diff := cmp.Diff(want, ask(readNote).Message); diff != "" {
		t.Errorf("a message whose reasoning the server has parsed (-want +got):\n%s", diff)
	}
	if own := ask(readNote); own.Message.Content != call || len(own.Message.ToolCalls) != 1 || own.Codec != "" {
		t.Errorf("a message that the server has parsed: %+v", own)
	}
	plain := ask(nil).Message
	if strings.TrimSpace(plain.Reasoning) != "I look." || strings.TrimSpace(plain.Content) != "It is 42." {
		t.Errorf("a message without tools: %+v", plain)
	}

	for attributes, reason := range map[[2]string]string{
		{tokenizer, "qwen9"}: "model.openai.judge: tool calls in text cannot be read (tool_format): unknown tool_format " +
			"'qwen9'",
		{t.TempDir(), "auto"}: "cannot be loaded from this directory, or from the cache of transformers",
	} {
		wrong := bindTextModel(t, server, map[string]any{
			"tokenizer": attributes[0], "tool_format": attributes[1], "python": python,
		})
		if err := prepareModel(t, wrong); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%v: %v, want %q in it", attributes, err, reason)
		}
	}
}

// fakePython makes a program that answers one line with the codec, and then does what the script says.
func fakePython(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "python")
	const hello = "#!/bin/sh\nread -r line && echo '{\"codec\":\"fake 1\",\"codec_digest\":\"d\"}' && read -r line\n"
	if err := os.WriteFile(path, []byte(hello+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// Another process reads the message of a lost one. If it is lost, too, the message fails with the reason.
func TestTextReader_ProcessEnds(t *testing.T) {
	lost := t.TempDir()
	python := fakePython(t, `[ -e `+lost+`/3 ] || { for i in 1 2 3; do [ -e `+lost+`/$i ] || break; done; : >`+lost+`/$i
echo "Segmentation fault in a parser" >&2; exit 7; }
echo '{"content":[{"text":"read"}],"codec":"fake 1","codec_digest":"d"}'; read -r line`)
	model := bindTextModel(t, &textServer{messages: []map[string]any{said("<tool_call>")}},
		map[string]any{"tokenizer": "m", "python": python})
	if err := prepareModel(t, model); err != nil {
		t.Fatal(err)
	}
	_, err := askModel(t, model, readNote)
	var failed *sdk.GenerateError
	if !errors.As(err, &failed) || failed.Kind != sdk.GenerateEngine ||
		!strings.Contains(failed.Detail, "exited with status 7") || !strings.Contains(failed.Detail, "in a parser") {
		t.Errorf("the lost process: %v", err)
	}
	if out, err := askModel(t, model, readNote); err != nil || out.Message.Content != "read" || out.Codec != "fake 1" {
		t.Errorf("the next message: %+v, %v", out, err)
	}
	model.Close()
	if _, err := askModel(t, model, readNote); err == nil || !strings.Contains(err.Error(), "endpoint is closed") {
		t.Errorf("after the end: %v", err)
	}
}

func TestTextReader_Refusals(t *testing.T) {
	const wait = "; read -r line; read -r line"
	for script, want := range map[string]string{
		`echo '{"error":"ModuleNotFoundError: No module named transformers"}'` + wait: "install the package for ",
		"echo hello" + wait:               "invalid character",
		"echo no such option >&2; exit 2": "exited with status 2",
	} {
		path := filepath.Join(t.TempDir(), "python")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
		model := bindTextModel(t, &textServer{}, map[string]any{"tokenizer": "m", "python": path})
		err := prepareModel(t, model)
		var codec *CodecError
		if !errors.As(err, &codec) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", script, err, want)
		}
	}
}

var _ http.Handler = (*textServer)(nil)

// A message that is not read within the model's timeout fails, and its process is replaced.
func TestTextReader_HangingProcess(t *testing.T) {
	once := filepath.Join(t.TempDir(), "once")
	python := fakePython(t, `[ -e `+once+` ] || { : >`+once+`; sleep 600; }
echo '{"content":[{"text":"read"}],"codec":"fake 1","codec_digest":"d"}'; read -r line`)
	model := bindTextModel(t, &textServer{messages: []map[string]any{said("<tool_call>")}},
		map[string]any{"tokenizer": "m", "python": python, "timeout": "1s"})
	defer model.Close()
	if err := prepareModel(t, model); err != nil {
		t.Fatal(err)
	}
	if out, err := askModel(t, model, readNote); err == nil || !strings.Contains(err.Error(), "in time") {
		t.Errorf("the hanging process: %+v, %v", out, err)
	}
	var out *sdk.GenerateResponse
	err := errors.New("not asked")
	for range 50 { // a new process may take longer than the timeout to start on a busy machine
		if out, err = askModel(t, model, readNote); err == nil {
			break
		}
	}
	if err != nil || out.Message.Content != "read" {
		t.Errorf("the next message: %+v, %v", out, err)
	}
}
