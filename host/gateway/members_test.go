package gateway

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// TestMembers_AreToldApartByTheirKeys checks that the suffix of the key selects the member, and that equal requests of
// two members are two calls.
func TestMembers_AreToldApartByTheirKeys(t *testing.T) {
	p := &policy{}
	endpoint, end := serve(t, p)
	for _, behind := range []string{"", ".member.werewolf", ".member.der%20B%C3%A4r", ".untrained.villager"} {
		member := endpoint
		member.APIKey += behind
		if status, text := post(t, member, question, nil); status != http.StatusOK {
			t.Errorf("%s: %d %s", behind, status, text)
		}
	}
	var got []string
	for _, r := range p.asked() {
		got = append(got, r.Member)
	}
	if diff := cmp.Diff([]string{"", "werewolf", "der Bär", MemberUntrained + "villager"}, got); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	if calls := end()[metricCalls]; calls != 4 {
		t.Errorf("%g calls", calls)
	}
}

// TestMembers_RepeatTheirOwnCallsAlone checks that a repeated request gets the answer of the same member.
func TestMembers_RepeatTheirOwnCallsAlone(t *testing.T) {
	p := &policy{}
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	endpoint, _ := g.Grant(t.Context(), Lease{Model: p, Repeats: RepeatsReplay})
	answers := map[string]string{}
	for _, behind := range []string{".member.a", ".member.b", ".member.a"} {
		member := endpoint
		member.APIKey += behind
		status, text := post(t, member, question, nil)
		if before, asked := answers[behind]; status != http.StatusOK || asked && before != text {
			t.Errorf("%s: %d %s", behind, status, text)
		}
		answers[behind] = text
	}
	if n := len(p.asked()); n != 2 || answers[".member.a"] == answers[".member.b"] {
		t.Errorf("%d calls: %v", n, answers)
	}
}

func TestMembers_HaveNames(t *testing.T) {
	p := &policy{}
	endpoint, _ := serve(t, p)
	for _, behind := range []string{
		".member.", ".member.a%2Fb", ".member.%zz", ".untrained.auxiliary", ".member.%00",
		".member." + strings.Repeat("a", 65),
	} {
		member := endpoint
		member.APIKey += behind
		status, text := post(t, member, question, nil)
		if status != http.StatusUnauthorized || !strings.Contains(text, "not a valid member name") {
			t.Errorf("%s: %d %s", behind, status, text)
		}
	}
	if n := len(p.asked()); n != 0 {
		t.Errorf("%d calls", n)
	}
}

// TestMembers_AreRefusedWhereAllIsTrained checks that untrained members are rejected, because a trainer that uses
// everything would train them.
func TestMembers_AreRefusedWhereAllIsTrained(t *testing.T) {
	p := &policy{}
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	endpoint, _ := g.Grant(t.Context(), Lease{Model: p, TrainsAll: true})
	for behind, want := range map[string]int{".member.a": http.StatusOK, ".untrained.a": http.StatusBadRequest} {
		member := sdk.ModelEndpoint{BaseURL: endpoint.BaseURL, APIKey: endpoint.APIKey + behind}
		status, text := post(t, member, question, nil)
		if status != want || status != http.StatusOK && !strings.Contains(text, "trains_all") {
			t.Errorf("%s: %d %s", behind, status, text)
		}
	}
}

// TestMembers_GoOnFromNoneThatIsNotTrained checks that trained calls do not continue an untrained conversation, whose
// tokens would stay out of training.
func TestMembers_GoOnFromNoneThatIsNotTrained(t *testing.T) {
	p := &policy{}
	endpoint, _ := serve(t, p)
	next := `{"model":"m","messages":[{"role":"user","content":"1+2"},{"role":"assistant","content":"answer 1"},` +
		`{"role":"user","content":"and 3?"}]}`
	for _, ask := range []struct{ behind, body string }{{".untrained.a", question}, {"", next}, {".untrained.a", next}} {
		member := endpoint
		member.APIKey += ask.behind
		if status, text := post(t, member, ask.body, nil); status != http.StatusOK {
			t.Fatalf("%s: %d %s", ask.behind, status, text)
		}
	}
	asked := p.asked()
	if asked[1].Chain != "" || asked[2].Chain != "c1" {
		t.Errorf("the trained member continues %q, the other member %q", asked[1].Chain, asked[2].Chain)
	}
}

// TestServed_RoutesByModel checks that a served model answers the requests that name it, with any key of the episode
// and any rules for auxiliary requests. It continues no conversation of the policy. Unknown names are rejected.
func TestServed_RoutesByModel(t *testing.T) {
	p := &policy{}
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	rules, err := ParseRules([]string{"prompt:plan"})
	if err != nil {
		t.Fatal(err)
	}
	endpoint, end := g.Grant(t.Context(), Lease{
		Model: p, Auxiliary: rules, TrainsAll: true, Served: map[string]string{"big": "big", "org/Big-7B": "big"},
		ModelNames: map[string]string{"*": "policy", "gpt-*": "policy", "gpt-*[1m]": "big", "bigg": "none"},
	})
	const said = `"messages":[{"role":"user","content":"q"}]}`
	const next = `"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"answer 1"},` +
		`{"role":"user","content":"?"}]}`
	type asked struct{ Member, Chain string }
	var want []asked
	for _, c := range []struct{ behind, model, rest, member, chain, by string }{
		{"", `"model":"policy",`, said, "", "", "policy"},
		{"", `"model":"big",`, said, MemberServed + "big", "", "big"},
		{"", `"model":"org/Big-7B",`, next, MemberServed + "big", "", "big"}, // it continues the policy's message
		{"", "", next, "", "c1", "policy"},
		{"", `"model":"gpt-5",`, said, "", "", "policy"},
		{"", `"model":"gpt-5[1m]",`, said, MemberServed + "big", "", "big"},
		{".member.sum", `"model":"big",`, said, MemberServed + "big/sum", "", "big"},
		{".untrained.sum", `"model":"big",`, said, MemberServed + "big/sum", "", "big"},
		{"", `"model":"big",`, strings.ReplaceAll(said, `"q"`, `"plan"`), MemberServed + "big", "", "big"},
		{"", `"model":"policy",`, strings.ReplaceAll(said, `"q"`, `"plan"`), MemberAuxiliary, "", "policy"},
	} {
		member := endpoint
		member.APIKey += c.behind
		status, text := post(t, member, "{"+c.model+c.rest, nil)
		if status != http.StatusOK || !strings.Contains(text, fmt.Sprintf(`"model":%q`, c.by)) {
			t.Errorf("%+v: %d %s", c, status, text)
		}
		want = append(want, asked{c.member, c.chain})
	}
	const unknown = `unknown model \"bigg\": use policy for the policy, the served model big or org/Big-7B, or a name`
	for path, body := range map[string]string{
		"/chat/completions": said, "/messages": `"max_tokens":9,` + said, "/responses": `"input":"q"}`,
	} {
		status, text := post(t, endpoint, `{"model":"bigg",`+body, func(r *http.Request) {
			r.URL.Path = strings.TrimSuffix(r.URL.Path, "/chat/completions") + path
		})
		if status != http.StatusBadRequest || !strings.Contains(text, unknown) {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	var got []asked
	for _, r := range p.asked() {
		got = append(got, asked{r.Member, r.Chain})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	models, err := client(endpoint).ListModels(t.Context())
	if err != nil || len(models.Models) != 3 || models.Models[1].ID != "big" {
		t.Errorf("%+v, %v", models, err)
	}
	if n := end()[metricRefused]; n != 3 {
		t.Errorf("%g requests are refused, want 3", n)
	}
}
