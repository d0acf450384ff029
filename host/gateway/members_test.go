package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// TestMembers_AreToldApartByTheirKeys: what stands behind the key says which member asks, and what two members ask in
// the same words is two calls.
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

// TestMembers_RepeatTheirOwnCallsAlone: a program that repeats gets the answer of its own member.
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
		if status != http.StatusUnauthorized || !strings.Contains(text, "no name of a member") {
			t.Errorf("%s: %d %s", behind, status, text)
		}
	}
	if n := len(p.asked()); n != 0 {
		t.Errorf("%d calls", n)
	}
}

// TestMembers_AreRefusedWhereAllIsTrained: a trainer that leaves nothing out would train a member that is not to be.
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

// TestMembers_GoOnFromNoneThatIsNotTrained: a conversation that is not trained would keep its tokens out of training in
// one that goes on from it.
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
		t.Errorf("the trained member goes on from %q, the other one from %q", asked[1].Chain, asked[2].Chain)
	}
}
