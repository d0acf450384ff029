package endpoint

import (
	"encoding/json"
	"time"

	"github.com/awhost/awhost/sdk"
)

// Settings are how a configuration names a model and says how it is asked: that of `model "openai"`, and those of
// plugins that ask one. They are embedded in it.
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

	// Prices of a million tokens, in US dollars; nil: not known.
	InputPrice  *float64 `json:"input_price"`
	OutputPrice *float64 `json:"output_price"`
}

// Config is what New takes.
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

// Prices are those of a million tokens that the model reads, and of as many that it writes; 0: not known.
func (s *Settings) Prices() (input, output float64) {
	if s.InputPrice != nil {
		input = *s.InputPrice
	}
	if s.OutputPrice != nil {
		output = *s.OutputPrice
	}
	return input, output
}
