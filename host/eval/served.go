package eval

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/endpoint"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// Served makes the endpoint of a block `model "openai"`.
func Served(b *spec.Block) (*endpoint.Endpoint, error) {
	if b.Kind != "model" || b.Type != "openai" {
		return nil, fmt.Errorf("%s is no served model: name a block model \"openai\"", b.Address)
	}
	var body struct {
		BaseURL    string                     `json:"base_url"`
		APIKey     string                     `json:"api_key"`
		Name       string                     `json:"name"`
		Timeout    string                     `json:"timeout"`
		MaxRetries int                        `json:"max_retries"`
		Headers    map[string]string          `json:"headers"`
		Extra      map[string]json.RawMessage `json:"extra_body"`
		Seed       bool                       `json:"seed"`
		Concurrent int                        `json:"max_concurrent"`

		Temperature *float64 `json:"temperature"`
		TopP        *float64 `json:"top_p"`
		MaxTokens   int      `json:"max_tokens"`
	}
	if err := json.Unmarshal(b.Config, &body); err != nil {
		return nil, fmt.Errorf("read %s: %w: extra_body must be an object", b.Address, err)
	}
	timeout, err := time.ParseDuration(body.Timeout)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", b.Address, err)
	}
	e, err := endpoint.New(endpoint.Config{
		BaseURL: body.BaseURL, APIKey: body.APIKey, Name: body.Name, Timeout: timeout, MaxRetries: body.MaxRetries, Headers: body.Headers,
		Extra: body.Extra, NoSeed: !body.Seed, Concurrent: body.Concurrent,
		Sampling: sdk.Sampling{Temperature: body.Temperature, TopP: body.TopP, MaxTokens: body.MaxTokens},
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Address, err)
	}
	return e, nil
}
