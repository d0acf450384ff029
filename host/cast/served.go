package cast

import (
	"context"
	"encoding/json"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk/endpoint"
)

// modelBody is the configuration of a block `model "openai"`.
type modelBody struct {
	endpoint.Settings
	Tokens string `json:"tokens"`
}

func readModel(b *spec.Block) (*modelBody, error) {
	if b.Kind != "model" || b.Type != "openai" {
		return nil, fmt.Errorf("%s is no served model: name a block model \"openai\"", b.Address)
	}
	body := &modelBody{}
	if err := json.Unmarshal(b.Config, body); err != nil {
		return nil, fmt.Errorf("read %s: %w: extra_body must be an object", b.Address, err)
	}
	return body, nil
}

func (m *modelBody) endpoint(address string) (*endpoint.Endpoint, error) {
	config, err := m.Config()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", address, err)
	}
	config.Tokens = m.Tokens == "required"
	e, err := endpoint.New(config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	return e, nil
}

// Served makes the endpoint of a block `model "openai"`.
func Served(b *spec.Block) (*endpoint.Endpoint, error) {
	body, err := readModel(b)
	if err != nil {
		return nil, err
	}
	return body.endpoint(b.Address)
}

// served are the models that answer for agents in the place of the policy, by member. Agents of one block share its
// endpoint, and with it the limit on requests at a time.
func (c Cast) served(actor *spec.Actor) (map[string]*rollout.ServedBinding, error) {
	out, models := map[string]*rollout.ServedBinding{}, map[string]*rollout.ServedBinding{}
	for _, a := range actor.Agents() {
		if !a.Served() {
			continue
		}
		address := a.Body.Model
		if models[address] == nil {
			block := c.Plan.Spec.Blocks[address]
			if block == nil {
				return nil, fmt.Errorf("set up %s: there is no %s", a.Block.Address, address)
			}
			body, err := readModel(block)
			if err != nil {
				return nil, err
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
		out[a.Member()] = models[address]
	}
	return out, nil
}

// Rows makes the rows of an endpoint those of records.
func Rows(e *endpoint.Endpoint) func(episodeID string) []rollout.SampledRow {
	return func(episodeID string) (out []rollout.SampledRow) {
		for _, row := range e.Rows(episodeID) {
			out = append(out, rollout.SampledRow(row))
		}
		return out
	}
}

// Prepare asks the served models whether they can do what their blocks want, side by side: before the first episode,
// since that costs a message of each.
func Prepare(ctx context.Context, setup rollout.StageSetup) error {
	prepared := map[string]bool{}
	group, ctx := errgroup.WithContext(ctx)
	for _, served := range setup.Served {
		if served.Prepare == nil || prepared[served.Address] {
			continue
		}
		prepared[served.Address] = true
		group.Go(func() error {
			if err := served.Prepare(ctx); err != nil {
				return fmt.Errorf("%s: %w", served.Address, err)
			}
			return nil
		})
	}
	return group.Wait()
}

var _ rollout.Limited = (*endpoint.Endpoint)(nil)
