package gateway

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// get requests a path.
func get(t *testing.T, e sdk.ModelEndpoint, method, path string, header ...string) (int, string) {
	t.Helper()
	return post(t, e, "", func(r *http.Request) {
		r.Method = method
		r.URL.Path, r.URL.RawQuery, _ = strings.Cut(path, "?")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
	})
}

// TestRoutes_AsClientsSendThem checks paths without the version, with it once and twice, with an extra slash and with
// a query.
func TestRoutes_AsClientsSendThem(t *testing.T) {
	p := &policy{}
	e, _ := serve(t, p)
	n := 0
	for path, body := range map[string]string{
		"/chat/completions": question, "/responses": `{"input":"a"}`,
		"/messages": `{"max_tokens":1,"messages":[{"role":"user","content":"a"}]}`,
	} {
		for _, before := range []string{"", "/v1", "/v1/v1", "//v1", "/v1/"} {
			n++
			status, text := post(t, e, body, func(r *http.Request) { r.URL.Path, r.URL.RawQuery = before+path, "beta=true" })
			if status != http.StatusOK {
				t.Errorf("%s: %d: %s", before+path, status, text)
			}
		}
	}
	if len(p.asked()) != n {
		t.Errorf("%d of %d requests arrived", len(p.asked()), n)
	}
	if status, text := get(t, e, http.MethodHead, "/"); status != http.StatusOK || text != "" {
		t.Errorf("HEAD /: %d %s", status, text)
	}
	for _, path := range []string{"/v1/embeddings", "/v2/responses", "/v1/responses/resp_1"} {
		status, text := get(t, e, http.MethodGet, path)
		if status != http.StatusNotFound || !strings.Contains(text, `"error":{`) {
			t.Errorf("%s: %d: %s", path, status, text)
		}
		status, text = get(t, e, http.MethodGet, path, "Anthropic-Version", "2023-06-01")
		if status != http.StatusNotFound || !strings.Contains(text, `"type":"not_found_error"`) {
			t.Errorf("%s: %d: %s", path, status, text)
		}
	}
}

// TestModels checks the list in OpenAI's form, and in Anthropic's form for its clients.
func TestModels(t *testing.T) {
	e, _ := serve(t, &policy{})
	for path, want := range map[string][2]string{
		"/v1/models": {
			`{"data":[{"created":0,"id":"policy","object":"model","owned_by":"awhost"}],"object":"list"}`,
			`{"data":[{"created_at":"1970-01-01T00:00:00Z","display_name":"policy","id":"policy","type":"model"}],` +
				`"first_id":"policy","has_more":false,"last_id":"policy"}`,
		},
		"/models/some/model": {
			`{"created":0,"id":"some/model","object":"model","owned_by":"awhost"}`,
			`{"created_at":"1970-01-01T00:00:00Z","display_name":"some/model","id":"some/model","type":"model"}`,
		},
	} {
		for i, header := range [][]string{nil, {"Anthropic-Version", "2023-06-01"}} {
			status, text := get(t, e, http.MethodGet, path, header...)
			if diff := cmp.Diff(want[i]+"\n", text); diff != "" || status != http.StatusOK {
				t.Errorf("%s: %d (-want +got):\n%s", path, status, diff)
			}
		}
		if status, _ := get(t, sdk.ModelEndpoint{BaseURL: e.BaseURL, APIKey: "x"}, http.MethodGet, path); status != 401 {
			t.Errorf("%s without a key: %d", path, status)
		}
	}
}

