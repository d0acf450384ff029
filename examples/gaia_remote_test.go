package examples_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/testlevel"
)

// remote is the example's serve.py behind a proxy that records client headers.
type remote struct {
	URL string

	mu       sync.Mutex
	sessions map[string]bool // SESSION_ID values
	headers  http.Header     // of the last request
}

// remoteQuestions serves the question files over HTTP as in the container, in a process with a minimal environment.
func remoteQuestions(t *testing.T, token string) *remote {
	t.Helper()
	port := freePort(t)
	cmd := exec.Command(gaiaPython(t), "gaia/servers/serve.py", "gaia/data/questions", port)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TOKEN=" + token, "PYTHONDONTWRITEBYTECODE=1", "HOME=/nonexistent"}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	target := &url.URL{Scheme: "http", Host: "127.0.0.1:" + port}
	for begun := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		response, err := http.Get(target.String() + "/health")
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				break
			}
		}
		if time.Since(begun) > time.Minute {
			t.Fatalf("serve.py does not serve: %v\n%s", err, said.String())
		}
	}
	r := &remote{sessions: map[string]bool{}}
	proxy := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mu.Lock()
		r.headers = request.Header.Clone()
		if id := request.Header.Get("SESSION_ID"); id != "" {
			r.sessions[id] = true
		}
		r.mu.Unlock()
		proxy.ServeHTTP(w, request)
	}))
	t.Cleanup(server.Close)
	r.URL = server.URL + "/mcp"
	return r
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

