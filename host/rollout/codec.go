package rollout

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Codec identifies what reads tool calls from the policy's messages.
type Codec struct {
	Name   string `json:"name"`   // with its version, for users
	Digest string `json:"digest"` // of the codec and the chat template
}

// reasoning returns the adapter's reasoning_format, which the name contains unless it is auto.
func (c Codec) reasoning() string {
	_, format, _ := strings.Cut(c.Name, ", reasoning_format = ")
	return cmp.Or(format, "auto")
}

// CodecError reports that a codec differs from the one that has read the run's earlier messages.
type CodecError struct {
	Address   string // of the adapter
	Was, Here Codec
}

// Error implements error.
func (e *CodecError) Error() string {
	remedy := "restore the model's chat template"
	if e.Was.Name != e.Here.Name {
		name, _, _ := strings.Cut(e.Was.Name, " ")
		remedy = fmt.Sprintf("set tool_format = %q and install the version above", name)
		if was, here := e.Was.reasoning(), e.Here.reasoning(); was != here {
			remedy = fmt.Sprintf("set reasoning_format = %q, %s", was, remedy)
		}
	}
	return fmt.Sprintf("%s reads tool calls with %s (digest %.8s), but the run's earlier messages were read by %s "+
		"(digest %.8s): %s, or start another run with: awhost apply --new",
		e.Address, e.Here.Name, e.Here.Digest, e.Was.Name, e.Was.Digest, remedy)
}

// checkCodec keeps the codec of the first message, and ends the run if another message has another one. It accepts
// messages without a codec.
func (e *Engine) checkCodec(address string, resp *sdk.GenerateResponse) error {
	here := Codec{Name: resp.Codec, Digest: resp.CodecDigest}
	if here.Digest == "" || e.codec.CompareAndSwap(nil, &here) {
		return nil
	}
	if was := *e.codec.Load(); was.Digest != here.Digest {
		err := &CodecError{Address: address, Was: was, Here: here}
		e.lifetime.Fail(err)
		return err
	}
	return nil
}

// Codec returns the codec of the policy's messages, or nil if it is unknown. A resumed run passes it to StageSetup.
func (e *Engine) Codec() *Codec { return e.codec.Load() }

// foreignCall matches the start of a tool call in the formats of common model families. A message with such text and
// without calls was probably written in a format that the codec does not read.
var foreignCall = regexp.MustCompile(`<tool_call>|<function=|<arg_key>|<function_calls?>|` + // Qwen, GLM, OLMo
	`<\|tool_calls?(_section)?(_begin)?\|?>|` + // Kimi, Gemma, Granite
	`<｜tool▁calls?▁begin｜>|<｜DSML｜|` + // DeepSeek
	`<(\w+:)?tool_calls?>|<invoke name=|` + // MiniMax
	`\bto=functions\.\w|\[TOOL_CALLS\]|<\|python_tag\|>|` + // gpt-oss, Mistral, Llama
	`^\s*\{\s*"name"\s*:\s*"[^"]+"\s*,\s*"(parameters|arguments)"\s*:`) // Llama 3

// notHermes matches the markers within <tool_call> of formats that share this tag with Hermes.
var notHermes = regexp.MustCompile(`<function=|<arg_key>|<invoke name=`)

// maxForeignExample limits the example of a foreign call, in bytes.
const maxForeignExample = 200

// ForeignCalls counts the messages that contain a tool call that was not read as one.
type ForeignCalls struct {
	Messages int    // for which tools were offered
	Calls    int    // of Messages, those with a call in the format of a model family
	Example  string // the start of the first such call
}

// ServedRemedy is the remedy for unread calls of served models.
const ServedRemedy = "Start the server with its tool parser (SGLang and vLLM: --tool-call-parser NAME), or set " +
	"tokenizer, python, and tool_format in its model block: awhost docs guides/served-models"

// count counts a message. A call that Hermes finds malformed is foreign if it has the inner markers of another format.
func (f *ForeignCalls) count(offered []sdk.Tool, message *sdk.Message, hermes bool) {
	if len(offered) == 0 {
		return
	}
	f.Messages++
	foreign := foreignCall
	switch {
	case len(message.ToolCalls) > 0:
		return
	case len(message.Malformed) > 0 && !hermes:
		return
	case len(message.Malformed) > 0:
		foreign = notHermes
	}
	at := foreign.FindStringIndex(message.Content)
	if at == nil {
		return
	}
	text := message.Content[at[0]:]
	f.add(ForeignCalls{Calls: 1, Example: strings.ToValidUTF8(text[:min(len(text), maxForeignExample)], "")})
}

func (f *ForeignCalls) add(other ForeignCalls) {
	f.Messages += other.Messages
	f.Calls += other.Calls
	f.Example = cmp.Or(f.Example, other.Example)
}

// countForeign counts a message of the policy, or of the served model with an address. codec is the codec that has read
// it, or empty.
func (r *AttemptRecord) countForeign(served, codec string, offered []sdk.Tool, message *sdk.Message) {
	hermes := strings.HasPrefix(codec, "hermes ") || served == "" && codec == ""
	if served == "" {
		r.Foreign.count(offered, message, hermes)
		return
	}
	if r.ServedForeign == nil {
		r.ServedForeign = map[string]ForeignCalls{}
	}
	f := r.ServedForeign[served]
	f.count(offered, message, hermes)
	r.ServedForeign[served] = f
}
