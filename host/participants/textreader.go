package participants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/openai"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/python"
)

// CodecError reports that no codec can read the texts of a served model.
type CodecError struct {
	Address string // of the model's block
	Err     error
}

// Error implements error.
func (e *CodecError) Error() string {
	return fmt.Sprintf("%s: tool calls in text cannot be read (tool_format): %v", e.Address, e.Err)
}

// Unwrap returns the cause.
func (e *CodecError) Unwrap() error { return e.Err }

// textReader reads the texts of a served model with the codecs of awhost_bridge, in one process with the user's Python.
// If that process is lost, another one reads the message; if it is lost, too, the message fails.
type textReader struct {
	address string
	python  string
	config  codecRequest

	turn    chan struct{} // has one place, which is taken during an exchange
	running *process.Piped
	closed  bool
}

// codecRequest is the first line to the process.
type codecRequest struct {
	Tokenizer      string `json:"tokenizer"`
	ToolFormat     string `json:"tool_format"`
	TemplateKwargs []byte `json:"chat_template_kwargs_json,omitempty"`
}

// textRequest is a further line to the process.
type textRequest struct {
	Text           string     `json:"text"`
	Tools          []textTool `json:"tools"`
	Thought        bool       `json:"thought"`
	TemplateKwargs []byte     `json:"chat_template_kwargs_json,omitempty"`
}

type textTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Parameters  []byte `json:"parameters_json"`
}

// textAnswer is the process's answer: an error, or a message in the JSON format of the protocol.
type textAnswer struct {
	Error     string `json:"error"`
	Reasoning string `json:"reasoning"`
	Content   []struct {
		Text string `json:"text"`
	} `json:"content"`
	Calls []struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments_json"`
	} `json:"tool_calls"`
	Malformed   []sdk.Malformed `json:"malformed"`
	Codec       string          `json:"codec"`
	CodecDigest string          `json:"codec_digest"`
}

const (
	// codecTimeout bounds the imports of the packages, which may be on a network file system.
	codecTimeout = 5 * time.Minute
	// textTimeout bounds the reading of a message.
	textTimeout = time.Minute
)

// runReader imports awhost_bridge from the directory in its argument, and nothing from the working directory.
const runReader = "import sys; sys.path[:] = [sys.argv[1], *filter(None, sys.path)]; " +
	"from awhost_bridge.served import main; main()"

// Start implements openai.TextReader.
func (r *textReader) Start(ctx context.Context) error {
	if err := r.lock(ctx); err != nil {
		return err
	}
	defer r.unlock()
	return r.start(ctx)
}

// lock waits for the end of the exchanges of other messages.
func (r *textReader) lock(ctx context.Context) error {
	select {
	case r.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (r *textReader) unlock() { <-r.turn }

// start starts the process unless it is running. The lock is held.
func (r *textReader) start(ctx context.Context) (err error) {
	if r.running != nil {
		return nil
	}
	if r.closed {
		return errors.New("the model's endpoint is closed")
	}
	defer func() {
		if err != nil {
			r.stop()
			err = &CodecError{r.address, err}
		}
	}()
	dir, err := os.MkdirTemp("", "awhost-codec-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // the process has imported it then
	if err := python.Unpack(dir, python.Bridge); err != nil {
		return err
	}
	r.running, err = process.StartPiped(ctx, process.Config{
		Name: r.python, Instance: r.address, Command: []string{r.python, "-u", "-c", runReader, dir}, Grace: -1,
		PassEnv: []string{"HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "XDG_CACHE_HOME"},
		Env:     map[string]string{"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "CUDA_VISIBLE_DEVICES": ""},
	})
	if err != nil {
		return err
	}
	_, err = r.exchange(ctx, r.config, codecTimeout)
	return err
}

// Read implements openai.TextReader.
func (r *textReader) Read(ctx context.Context, t openai.Text) (*openai.TextParts, error) {
	request := textRequest{Text: t.Text, Tools: []textTool{}, Thought: t.Thought, TemplateKwargs: t.TemplateKwargs}
	for _, tool := range t.Tools {
		request.Tools = append(request.Tools, textTool{tool.Name, tool.Description, tool.Parameters})
	}
	if err := r.lock(ctx); err != nil {
		return nil, err
	}
	defer r.unlock()
	var answer *textAnswer
	for attempt := range 2 {
		if err := r.start(ctx); err != nil {
			return nil, err
		}
		var err error
		if answer, err = r.exchange(ctx, request, textTimeout); err == nil {
			break
		}
		lost := r.running == nil && ctx.Err() == nil && !errors.Is(err, os.ErrDeadlineExceeded)
		if attempt > 0 || !lost {
			return nil, &CodecError{r.address, err}
		}
	}
	out := &openai.TextParts{
		Reasoning: answer.Reasoning, Malformed: answer.Malformed, Codec: answer.Codec, CodecDigest: answer.CodecDigest,
	}
	for _, part := range answer.Content {
		out.Content += part.Text
	}
	for _, call := range answer.Calls {
		out.Calls = append(out.Calls, sdk.ToolCall{Name: call.Name, Arguments: call.Arguments})
	}
	return out, nil
}

// exchange sends a line and returns the answer. A process that does not answer in time, or before ctx ends, is killed.
// The lock is held.
func (r *textReader) exchange(ctx context.Context, request any, timeout time.Duration) (*textAnswer, error) {
	line, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	running := r.running
	defer context.AfterFunc(ctx, func() { _ = running.Kill(context.Background()) })()
	line, err = running.Exchange(line, timeout)
	answer := &textAnswer{}
	if err == nil {
		err = json.Unmarshal(line, answer)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		r.stop()
		return nil, context.Cause(ctx)
	case errors.Is(err, os.ErrDeadlineExceeded):
		r.stop()
		return nil, fmt.Errorf("%s did not answer within %s: %w", r.python, timeout, err)
	case err != nil:
		r.stop()
		return nil, errors.New(err.Error()) // an *Exit would be a plugin's
	case strings.HasPrefix(answer.Error, "ModuleNotFoundError"):
		return nil, fmt.Errorf("%s; install the package for %s", answer.Error, r.python)
	case answer.Error != "":
		return nil, errors.New(answer.Error)
	}
	return answer, nil
}

// stop ends the process. The lock is held.
func (r *textReader) stop() {
	if r.running != nil {
		_ = r.running.Kill(context.Background())
		_, _ = r.running.In.Close(), r.running.Out.Close()
		r.running = nil
	}
}

// Close implements openai.TextReader.
func (r *textReader) Close() {
	_ = r.lock(context.Background())
	defer r.unlock()
	r.stop()
	r.closed = true
}

var (
	_ error             = (*CodecError)(nil)
	_ openai.TextReader = (*textReader)(nil)
)
