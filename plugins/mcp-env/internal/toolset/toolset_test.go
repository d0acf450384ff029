package toolset

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/internal/testlevel/property"
	"github.com/awhost/awhost/plugins/mcp-env/internal/server"
)

func tools(names ...string) []server.Tool {
	var out []server.Tool
	for _, n := range names {
		out = append(out, server.Tool{Name: n})
	}
	return out
}

func TestNew_NamesAndChooses(t *testing.T) {
	two := []Server{{"files", tools("read", "write", "list.all")}, {"shell", tools("run", "read", "a/b")}}
	for _, test := range []struct {
		name   string
		choice Choice
		want   []string // server/tool as shown
	}{
		{"all", Choice{}, []string{
			"files/read files__read", "files/write write", "files/list.all list_all_6df87f42",
			"shell/run run", "shell/read shell__read", "shell/a/b a_b_c14cddc0",
		}},
		{
			"a choice does not rename what stays", Choice{Deny: []string{"shell/read"}, Allow: []string{"*/read", "shell"}},
			[]string{"files/read files__read", "shell/run run", "shell/a/b a_b_c14cddc0"},
		},
		{"what awhost calls itself", Choice{Allow: []string{"files"}, Hidden: []string{"files/write"}}, []string{
			"files/read files__read", "files/list.all list_all_6df87f42",
		}},
		{"a tool with a slash", Choice{Allow: []string{"shell/a/*"}}, []string{"shell/a/b a_b_c14cddc0"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			set, err := New(two, test.choice)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, tool := range set.Offered() {
				got = append(got, tool.Key()+" "+tool.Shown)
				if found, ok := set.Find(tool.Shown); !ok || found.Key() != tool.Key() {
					t.Errorf("%s is found as %s", tool.Shown, found.Key())
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRenamed_SaysWhy checks that a renamed tool has a reason, and names the name without it.
func TestRenamed_SaysWhy(t *testing.T) {
	three := []Server{{"a", tools("add", "x.y")}, {"b", tools("add", "own")}, {"c", tools("add", "own", "x y")}}
	set, err := New(three, Choice{Allow: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range set.Renamed() {
		got = append(got, r.Key()+" "+r.Shown+" "+r.Reason)
	}
	const (
		rival = " a tool of that name, too: in the prompts of runs without it is "
		legal = " since model APIs take only letters, digits, - and _ in a name, and 64 of them"
	)
	want := []string{
		"a/add a__add since servers b, c have" + rival + "add", "a/x.y x_y_b24ca9b7" + legal,
		"b/add b__add since servers a, c have" + rival + "add", "b/own b__own since server c has" + rival + "own",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNew_Refuses(t *testing.T) {
	one := []Server{{"files", tools("read", "write")}}
	for _, test := range []struct {
		name    string
		servers []Server
		choice  Choice
		want    string
	}{
		{
			"a pattern for nothing", one, Choice{Allow: []string{"files/raed"}},
			`"files/raed" matches no tool: there are files/read, files/write`,
		},
		{"a server that is not there", one, Choice{Deny: []string{"shell"}}, `"shell" matches no tool`},
		{"nothing left", one, Choice{Deny: []string{"files"}}, "no tool is left to offer: there are files/read, files/write"},
		{"no tools", []Server{{"files", nil}}, Choice{}, "no tool is left to offer: there are none"},
		{"one name for two", []Server{{"a", tools("x", "x")}}, Choice{}, `a/x and a/x under one name, "a__x"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := New(test.servers, test.choice); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// For any tool names of servers, models see unique legal names, and each resolves to its tool.
func TestNew_NamesAreLegalAndLeadBack(t *testing.T) {
	name := rapid.OneOf(rapid.StringN(1, 90, -1), rapid.StringMatching(`[a-c./ ]{1,3}`))
	property.Check(t, func(t *rapid.T) {
		var servers []Server
		for i, names := range rapid.SliceOfN(rapid.SliceOfNDistinct(name, 1, 6, rapid.ID[string]), 1, 4).Draw(t, "tools") {
			servers = append(servers, Server{string(rune('a' + i)), tools(names...)})
		}
		set, err := New(servers, Choice{})
		if err != nil {
			if !strings.Contains(err.Error(), "under one name") {
				t.Fatal(err)
			}
			t.Skip(err)
		}
		for _, tool := range set.Offered() {
			if found, _ := set.Find(tool.Shown); found.Key() != tool.Key() {
				t.Fatalf("%q leads to %q, and not to %q", tool.Shown, found.Key(), tool.Key())
			}
			if !regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString(tool.Shown) {
				t.Fatalf("%q is no legal name", tool.Shown)
			}
		}
	})
}
