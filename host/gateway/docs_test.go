package gateway

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocs_HaveTheParameters: docs/gateway.md says of each member of a request what this package makes of it.
func TestDocs_HaveTheParameters(t *testing.T) {
	page, err := os.ReadFile("../../docs/gateway.md")
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- begin of the parameters -->\n\n", "\n<!-- end of the parameters -->"
	_, rest, found := strings.Cut(string(page), begin)
	got, _, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("docs/gateway.md has no table between %q and %q", begin, end)
	}
	if want := parameters(); got != want {
		t.Errorf("the table has to be\n%s\n(-want +got):\n%s", want, cmp.Diff(want, got))
	}
}

func parameters() string {
	var out strings.Builder
	out.WriteString("| a member of the request is | chat completions | Responses | Messages |\n|---|---|---|---|\n")
	for _, row := range []struct {
		use  use
		name string
	}{
		{honoured, "honoured"}, {owned, "the spec's: taken, not used, counted"}, {harmless, "taken; it changes no answer"},
		{neutral, "refused, but for `null` and what stands here"},
	} {
		out.WriteString("| " + row.name)
		for _, d := range []struct {
			params   map[string]use
			neutrals map[string][]string
		}{{chatParams, chatNeutrals}, {responsesParams, responsesNeutrals}, {messagesParams, messagesNeutrals}} {
			var names []string
			for _, name := range slices.Sorted(maps.Keys(d.params)) {
				if d.params[name] != row.use {
					continue
				}
				text := "`" + name + "`"
				for i, value := range d.neutrals[name] {
					text += fmt.Sprintf("%s`%s`", map[bool]string{true: " = ", false: " or "}[i == 0], value)
				}
				names = append(names, text)
			}
			out.WriteString(" | " + strings.Join(names, ", "))
		}
		out.WriteString(" |\n")
	}
	return out.String()
}
