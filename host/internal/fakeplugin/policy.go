package fakeplugin

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// sample is the trainer's state for an open episode.
type sample struct {
	req     sdk.EpisodeRequest
	weights weights

	mu     sync.Mutex
	chains map[string]string // digest by chain
}

func (t *trainer) open(req sdk.EpisodeRequest, w weights) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.samples[req.EpisodeID] = &sample{req: req, weights: w, chains: map[string]string{}}
}

func (t *trainer) find(episode string) *sample {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.serves && t.samples[episode] == nil {
		t.samples[episode] = &sample{req: sdk.EpisodeRequest{Split: sdk.SplitValidation}, chains: map[string]string{}}
	}
	return t.samples[episode]
}

// Load implements sdk.AdapterWithLoad. The policy is untrained, whatever the checkpoint.
func (t *trainer) Load(context.Context, sdk.LoadRequest) (*sdk.LoadResponse, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.serves = true
	return &sdk.LoadResponse{Policy: "scripted"}, nil
}

// Release implements sdk.AdapterWithLoad.
func (t *trainer) Release(_ context.Context, episodeID string) error {
	t.drop(episodeID)
	return nil
}

// drop drops a validation episode. A training episode is kept until trained is called.
func (t *trainer) drop(episode string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.samples[episode]; s != nil && s.req.Split == sdk.SplitValidation {
		delete(t.samples, episode)
	}
}

// trained returns the digests of a result's trainable chains and drops the episode.
func (t *trainer) trained(r *sdk.EpisodeResult) string {
	s := t.find(r.EpisodeID)
	var digests []string
	for _, c := range r.Chains {
		if c.Train {
			digests = append(digests, s.chains[c.Chain])
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.samples, r.EpisodeID)
	return strings.Join(digests, ",")
}

var sum = regexp.MustCompile(`(\d+) \+ (\d+)`)

// Generate implements sdk.Adapter. The policy calls the tool `add`, sometimes with wrong numbers, and answers with the
// tool's result. Its output depends only on the seed and the weights.
func (t *trainer) Generate(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	s := t.find(req.EpisodeID)
	if s == nil {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateEngine, Detail: "unexpected episode " + req.EpisodeID}
	}
	if s.req.Split == sdk.SplitTrain {
		t.config.at(fmt.Sprintf("generate %d", s.req.Step))
	}
	mood := int(req.Seed % 8)
	if t.does("lose the engine") && mood == 0 {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateEngine, Detail: "out of memory with " + t.config.Token}
	}
	message, finish := t.say(req, mood)
	chain := req.Chain
	if chain == "" {
		chain = "chain-" + req.CallID
	}
	encoded, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chains[chain] = hash(s.chains[chain], s.weights.Content, string(encoded))
	return &sdk.GenerateResponse{
		Message: message, Finish: finish, PromptTokens: 8, OutputTokens: 4, Chain: chain,
		ChainLength: req.Base + len(req.Messages) + 1,
		Codec:       t.config.Codec, CodecDigest: t.config.Codec,
		ChainDigest: s.chains[chain], Versions: []sdk.VersionSpan{{Version: int64(s.weights.Step), Tokens: 4}},
	}, nil
}

func (t *trainer) say(req sdk.GenerateRequest, mood int) (sdk.Message, sdk.FinishReason) {
	out := sdk.Message{Role: sdk.RoleAssistant}
	switch {
	case t.does("mumble") && mood < 3:
		out.Content, out.Malformed = "<call>ad", []sdk.Malformed{{Text: "<call>ad", Reason: "it has no end"}}
		return out, sdk.FinishStop
	case t.does("write foreign calls") && len(req.Tools) > 0:
		out.Content = "<function=add>\n<parameter=a>\n1\n</parameter>\n</function>"
		return out, sdk.FinishStop
	case t.does("ramble") && mood < 3:
		out.Content = "well, let me think"
		return out, sdk.FinishLength
	case len(req.Tools) > 0 && req.Chain == "":
		numbers := sum.FindStringSubmatch(req.Messages[len(req.Messages)-1].Content)
		if numbers == nil {
			numbers = []string{"", "0", "0"}
		}
		if mood == 0 {
			numbers[1] += "0"
		}
		out.ToolCalls = []sdk.ToolCall{{ID: "call-1", Name: "add",
			Arguments: fmt.Sprintf(`{"a":%s,"b":%s}`, numbers[1], numbers[2])}}
		return out, sdk.FinishToolCalls
	}
	out.Content = strconv.Itoa(mood)
	var kwargs map[string]any // a null if the trainer is another process
	if json.Unmarshal(req.ChatTemplateKwargs, &kwargs) == nil && len(kwargs) > 0 {
		out.Reasoning = string(req.ChatTemplateKwargs)
	}
	for _, m := range req.Messages {
		if m.Role == sdk.RoleTool {
			out.Content = m.Content
		}
	}
	return out, sdk.FinishStop
}
