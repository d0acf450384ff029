package mcpcheck_test

import (
	stdcmp "cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/plugins/mcp-env/internal/mcptest"
	"github.com/awhost/awhost/plugins/mcp-env/mcpcheck"
	"github.com/awhost/awhost/sdk/conformance"
)

func TestMain(m *testing.M) {
	mcptest.Main()
	testlevel.Parallel(8) // the tests wait for servers that never answer
	goleak.VerifyTestMain(m)
}

// withStatus returns the checks with a status.
func withStatus(report *conformance.Report, status conformance.Status) []string {
	out := []string{}
	for _, r := range report.Results {
		if r.Status == status {
			out = append(out, r.Check.ID)
		}
	}
	return out
}

func verify(t *testing.T, c mcpcheck.Config) *conformance.Report {
	t.Helper()
	c.Timeout, c.Calls = stdcmp.Or(c.Timeout, 20*time.Second), max(c.Calls, 50)
	report, err := mcpcheck.Verify(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status == conformance.Failed {
			t.Logf("%s: %s", r.Check.ID, r.Reason)
		}
	}
	return report
}

func TestVerify_PassesGoodServers(t *testing.T) {
	for _, era := range []mcptest.Era{mcptest.Legacy, mcptest.Modern} {
		t.Run(string(era), func(t *testing.T) {
			report := verify(t, mcpcheck.Config{URL: mcptest.HTTP(t, era).URL})
			if diff := cmp.Diff([]string{}, withStatus(report, conformance.Failed)); diff != "" || !report.Conforms() {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"MCP-APART-01"}, withStatus(report, conformance.Skipped)); diff != "" {
				t.Error(diff)
			}
			if report.Plugin != "mcptest" {
				t.Errorf("the report is on %q", report.Plugin)
			}
		})
	}
}

// Each rule has a server that breaks it, and no other rule.
func TestVerify_FindsWhatServersBreak(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: there is no python3")
	}
	server, err := filepath.Abs("testdata/server.py")
	if err != nil {
		t.Fatal(err)
	}
	shared := filepath.Join(t.TempDir(), "notes")
	if err := os.WriteFile(shared, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for broken, want := range map[string][]string{
		"":         {},
		"empty":    {"MCP-LIST-01"},
		"drifts":   {"MCP-LIST-02"},
		"name":     {"MCP-NAME-01"},
		"schema":   {"MCP-SCHEMA-01"},
		"keyword":  {"MCP-SCHEMA-01"},
		"dangling": {"MCP-SCHEMA-01"},
		"pleases":  {"MCP-UNKNOWN-01"},
		"lenient":  {"MCP-ARGS-01"},
		"grows":    {"MCP-ENDURE-01"},
		"shares":   {"MCP-APART-01"},
		"cut":      {"MCP-CANCEL-01", "MCP-SIDE-01", "MCP-ENDURE-01"},
		"dies":     {"MCP-ARGS-01", "MCP-ARGS-02", "MCP-CANCEL-01", "MCP-SIDE-01", "MCP-ENDURE-01"},
		"coerces":  {"MCP-ARGS-02"},
		// These answer pings, and so are alive, but never answer such calls.
		"hangs-unknown": {"MCP-UNKNOWN-01"},
		"hangs-missing": {"MCP-ARGS-01"},
		"hangs-type":    {"MCP-ARGS-02"},
		"hangs-call":    {"MCP-CALL-01", "MCP-APART-01"},
		"hangs-later":   {"MCP-ENDURE-01"},
	} {
		t.Run(broken, func(t *testing.T) {
			t.Parallel() // some wait for answers that never arrive
			command := []string{"env", "SHARED_NOTES=" + shared, python, server, broken}
			c := mcpcheck.Config{Command: command, Write: `note{"text":"a"}`, Read: `notes{}`}
			switch broken {
			case "grows":
				c.Calls = 120
			case "hangs-later":
				c.Calls = 200
			}
			if strings.HasPrefix(broken, "hangs") {
				c.Timeout = 15 * time.Second // fully used by a call that is never answered
			}
			if diff := cmp.Diff(want, withStatus(verify(t, c), conformance.Failed)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestVerify_SaysWhatItCannotShow(t *testing.T) {
	server := mcptest.HTTP(t, mcptest.Modern)
	report := verify(t, mcpcheck.Config{URL: server.URL, Write: `note{"text":"a"}`, Read: `notes{}`})
	if got := withStatus(report, conformance.Failed); !slices.Equal(got, []string{"MCP-APART-01"}) {
		t.Errorf("a server that shares its notes fails %v", got)
	}
	for _, wrong := range []mcpcheck.Config{
		{}, {URL: "http://a", Command: []string{"b"}}, {URL: "http://a", Write: "x{}"},
		{URL: "http://a", Write: "x", Read: "y{}"},
	} {
		if _, err := mcpcheck.Verify(t.Context(), wrong); err == nil {
			t.Errorf("%+v is checked", wrong)
		}
	}
	refused, err := mcpcheck.Verify(t.Context(), mcpcheck.Config{
		URL: server.URL, Calls: 1, Write: "refuse{}", Read: "notes{}",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range refused.Results {
		if r.Check.ID == "MCP-APART-01" && r.Reason != "--write failed: refused by the server" {
			t.Errorf("a --write that fails: %s", r.Reason)
		}
	}
	none, err := mcpcheck.Verify(t.Context(), mcpcheck.Config{Command: []string{"false"}, Timeout: time.Second})
	if err != nil || none.Conforms() || !strings.Contains(none.Results[0].Reason, "under test") {
		t.Errorf("a server that does not start: %v, %+v", err, none)
	}
}
