package participants

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/host/gateway"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/openai"
)

// modelBody is the configuration of a `model "openai"` block.
type modelBody struct {
	openai.Settings
	Tokens     string `json:"tokens"`
	ToolFormat string `json:"tool_format"`
	Tokenizer  string `json:"tokenizer"`
	Python     string `json:"python"`
}

func readModel(address string, b *spec.Block) (*modelBody, error) {
	if b == nil {
		return nil, fmt.Errorf("there is no %s", address)
	}
	if b.Kind != "model" || b.Type != "openai" {
		return nil, fmt.Errorf("%s is not a served model: name a block model \"openai\"", b.Address)
	}
	body := &modelBody{}
	if err := json.Unmarshal(b.Config, body); err != nil {
		return nil, fmt.Errorf("read %s: %w; extra_body must be an object", b.Address, err)
	}
	return body, nil
}

func (m *modelBody) endpoint(address string) (*openai.Endpoint, error) {
	config, err := m.Config()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", address, err)
	}
	config.Tokens = m.Tokens == "required"
	if m.Tokenizer != "" {
		format := cmp.Or(m.ToolFormat, "auto")
		config.Reader = &textReader{turn: make(chan struct{}, 1), address: address, python: m.Python, config: codecRequest{
			Tokenizer: m.Tokenizer, ToolFormat: format, TemplateKwargs: m.Extra["chat_template_kwargs"],
		}}
	}
	e, err := openai.New(config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	return e, nil
}

// Served returns the endpoint of a `model "openai"` block.
func Served(b *spec.Block) (*openai.Endpoint, error) {
	body, err := readModel(b.Address, b)
	if err != nil {
		return nil, err
	}
	return body.endpoint(b.Address)
}

// served returns the models that respond to agents instead of the policy, by member. Agents that use the same block
// share its endpoint and its limit on concurrent requests.
func (c StageBinding) served(actor *spec.Actor) (map[string]*rollout.ServedBinding, error) {
	out, models := map[string]*rollout.ServedBinding{}, map[string]*rollout.ServedBinding{}
	for _, a := range actor.Agents() {
		for member, address := range answering(a) {
			if models[address] == nil {
				body, err := readModel(address, c.Plan.Spec.Blocks[address])
				if err != nil {
					return nil, fmt.Errorf("set up %s: %w", a.Block.Address, err)
				}
				e, err := body.endpoint(address)
				if err != nil {
					return nil, err
				}
				input, output := body.Prices()
				models[address] = &rollout.ServedBinding{
					GeneratorBinding: rollout.GeneratorBinding{Address: address, Generator: e, Rows: Rows(e)},
					Release:          e.Release, Close: e.Close, Prepare: e.Prepare,
					MaxTokens: body.MaxTokens, InputPrice: input, OutputPrice: output,
				}
			}
			out[member] = models[address]
		}
	}
	return out, nil
}

// answering returns the addresses of an agent's served models, by member.
func answering(a *spec.Actor) map[string]string {
	out := map[string]string{}
	if a.Served() {
		out[a.Member()] = a.Body.Model
	}
	for _, address := range a.Body.Served {
		out[a.Member()+"/"+gateway.MemberServed+nameOf(address)] = address
	}
	return out
}

func nameOf(address string) string { return address[strings.LastIndexByte(address, '.')+1:] }

// models maps each value of `model` that selects a served model, which is a block name or a model ID, to the model's
// block name. If several blocks have the same ID, the first one is used.
func (c StageBinding) models(addresses []string) (map[string]string, error) {
	out := map[string]string{}
	for _, address := range slices.Backward(addresses) {
		body, err := readModel(address, c.Plan.Spec.Blocks[address])
		if err != nil {
			return nil, err
		}
		out[body.Name] = nameOf(address)
	}
	for _, address := range addresses {
		out[nameOf(address)] = nameOf(address)
	}
	delete(out, sdk.ModelPolicy)
	return out, nil
}

// Rows returns a function that converts rows from an endpoint to record rows.
func Rows(e *openai.Endpoint) func(episodeID string) []rollout.SampledRow {
	return func(episodeID string) (out []rollout.SampledRow) {
		for _, row := range e.Rows(episodeID) {
			out = append(out, rollout.SampledRow(row))
		}
		return out
	}
}

// Prepare concurrently checks that the served models support their blocks' settings. It runs before the first episode
// because it requests a message from each model and starts the Python that reads its texts. If it fails, it closes the
// models.
func Prepare(ctx context.Context, setup rollout.StageSetup) error {
	prepared := map[string]bool{}
	group, ctx := errgroup.WithContext(ctx)
	for _, served := range setup.Served {
		if served.Prepare == nil || prepared[served.Address] {
			continue
		}
		prepared[served.Address] = true
		group.Go(func() error {
			err := served.Prepare(ctx)
			var codec *CodecError
			if err == nil || errors.As(err, &codec) {
				return err
			}
			return fmt.Errorf("%s: %w", served.Address, err)
		})
	}
	err := group.Wait()
	for _, served := range setup.Served {
		if err != nil && served.Close != nil {
			served.Close()
		}
	}
	return err
}

var _ rollout.Limited = (*openai.Endpoint)(nil)
