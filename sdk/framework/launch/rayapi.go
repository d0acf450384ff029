package launch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

const (
	// callTimeout bounds one call of a cluster.
	callTimeout = 60 * time.Second
	// mostAnswer bounds what is read of an answer, in bytes. Logs come whole.
	mostAnswer = 1 << 30
	// mostError bounds what is shown of an error that a cluster reports, in bytes.
	mostError = 600
)

// rayAPI talks to one dashboard.
type rayAPI struct {
	address   string
	tokenFile string
	client    *http.Client
}

// rayClient follows no redirects: a token would go with them. It keeps no connections, for it asks seldom.
func rayClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// call does one request. Its error wraps ErrNone where there is no such job, and ErrUnreachable where asking again may help.
func (a *rayAPI) call(ctx context.Context, method, path string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	request, err := a.request(ctx, method, path, in)
	if err != nil {
		return err
	}
	response, err := a.client.Do(request)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if err := refusal(response, body); err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("%s %s answers what is no JSON of Ray: %w", method, a.address+path, err)
	}
	return nil
}

func (a *rayAPI) request(ctx context.Context, method, path string, in any) (*http.Request, error) {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, method, a.address+path, body)
	if err != nil {
		return nil, err
	}
	if in != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if a.tokenFile != "" {
		token, err := os.ReadFile(a.tokenFile)
		if err != nil {
			return nil, fmt.Errorf("read Ray's token: %w", err)
		}
		request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	}
	return request, nil
}

// refusal is what an answer says that is not a success.
func refusal(response *http.Response, body []byte) error {
	said := lastWords(string(body))
	switch code := response.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code == http.StatusNotFound:
		return fmt.Errorf("%w: %s", ErrNone, said)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return fmt.Errorf("Ray answers %s: set token_file of the ray block to the cluster's token. %s", response.Status, said)
	case strings.Contains(string(body), "Request failed with status code 4"): // what the cluster's agent refuses comes as an error of the server
		return fmt.Errorf("Ray refuses: %s", said)
	case code >= 500 || code == http.StatusTooManyRequests || code == http.StatusRequestTimeout:
		return fmt.Errorf("%w: Ray answers %s: %s", ErrUnreachable, response.Status, said)
	case code >= 300 && code < 400:
		return fmt.Errorf("Ray answers %s to %s: set the address to where the dashboard is", response.Status, response.Header.Get("Location"))
	default:
		return fmt.Errorf("Ray answers %s: %s", response.Status, said)
	}
}

// lastWords is the end of an error text: of a Python traceback the line that says what happened.
func lastWords(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "Traceback") {
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	if len(text) > mostError {
		text = text[:mostError] + " …"
	}
	return text
}

var errShorter = errors.New("the cluster's log is shorter than what was read of it")
