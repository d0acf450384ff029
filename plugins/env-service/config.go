package envservice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"time"

	"github.com/awhost/awhost/sdk"
)

// config is the body of an environment "env_service" block.
type config struct {
	URL             string            `json:"url"`
	EnvType         string            `json:"env_type"`
	Params          json.RawMessage   `json:"params"`
	EvaluateParams  json.RawMessage   `json:"evaluate_params"`
	TrainSplit      string            `json:"train_split"`
	ValidationSplit string            `json:"validation_split"`
	Headers         map[string]string `json:"headers"`
	Info            bool              `json:"info"`
	MaxTurns        int               `json:"max_turns"`
	MaxSessions     int               `json:"max_sessions"`
	Connect         sdk.Duration      `json:"connect_timeout"`
	Create          sdk.Duration      `json:"create_timeout"`
	Step            sdk.Duration      `json:"step_timeout"`
	Evaluate        sdk.Duration      `json:"evaluate_timeout"`
}

// split returns the service's name for a split.
func (c *config) split(of sdk.Split) string {
	if of == sdk.SplitValidation {
		return c.ValidationSplit
	}
	return c.TrainSplit
}

// validate checks a configuration without network access.
func validate(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	c := &config{}
	if err := sdk.DecodeConfig(raw, c); err != nil {
		return []sdk.Diagnostic{wrong("", "The configuration cannot be read", err.Error())}
	}
	return c.check()
}

func wrong(attribute, summary, detail string) sdk.Diagnostic {
	d := sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: detail}
	if attribute != "" {
		d.Path = []string{attribute}
	}
	return d
}

// check reports mistakes that the schema does not detect. Unknown values are empty.
func (c *config) check() []sdk.Diagnostic {
	var out []sdk.Diagnostic
	if c.URL != "" {
		if err := checkURL(c.URL); err != nil {
			out = append(out, wrong("url", "Wrong url", err.Error()))
		}
	}
	for _, params := range []struct {
		name  string
		value json.RawMessage
	}{{"params", c.Params}, {"evaluate_params", c.EvaluateParams}} {
		if !isObject(params.value) {
			out = append(out, wrong(params.name, "Wrong parameters", params.name+" is an object: { NAME = VALUE }."))
		}
	}
	for _, limit := range []struct {
		name  string
		value sdk.Duration
	}{
		{"connect_timeout", c.Connect}, {"create_timeout", c.Create}, {"step_timeout", c.Step},
		{"evaluate_timeout", c.Evaluate},
	} {
		if limit.value < 0 {
			out = append(out, wrong(limit.name, "No time", limit.name+" is a time of more than 0."))
		}
	}
	return out
}

// isObject reports whether a value is a JSON object, or missing.
func isObject(value json.RawMessage) bool {
	value = bytes.TrimSpace(value)
	return len(value) == 0 || string(value) == "null" || value[0] == '{'
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "": // may hold a secret
		return errors.New("this is no URL of a web server: write http://HOST:PORT")
	case u.User != nil:
		return errors.New("a user name or a password in a URL would be written down: write them as a header, in headers")
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("the names of the calls come after it: leave out what begins with ? or #")
	}
	return nil
}

// orDefault returns a limit, or its default for callers that do not set one.
func orDefault(limit sdk.Duration, preset time.Duration) time.Duration {
	if limit <= 0 {
		return preset
	}
	return time.Duration(limit)
}
