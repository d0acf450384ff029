package spec_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/spec"
)

// The reference states that agents with a served model are never trained.
func TestReference_SaysThatServedAgentsAreNeverTrained(t *testing.T) {
	told := false
	for _, page := range spec.Reference(nil) {
		if page.Name != "spec/agent" {
			continue
		}
		for item := range strings.SplitSeq(page.Text, "\n* ") {
			if strings.HasPrefix(item, "`model` ") {
				told = true
				if !strings.Contains(strings.Join(strings.Fields(item), " "), "never trained") {
					t.Errorf("want \"never trained\" in the reference: %s", item)
				}
			}
		}
	}
	if !told {
		t.Error("want agent models in the reference")
	}
}

// functionItem matches the first line of an item of the list of functions.
var functionItem = regexp.MustCompile("(?m)^\\* `[a-z0-9_]+\\([^`]*\\)`: (.*)$")

func TestReference_DescribesEachFunction(t *testing.T) {
	pages := spec.Reference(nil)
	items := functionItem.FindAllStringSubmatch(pages[len(pages)-1].Text, -1)
	descriptions, err := os.ReadFile("reference/functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	described := strings.Count(string(descriptions), "\n")
	if len(items) != described || described == 0 {
		t.Errorf("the page has %d functions, and reference/functions.txt describes %d", len(items), described)
	}
	for _, item := range items {
		if item[1] == "" {
			t.Errorf("reference/functions.txt does not describe %s", item[0])
		}
	}
}
