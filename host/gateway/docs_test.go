package gateway

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocs_HaveTheParameters checks that docs/reference/gateway.md documents the handling of each member of a request.
func TestDocs_HaveTheParameters(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/gateway.md")
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- begin of the parameters -->\n\n", "\n<!-- end of the parameters -->"
	_, rest, found := strings.Cut(string(page), begin)
	got, _, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("docs/reference/gateway.md has no table between %q and %q", begin, end)
	}
	if want := parameters(); got != want {
		t.Errorf("the table has to be\n%s\n(-want +got):\n%s", want, cmp.Diff(want, got))
	}
}

func parameters() string {
	var out strings.Builder
	out.WriteString("| decision | chat completions | Responses | Messages |\n|---|---|---|---|\n")
	for _, row := range []struct {
		uses  []use
		name  string
		depth int // of the listed fields
	}{
		{[]use{honored, verbatim}, "honored, with the fields in them", 1},
		{[]use{owned}, "the spec decides: accepted, not used, and counted", 9},
		{[]use{constraint}, "`decoding_constraints` decides", 9},
		{[]use{harmless}, "accepted, without effect", 9},
		{[]use{unwanted}, "refused, except for `null` and the values above", 9},
		{[]use{provider}, "other types of tools: refused, or dropped with `provider_tools`", 9},
	} {
		out.WriteString("| " + row.name)
		for _, table := range []*field{chatFields, responsesFields, messagesFields} {
			out.WriteString(" | " + strings.Join(table.list(row.uses, row.depth), ", "))
		}
		out.WriteString(" |\n")
	}
	return out.String()
}

// list returns the fields with one of the decisions, with the values if the decision is limited to them. depth limits
// the number of names in a path.
func (f *field) list(uses []use, depth int) (out []string) {
	var values []string
	for _, value := range slices.Sorted(maps.Keys(f.byValue)) {
		if slices.Contains(uses, f.byValue[value].use) {
			values = append(values, "`"+value+"`")
		}
	}
	switch {
	case slices.Contains(uses, f.other.use):
		out = append(out, "`"+f.path+"`")
	case len(values) > 0:
		out = append(out, "`"+f.path+"` = "+strings.Join(values, " or "))
	}
	if depth == 0 {
		return out
	}
	for _, name := range slices.Sorted(maps.Keys(f.members)) {
		out = append(out, f.members[name].list(uses, depth-1)...)
	}
	return out
}
