package scripted

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
	"strings"
	"syscall"

	"github.com/awhost/awhost/sdk"
)

// overHTTP asks the endpoint of an episode for an answer, as a stream, and reads all of it.
func (p *player) overHTTP(ctx context.Context, req sdk.AgentRequest) (string, error) {
	endpoint := req.Models[sdk.ModelPolicy]
	messages := make([]map[string]string, len(req.Messages))
	for i, m := range req.Messages {
		messages[i] = map[string]string{"role": string(m.Role), "content": m.Content}
	}
	body, err := json.Marshal(map[string]any{"model": "policy", "stream": true, "messages": messages})
	if err != nil {
		return "", err
	}
	url := endpoint.BaseURL + "/chat/completions"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+endpoint.APIKey)
	client, err := p.client()
	if err != nil {
		return "", err
	}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !strings.HasSuffix(string(text), "data: [DONE]\n\n") {
		return "", fmt.Errorf("%s: %s: %w", response.Status, text, err)
	}
	content, err := contentOf(text)
	if p.heard.Add(1) == 3 && p.config.Heard != "" {
		file, made := os.OpenFile(p.config.Heard, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if made == nil {
			_, written := file.WriteString(content)
			return "", errors.Join(err, written, file.Close(), syscall.Kill(os.Getppid(), syscall.SIGKILL))
		}
	}
	return content, err
}

// client is one that trusts what the configuration says.
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

// contentOf puts the text of a stream together.
func contentOf(stream []byte) (content string, _ error) {
	for line := range strings.Lines(string(stream)) {
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
