package bfclenv

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/data"
	"github.com/awhost/awhost/sdk"
)

// config is the body of an environment "bfcl" block.
type config struct {
	Source        string   `json:"source"`
	Profile       string   `json:"profile"`
	Mode          string   `json:"mode"`
	Categories    []string `json:"categories"`
	HeldOut       float64  `json:"held_out"`
	SplitSeed     int64    `json:"split_seed"`
	StepLimit     int      `json:"step_limit"`
	SystemPrompt  *string  `json:"system_prompt"` // nil: the usual one of the mode
	Turns         int      `json:"turns"`         // of an entry, that are played; 0: all
	Compatibility string   `json:"compatibility"`
}

func defaults() config {
	return config{Profile: "v4", Mode: "tools", Categories: slices.Clone(data.Categories), HeldOut: 0.5, SplitSeed: 1, StepLimit: 20, Compatibility: "corrected"}
}

var profiles = map[string]api.Profile{"v4": api.V4, "v3": api.V3, "envtuning": api.EnvTuning}

// version is that of the data which a profile goes with.
func (c config) version() string {
	if c.Profile == "v4" {
		return "v4"
	}
	return "v3"
}

// validateEnvironment checks what the schema cannot say, the data included.
func validateEnvironment(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	c := defaults()
	if err := sdk.DecodeConfig(raw, &c); err != nil {
		return problem("BFCL cannot read its configuration", err.Error())
	}
	for _, category := range c.Categories {
		if !slices.Contains(data.Categories, category) {
			return problem("Unknown category", fmt.Sprintf("%q is no category of BFCL's multi-turn tasks: choose from %s.", category, strings.Join(data.Categories, ", ")), "categories")
		}
	}
	if len(c.Categories) == 0 {
		return problem("No category is left", "List at least one of "+strings.Join(data.Categories, ", ")+".", "categories")
	}
	if c.Mode == "envtuning" && c.Profile == "v4" {
		return problem("This way to play needs older functions", `EnvTuning plays with the functions of version 3: set profile to "envtuning" or "v3".`, "profile")
	}
	if c.Source == "" {
		return nil // it is unknown yet
	}
	if _, err := c.open(); err != nil {
		return problem("BFCL's data cannot be read", err.Error(), "source")
	}
	return nil
}

func problem(summary, detail string, path ...string) []sdk.Diagnostic {
	return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: summary, Detail: detail, Path: path}}
}

func (c config) open() (*data.Set, error) {
	return data.Open(c.Source, data.Options{Version: c.version(), Categories: c.Categories})
}
