package serveplugin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
	"github.com/awhost/awhost/sdk/traceparent"
)

const (
	maxAnswerBytes = 16 << 20
	maxQuoted      = 500 // bytes of an unusable answer
)

// config is the body of an agent "serve" block.
type config struct {
	sdk.AgentConfig
	sdk.GatewayConfig

	URL     string            `json:"url"`
	Token   string            `json:"token"`
	Headers map[string]string `json:"headers"`
	Timeout string            `json:"timeout"`
}

func configSchema() schema.Block {
	attributes := []schema.Attribute{
		schema.String("url", "URL to which episodes are sent.").Require().Example("http://127.0.0.1:8900/episodes"),
		schema.String("token", "Token that is sent as Authorization: Bearer TOKEN.").Secret().CanResume(),
		schema.StringMap("headers", "Headers for every request.").CanResume(),
		schema.Duration("timeout", "Maximum duration of an episode; with 0s, only the episode's limit "+
			"applies.").Default("0s"),
	}
	return schema.Block{
		Description: "docs/guides/harnesses.md describes the request.",
		Attributes:  slices.Concat(attributes, sdk.GatewayAttributes(), sdk.AgentAttributes()),
	}
}

// validate checks a configuration without network access.
func validate(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	c := &config{}
	err := sdk.DecodeConfig(raw, c)
	path := []string(nil)
	if err == nil && c.URL != "" {
		path, err = []string{"url"}, checkURL(c.URL)
	}
	if err == nil {
		return nil
	}
	return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "Invalid configuration", Detail: err.Error(),
		Path: path}}
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is not the URL of a service: write http://HOST:PORT/PATH", text)
	}
	return nil
}

// agent plays episodes with the user's service.
type agent struct {
	config  *config
	timeout time.Duration
	client  *http.Client
}

func newAgent(setup sdk.Setup) (*agent, error) {
	c := &config{}
	if err := setup.Decode(c); err != nil {
		return nil, err
	}
	if err := checkURL(c.URL); err != nil {
		return nil, err
	}
	timeout, err := time.ParseDuration(c.Timeout)
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	// Each episode has a separate connection: one that the service has closed in the meantime would make an episode
	// fail.
	transport.DisableKeepAlives = true
	return &agent{config: c, timeout: timeout, client: &http.Client{
		Transport: transport,
		// One POST is one episode: redirects are not followed.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Run implements sdk.Agent.
func (a *agent) Run(
	ctx context.Context,
	req sdk.AgentRequest,
	_ sdk.AgentModel,
	_ sdk.AgentSession,
) (*sdk.AgentResponse, error) {
	if _, ok := req.Models[sdk.ModelPolicy]; !ok {
		return nil, a.fail("the host does not provide a policy endpoint: this version of awhost is too old for " +
			"serve agents")
	}
	body, err := json.Marshal(requestOf(req))
	if err != nil {
		return nil, err
	}
	within := ctx
	if a.timeout > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, a.timeout)
		defer cancel()
	}
	status, text, err := a.post(within, body)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(within.Err(), context.DeadlineExceeded):
		return nil, a.fail("did not respond within timeout (%s)", a.timeout)
	case err != nil:
		return nil, a.infrastructureFailure("%v", withoutAddress(err))
	}
	return a.read(status, text)
}

// withoutAddress returns the error without the method and address with which the message begins.
func withoutAddress(err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

func (a *agent) post(ctx context.Context, body []byte) (status int, text []byte, _ error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.config.URL, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	if a.config.Token != "" {
		r.Header.Set("Authorization", "Bearer "+a.config.Token)
	}
	if trace := traceparent.From(ctx); trace != "" {
		r.Header.Set(traceparent.Header, trace)
	}
	for name, value := range a.config.Headers {
		r.Header.Set(name, value)
	}
	response, err := a.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err = io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	return response.StatusCode, text, err
}

// read converts the service's reply to a response or a failure: a failure of the service if the reply is its own, or of
// the infrastructure if the reply comes from something in front of it.
func (a *agent) read(status int, text []byte) (*sdk.AgentResponse, error) {
	switch {
	case status == http.StatusBadGateway || status == http.StatusServiceUnavailable ||
		status == http.StatusGatewayTimeout ||
		status == http.StatusTooManyRequests:
		return nil, a.infrastructureFailure("responded with %d %s: %s", status, http.StatusText(status), quote(text))
	case status < 200 || status > 299:
		return nil, a.fail("responded with %d %s: %s", status, http.StatusText(status), quote(text))
	case len(text) > maxAnswerBytes:
		return nil, a.fail("sent a response larger than %d MiB", maxAnswerBytes>>20)
	case len(bytes.TrimSpace(text)) == 0:
		return nil, nil // the last message of the model is the answer
	}
	var out answer
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, a.fail(
			"sent a response that is not a JSON object of final_answer, reward, is_success, metadata, and metrics: %v: %s",
			err,
			quote(text),
		)
	}
	if out.Error != "" {
		return nil, a.fail("reports: %s", out.Error)
	}
	return out.response(), nil
}

func quote(text []byte) string {
	text = bytes.TrimSpace(text)
	if len(text) > maxQuoted {
		text = append(text[:maxQuoted:maxQuoted], "…"...)
	}
	if len(text) == 0 {
		return "(nothing)"
	}
	if !utf8.Valid(text) {
		return fmt.Sprintf("%q", text)
	}
	return strings.ReplaceAll(string(text), "\n", " ")
}

func (a *agent) fail(format string, args ...any) error {
	return &sdk.Failure{Class: sdk.FailureAgent, Detail: a.config.URL + " " + fmt.Sprintf(format, args...)}
}

// infrastructureFailure returns an infrastructure failure: the episode is retried without counting toward a budget.
func (a *agent) infrastructureFailure(format string, args ...any) error {
	return &sdk.Failure{
		Class: sdk.FailureInfrastructure, Detail: a.config.URL + " is unavailable: " + fmt.Sprintf(format, args...),
		Retryable: true,
	}
}

var _ sdk.Agent = (*agent)(nil)