// TestGaia_QuestionsOverHTTP checks that the spec for Kubernetes reaches the manifest's server, here a process on
// another port, with the token and one session per episode.
func TestGaia_QuestionsOverHTTP(t *testing.T) {
	dir := gaiaExample(t, "kubernetes.hcl")
	realtest.Edit(t, filepath.Join(dir, "here.auto.awvars"), fmt.Sprintf("python = %q\n", gaiaPython(t)), "")
	r := remoteQuestions(t, "sesame")
	t.Setenv("GAIA_TOKEN", "sesame")
	out, ok := awhost(t, dir, "plan", "train.hcl", "--var", "url="+r.URL)
	if !ok || !strings.Contains(out, `server "questions": 8 tools`) {
		t.Fatal(out)
	}
	t.Setenv("GAIA_TOKEN", "wrong")
	out, ok = awhost(t, dir, "plan", "train.hcl", "--var", "url="+r.URL)
	if ok || !strings.Contains(out, "refuses requests (401)") {
		t.Errorf("with a wrong token: %s", out)
	}
	t.Setenv("GAIA_TOKEN", "sesame")
	if !testlevel.Slow() {
		realtest.Edit(t, filepath.Join(dir, "train.hcl"), `"questions" {
  path =`, `"questions" {
  limit = 10
  path =`)
	}
	questions := gaiaQuestions(t)
	model := newScripted(questions)
	server := httptest.NewServer(model)
	defer server.Close()
	solved := solve(t, dir, server.URL+"/v1", []string{"url=" + r.URL})
	right := 0
	for id, is := range solved {
		if is {
			right++
		} else {
			t.Errorf("%s was answered by %q", id, model.answers[id])
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if right < 10 || len(r.sessions) < right {
		t.Errorf("%d questions were answered in %d sessions", right, len(r.sessions))
	}
}

// TestGaia_AWorldsHeaders checks that AWorld's preset sends the headers that AWorld's environment requires.
func TestGaia_AWorldsHeaders(t *testing.T) {
	dir := gaiaExample(t, "aworld.hcl")
	if err := os.Remove(filepath.Join(dir, "here.auto.awvars")); err != nil { // it does not fit the spec's variables
		t.Fatal(err)
	}
	r := remoteQuestions(t, "invited")
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte("INVITATION_CODE=invited\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, ok := awhost(t, dir, "plan", "train.hcl", "--var", "hosted=true", "--var", "url="+r.URL)
	if !ok || !strings.Contains(out, `server "gaia": 8 tools`) {
		t.Fatal(out)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, want := range map[string]string{
		"Authorization": `^Bearer invited$`, "ENV_CODE": `^gaia$`, "MCP_SERVERS": `^browser-server,.*,googlesearch-server$`,
	} {
		if got := r.headers.Get(name); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s: %q", name, got)
		}
	}
	out, ok = awhost(t, dir, "plan", "train.hcl")
	if !ok || !strings.Contains(out, "the run starts its server: sh run-local.sh") {
		t.Errorf("the container: %s", out)
	}
}

// TestGaia_NamesOfAWorld checks that .env.example has every name of AWorld's own template and every name that the
// specs read.
func TestGaia_NamesOfAWorld(t *testing.T) {
	names := func(path string) map[string]bool {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		out := map[string]bool{}
		for lines := bufio.NewScanner(file); lines.Scan(); {
			if name, _, ok := strings.Cut(lines.Text(), "="); ok && !strings.HasPrefix(name, "#") {
				if out[name] {
					t.Errorf("%s has %s twice", path, name)
				}
				out[name] = true
			}
		}
		return out
	}
	ours := names("gaia/.env.example")
	spec, err := os.ReadFile("gaia/aworld.hcl")
	if err != nil {
		t.Fatal(err)
	}
	for _, asked := range regexp.MustCompile(`env\("([A-Z_]+)"`).FindAllStringSubmatch(string(spec), -1) {
		if !ours[asked[1]] {
			t.Errorf("aworld.hcl asks for %s", asked[1])
		}
	}
	data := os.Getenv("AWHOST_TESTDATA")
	if data == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the folder with users/aworld: its template of names is in it")
	}
	theirs := names(filepath.Join(data, "users/aworld/env_template"))
	for name := range theirs {
		if !ours[name] {
			t.Errorf("AWorld's template has %s", name)
		}
	}
	if len(theirs) < 12 || len(ours) < 100 {
		t.Errorf("%d names here, %d in AWorld's template", len(ours), len(theirs))
	}
}

// TestGaia_ManifestFitsKubernetes validates the manifest against Kubernetes' own schemas. AWHOST_KUBERNETES_VALIDATE
// names the program of the PyPI package kubernetes-validate, which contains them.
func TestGaia_ManifestFitsKubernetes(t *testing.T) {
	program := os.Getenv("AWHOST_KUBERNETES_VALIDATE")
	if program == "" {
		t.Skip("SKIPPED: AWHOST_KUBERNETES_VALIDATE does not name kubernetes-validate")
	}
	check := func(path string) (string, error) {
		out, err := exec.CommandContext(t.Context(), program, "--strict", "-k", "1.34", path).CombinedOutput()
		return string(out), err
	}
	const manifest = "gaia/kubernetes/environment.yaml"
	if out, err := check(manifest); err != nil || strings.Count(out, "passed") != 2 {
		t.Errorf("%v: %s", err, out)
	}
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	for piece, by := range map[string]string{
		"readOnlyRootFilesystem": "readOnlyRoot", "containerPort: 8000": `containerPort: "mcp"`,
	} {
		path := filepath.Join(t.TempDir(), "wrong.yaml")
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), piece, by, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := check(path); err == nil {
			t.Errorf("%s instead of %s passed: %s", by, piece, out)
		}
	}
	image, err := os.ReadFile("gaia/kubernetes/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	pins, err := os.ReadFile("../.ci/mcp-servers")
	if err != nil {
		t.Fatal(err)
	}
	pin := regexp.MustCompile(`fastmcp==[0-9.]+`)
	if a, b := pin.FindString(string(image)), pin.FindString(string(pins)); a == "" || a != b {
		t.Errorf("the image has %q, and the tests have %q", a, b)
	}
	user := regexp.MustCompile(`runAsUser: (\d+)`).FindStringSubmatch(string(text))
	if len(user) == 0 || !strings.Contains(string(image), "useradd --uid "+user[1]+" ") {
		t.Error("the manifest runs as another user than the image has")
	}
}