// TestCountTokens checks that the answer is marked as an estimate, is based on the tokens counted by the policy, and
// makes no request to the policy.
func TestCountTokens(t *testing.T) {
	p := &policy{}
	e, end := serve(t, p)
	count := func(words int) (n struct {
		Tokens    int  `json:"input_tokens"`
		Estimated bool `json:"estimated"`
	}) {
		t.Helper()
		body := `{"messages":[{"role":"user","content":"` + strings.Repeat("word ", words) + `"}]}`
		status, text := post(t, e, body, func(r *http.Request) { r.URL.Path = "/v1/messages/count_tokens" })
		if err := json.Unmarshal([]byte(text), &n); err != nil || status != http.StatusOK || !n.Estimated {
			t.Errorf("%d: %s", status, text)
		}
		return n
	}
	if short, long := count(10).Tokens, count(1000).Tokens; short < 10 || short > 30 || long < 1200 || long > 1300 {
		t.Errorf("before the policy has counted: %d, %d", short, long)
	}
	post(t, e, `{"max_tokens":1,"messages":[{"role":"user","content":"`+strings.Repeat("word ", 20)+`"}]}`,
		func(r *http.Request) { r.URL.Path = "/v1/messages" }) // 10 tokens by this policy's count
	if n := count(1000).Tokens; n < 300 || n > 400 {
		t.Errorf("5,000 bytes are %d tokens where some 150 were 10", n)
	}
	if stats := end(); len(p.asked()) != 1 || stats[metricCalls] != 1 {
		t.Errorf("%+v", stats)
	}
}

// certificate writes a certificate for names and its key.
func certificate(t *testing.T, names []string, addresses ...net.IP) (RemoteListener, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: names, IPAddresses: addresses,
		KeyUsage: x509.KeyUsageDigitalSignature, BasicConstraintsValid: true, IsCA: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	e := RemoteListener{
		Listen: "127.0.0.1:0", Certificate: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem"),
	}
	for file, block := range map[string]*pem.Block{
		e.Certificate: {Type: "CERTIFICATE", Bytes: der}, e.Key: {Type: "PRIVATE KEY", Bytes: keyDER},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	known := x509.NewCertPool()
	known.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return e, known
}

// TestRemoteListener_WithTLSAlone checks that programs on other machines reach the gateway by a name of its certificate
// and by no other, and that nothing is served without certificate and key.
func TestRemoteListener_WithTLSAlone(t *testing.T) {
	elsewhere, known := certificate(t, []string{"train.example.org"}, net.IPv4(127, 0, 0, 1))
	g, err := Listen(Options{Remote: &elsewhere})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	e, _ := g.Grant(t.Context(), Lease{Model: &policy{}})
	_, port, _ := net.SplitHostPort(g.listener.Addr().String())
	if want := "https://train.example.org:" + port + "/v1"; e.BaseURL != want {
		t.Errorf("%s, want %s", e.BaseURL, want)
	}
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: known, MinVersion: tls.VersionTLS12},
	}}
	for host, want := range map[string]int{
		"train.example.org": 200, "127.0.0.1": 200, "localhost": 403, "evil.example": 403,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+g.listener.Addr().String()+chatPath,
			strings.NewReader(question))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host + ":" + port
		r.Header.Set("Authorization", "Bearer "+e.APIKey)
		response, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(response.Body)
		if _ = response.Body.Close(); response.StatusCode != want {
			t.Errorf("%s: %d: %s", host, response.StatusCode, text)
		}
	}
	if response, err := http.Get("http://" + g.listener.Addr().String()); err == nil {
		if _ = response.Body.Close(); response.StatusCode != http.StatusBadRequest {
			t.Errorf("without TLS: %s", response.Status)
		}
		http.DefaultClient.CloseIdleConnections()
	}
	other, _ := certificate(t, []string{"other.example.org"})
	wild, _ := certificate(t, []string{"*.example.org"})
	for want, wrong := range map[string]RemoteListener{
		"name the files of a certificate": {Listen: "127.0.0.1:0"},
		"read certificate and key":        {Listen: "127.0.0.1:0", Certificate: elsewhere.Certificate, Key: other.Key},
		"choose one of these names":       {Listen: "127.0.0.1:0", Certificate: wild.Certificate, Key: wild.Key},
		"not train.example.org":           {Certificate: other.Certificate, Key: other.Key, Host: "train.example.org"},
	} {
		if g, err := Listen(Options{Remote: &wrong}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %+v; want %s", err, g, want)
		}
	}
	wild.Host = "train.example.org"
	if err := wild.Check(); err != nil {
		t.Error(err)
	}
}
