package gateway

import (
	"bytes"
	"encoding/json"
	"slices"
)

// use is what a member of a request is for.
type use byte

const (
	honoured use = iota // it counts
	owned               // the spec says it: taken, not used, and counted
	harmless            // it changes no answer
	neutral             // refused, unless it has the value that changes no answer
)

// chatParams are the members of a request for chat completions. All others are refused: a program that asks for
// something that changes answers, and does not get it, would be trained as something else than it is.
var chatParams = map[string]use{
	"messages": honoured, "tools": honoured, "max_tokens": honoured, "max_completion_tokens": honoured, "stop": honoured,
	"n": honoured, "stream": honoured, "stream_options": honoured,

	"temperature": owned, "top_p": owned, "top_k": owned, "min_p": owned, "seed": owned,
	"reasoning_effort": owned, "verbosity": owned,

	"model": harmless, "user": harmless, "metadata": harmless, "store": harmless, "service_tier": harmless,
	"prompt_cache_key": harmless, "prompt_cache_retention": harmless, "safety_identifier": harmless,

	"tool_choice": neutral, "parallel_tool_calls": neutral, "response_format": neutral, "logprobs": neutral,
	"top_logprobs": neutral, "frequency_penalty": neutral, "presence_penalty": neutral, "repetition_penalty": neutral,
	"logit_bias": neutral, "modalities": neutral, "functions": neutral, "function_call": neutral,
}

// chatNeutrals are the values that change no answer, beside null.
var chatNeutrals = map[string][]string{
	"tool_choice": {`"auto"`}, "parallel_tool_calls": {`true`}, "response_format": {`{"type":"text"}`},
	"logprobs": {`false`}, "top_logprobs": {`0`}, "frequency_penalty": {`0`, `0.0`}, "presence_penalty": {`0`, `0.0`},
	"repetition_penalty": {`1`, `1.0`}, "logit_bias": {`{}`}, "modalities": {`["text"]`}, "functions": {`[]`},
}

// sortParams reads the members of a body. It returns those that are the spec's, and refuses what would change answers.
func sortParams(
	body []member, known map[string]use, neutrals map[string][]string,
) (spec []string, err *problem) {
	for _, m := range body {
		name, value := m.name, m.value
		if value.Kind() == 'n' {
			continue
		}
		kind, ok := known[name]
		switch {
		case !ok:
			return nil, refused(name, "awhost does not know %s, which may change answers: leave it out", name)
		case kind == owned:
			spec = append(spec, name)
		case kind == neutral && !slices.Contains(neutrals[name], compact(value)):
			return nil, refused(name, "%s = %s would change answers, and the policy is not sampled so: leave it out",
				name, shorten(compact(value)))
		}
	}
	return spec, nil
}

func compact(value []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return string(value)
	}
	return b.String()
}

func shorten(text string) string {
	const most = 80
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
