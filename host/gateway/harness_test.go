package gateway

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

var update = flag.Bool("update", false, "write testdata/harness/*/chains.txt and testdata/fields")

// recording is a request made by a harness. The tests of examples/harness record them with the real programs.
type recording struct {
	Path   string            `json:"path"`
	Header map[string]string `json:"header"`
	Body   json.RawMessage   `json:"body"`

	asked *ask
}

// TestHarnesses_CallsGoOn checks that the recorded requests of real harnesses, repeated in order, continue each other
// as chains.txt describes: the member, the continued call, and the number of new messages.
func TestHarnesses_CallsGoOn(t *testing.T) {
	folders, err := filepath.Glob("testdata/harness/*")
	if err != nil || len(folders) < 4 {
		t.Fatal("recordings are missing: ", folders, err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			recordings := readRecordings(t, folder)
			got := replay(t, recordings)
			golden := filepath.Join(folder, "chains.txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func readRecordings(t *testing.T, folder string) []*recording {
	t.Helper()
	var out []*recording
	for n := 1; ; n++ {
		text, err := os.ReadFile(filepath.Join(folder, fmt.Sprint(n, ".json")))
		if os.IsNotExist(err) {
			return out
		}
		r := &recording{}
		if err == nil {
			err = json.Unmarshal(text, r)
		}
		if err != nil {
			t.Fatal(err)
		}
		d, ok := map[string]dialect{
			"/v1/chat/completions": completions{}, "/v1/responses": responses{}, "/v1/messages?beta=true": messages{},
		}[r.Path]
		if !ok {
			t.Fatalf("%s does not request a message", r.Path)
		}
		var p *problem
		if r.asked, p = (&lease{Lease: harnessLease(t)}).decode(d, r.Body, r.header()); p != nil {
			t.Fatalf("%s, request %d: %s", folder, n, p.text)
		}
		out = append(out, r)
	}
}

func (r *recording) header() http.Header {
	h := http.Header{}
	for name, value := range r.Header {
		h.Set(name, value)
	}
	return h
}

// harnessLease returns a lease as agents of type command have with a preset.
func harnessLease(t *testing.T) Lease {
	t.Helper()
	rules, err := ParseRules([]string{"no_tools"})
	if err != nil {
		t.Fatal(err)
	}
	return Lease{Repeats: RepeatsReplay, DropTools: true, Auxiliary: rules}
}

// replay sends all recorded requests to a gateway, twice each, as retries do. The policy answers with the message that
// later requests contain, or with a final one.
func replay(t *testing.T, recordings []*recording) string {
	t.Helper()
	p := &policy{answer: func(_ int, req sdk.ModelRequest) (*sdk.ModelReply, error) {
		have := req.Base + len(req.Messages)
		for _, r := range recordings {
			if m := r.asked.request.Messages; len(m) > have && r.asked.request.Member == req.Member &&
				len(r.asked.request.Tools) == len(req.Tools) && m[have-1].Content == req.Messages[len(req.Messages)-1].Content {
				return &sdk.ModelReply{Message: m[have]}, nil
			}
		}
		return &sdk.ModelReply{Message: sdk.Message{Content: "done"}}, nil
	}}
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	l := harnessLease(t)
	l.Model = p
	e, end := g.Grant(t.Context(), l)
	var out strings.Builder
	for n, r := range recordings {
		for range 2 {
			if status, text := post(t, e, string(r.Body), func(h *http.Request) {
				path, query, _ := strings.Cut(r.Path, "?")
				h.URL.Path, h.URL.RawQuery = path, query
				for name, value := range r.Header {
					h.Header.Set(name, value)
				}
			}); status != http.StatusOK {
				t.Fatalf("request %d: %d: %s", n+1, status, text)
			}
		}
		asked := p.asked()
		if len(asked) != n+1 {
			t.Fatalf("request %d, sent twice: %d messages were sampled so far", n+1, len(asked))
		}
		a, who, from := asked[n], "agent", "nothing"
		if a.Member != "" {
			who = a.Member
		}
		if a.Chain != "" {
			from = fmt.Sprintf("%s after %d messages", a.Chain, a.Base)
		}
		var roles []string
		for _, m := range a.Messages {
			roles = append(roles, string(m.Role))
		}
		fmt.Fprintf(&out, "%d: %s, from %s: %s; %d tools\n", n+1, who, from, strings.Join(roles, " "), len(a.Tools))
	}
	for name, n := range end() {
		if name == metricCalls && int(n) != len(recordings) {
			t.Errorf("%v calls for %d requests", n, len(recordings))
		}
	}
	return out.String()
}
