package fakeplugin

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/awhost/awhost/sdk"
)

// overHTTP requests a streamed response from an episode's endpoint and reads all of it.
func (p *player) overHTTP(ctx context.Context, req sdk.AgentRequest) (string, error) {
	if p.config.ByMCP {
		if err := p.callTool(ctx, req.ToolServer); err != nil {
			return "", err
		}
	}
	endpoint := req.Models[sdk.ModelPolicy]
	said := req.Messages
	if p.config.Asks != "" {
		plan, err := p.ask(ctx, endpoint, p.config.Asks, said)
		if err != nil {
			return "", err
		}
		said = append(slices.Clone(said), sdk.Message{Role: sdk.RoleAssistant, Content: plan},
			sdk.Message{Role: sdk.RoleUser, Content: "Go."})
	}
	content, err := p.ask(ctx, endpoint, sdk.ModelPolicy, said)
	if p.heard.Add(1) == 3 && p.config.Record != "" {
		file, made := os.OpenFile(p.config.Record, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if made == nil {
			_, written := file.WriteString(content)
			return "", errors.Join(err, written, file.Close(), syscall.Kill(os.Getppid(), syscall.SIGKILL))
		}
	}
	return content, err
}

// ask requests the next message from one of the endpoint's models, as a stream.
func (p *player) ask(
	ctx context.Context, endpoint sdk.ModelEndpoint, model string, said []sdk.Message,
) (string, error) {
	body, err := p.question(model, said)
	if err != nil {
		return "", err
	}
	status, text, err := p.post(ctx, endpoint.BaseURL+"/chat/completions", endpoint.APIKey, body)
	if err != nil || status != http.StatusOK || !strings.HasSuffix(text, "data: [DONE]\n\n") {
		return "", fmt.Errorf("%d: %s: %w", status, text, err)
	}
	return contentOf(text)
}

// question returns the body of a request.
func (p *player) question(model string, said []sdk.Message) ([]byte, error) {
	var messages []map[string]string
	for _, m := range said {
		messages = append(messages, map[string]string{"role": string(m.Role), "content": m.Content})
	}
	if p.config.Says != "" {
		messages = append(messages, map[string]string{"role": "user", "content": p.config.Says})
	}
	return json.Marshal(map[string]any{"model": model, "stream": true, "messages": messages})
}

// callTool calls the environment's tool. After a failure, it returns only when its context is done.
func (p *player) callTool(ctx context.Context, server *sdk.ToolEndpoint) error {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}`
	status, text, err := p.post(ctx, server.URL, server.Token, []byte(call))
	if err == nil && status == http.StatusOK && strings.Contains(text, `"result"`) {
		return nil
	}
	<-ctx.Done()
	return fmt.Errorf("%d: %s: %w", status, text, errors.Join(err, ctx.Err()))
}

// post sends a body with a key and reads the whole response.
func (p *player) post(ctx context.Context, url, key string, body []byte) (status int, text string, _ error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	client, err := p.client()
	if err != nil {
		return 0, "", err
	}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, string(answer), err
}

// client returns a client that trusts the configured certificate.
func (p *player) client() (*http.Client, error) {
	if p.config.Trust == "" {
		return &http.Client{Transport: &http.Transport{}}, nil
	}
	text, err := os.ReadFile(p.config.Trust)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
	}}, nil
}

// contentOf assembles the text of a stream.
func contentOf(stream string) (content string, _ error) {
	for line := range strings.Lines(stream) {
		var chunk struct {
			Choices []struct {
				Delta struct {
					Content string `json:"content"`
				} `json:"delta"`
			} `json:"choices"`
		}
		data, ok := strings.CutPrefix(line, "data: {")
		if !ok {
			continue
		}
		if err := json.Unmarshal([]byte("{"+data), &chunk); err != nil {
			return "", err
		}
		for _, c := range chunk.Choices {
			content += c.Delta.Content
		}
	}
	return content, nil
}
