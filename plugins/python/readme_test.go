package pythonplugin

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the generated tables of README.md")

// The tables of the README come from the code; go test -run Readme -update writes them.
func TestReadme_TablesAreCurrent(t *testing.T) {
	was, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(was)
	for name, table := range map[string]string{"configuration": configurationTable(), "values": valueTable()} {
		start := fmt.Sprintf("<!-- generated: %s -->\n", name)
		before, rest, ok := strings.Cut(text, start)
		_, after, ok2 := strings.Cut(rest, "<!-- end -->")
		if !ok || !ok2 {
			t.Fatalf("README.md has no place for the table of the %s", name)
		}
		text = before + start + table + "<!-- end -->" + after
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(was), text); diff != "" {
		t.Errorf("README.md is out of date, run go test -run Readme -update (-is +should be):\n%s", diff)
	}
	for _, name := range []string{metricTimeouts, metricDeaths} {
		expect(t, "README.md", text, "`"+name+"`")
	}
}

func configurationTable() string {
	var out strings.Builder
	out.WriteString("| attribute | default | meaning |\n|---|---|---|\n")
	for _, a := range rewardSchema().Attributes {
		def := ""
		switch {
		case a.Required:
			def = "required"
		case a.DefaultJSON != nil:
			def = "`" + string(a.DefaultJSON) + "`"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", a.Name, def, a.Description)
	}
	return out.String()
}

func valueTable() string {
	var out strings.Builder
	out.WriteString("| parameter | value |\n|---|---|\n")
	for _, v := range values {
		fmt.Fprintf(&out, "| `%s` | %s |\n", v.name, v.meaning)
	}
	return out.String()
}
