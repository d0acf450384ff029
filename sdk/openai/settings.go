package openai

import (
	"encoding/json"
	"time"

	"github.com/awhost/awhost/sdk"
)

// Settings holds the part of a configuration that specifies a model and its request parameters. It is embedded in the
// configuration of `model "openai"` and of plugins that use a model.
type Settings struct {
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

	// Prices per million tokens, in US dollars; nil means unknown.
	InputPrice  *float64 `json:"input_price"`
	OutputPrice *float64 `json:"output_price"`
}

// Config returns a configuration for New.
func (s *Settings) Config() (Config, error) {
	timeout, err := time.ParseDuration(s.Timeout)
	if err != nil {
		return Config{}, err
	}
	return Config{
		BaseURL: s.BaseURL, APIKey: s.APIKey, Name: s.Name, Timeout: timeout, MaxRetries: s.MaxRetries, Headers: s.Headers,
		Extra: s.Extra, NoSeed: !s.Seed, Concurrent: s.Concurrent,
		Sampling: sdk.Sampling{Temperature: s.Temperature, TopP: s.TopP, MaxTokens: s.MaxTokens},
	}, nil
}

// Prices returns the prices per million input tokens and per million output tokens; 0 means unknown.
func (s *Settings) Prices() (input, output float64) {
	if s.InputPrice != nil {
		input = *s.InputPrice
	}
	if s.OutputPrice != nil {
		output = *s.OutputPrice
	}
	return input, output
}
