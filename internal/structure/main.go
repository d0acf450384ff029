// Command structure measures the structure of code: the length, nesting and complexity of functions, the length of
// files, the share of comments, and imports against the usual direction. It reads sources only, without tests and
// generated files.
//
//	go run ./internal/structure                          this repository
//	go run ./internal/structure -page docs/explain/structure.md  writes the page, with well-known code from the module proxy
//
// A test compares this repository with the numbers on the page.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

// anchors are the code bases that this one is compared with, at fixed versions.
var anchors = []struct{ name, module, version string }{
	{"age", "filippo.io/age", "v1.2.1"},
	{"bbolt", "go.etcd.io/bbolt", "v1.4.3"},
	{"restic", "github.com/restic/restic", "v0.18.0"},
	{"benthos", "github.com/redpanda-data/benthos/v4", "v4.53.1"},
	{"caddy", "github.com/caddyserver/caddy/v2", "v2.10.0"},
	{"terraform-plugin-framework", "github.com/hashicorp/terraform-plugin-framework", "v1.15.0"},
	{"opentofu", "github.com/opentofu/opentofu", "v1.10.3"},
}

func main() {
	page := flag.String("page", "", "write the page of all code bases there")
	flag.Parse()
	if err := measure(*page); err != nil {
		fmt.Fprintln(os.Stderr, "structure:", err)
		os.Exit(1)
	}
}

func measure(page string) error {
	ours, err := scan(".")
	if err != nil {
		return err
	}
	rows := []row{{"awhost", "this repository", ours}}
	if page == "" {
		fmt.Print(table(rows), "\n", wordingTable(rows))
		return nil
	}
	for _, a := range anchors {
		dir, err := download(a.module + "@" + a.version)
		if err != nil {
			return err
		}
		figures, err := scan(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", a.module, err)
		}
		rows = append(rows, row{a.name, a.version, figures})
	}
	return os.WriteFile(page, []byte(pageOf(rows)), 0o644)
}

// download returns the folder of a module, from the cache or the proxy.
func download(module string) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
	cmd.Dir = os.TempDir()
	out, err := cmd.Output()
	var answer struct{ Dir, Error string }
	if parsed := json.Unmarshal(out, &answer); parsed == nil && answer.Error != "" {
		return "", errors.New(answer.Error)
	}
	if err != nil {
		return "", fmt.Errorf("download %s: %w", module, err)
	}
	return answer.Dir, nil
}

func pageOf(rows []row) string {
	return `# How the code is cut

` + "`go run ./internal/structure -page docs/explain/structure.md`" + ` writes this page; a test fails when a figure of awhost
gets worse by more than a twentieth. Beside awhost stand the code bases that it learns from. Tests, generated code,
examples and vendored code are left out.

` + table(rows) + `
* **lines**: of a function from its signature to its closing brace: the median, the 90th and the 99th percentile, and
  the longest.
* **nesting**: how deep the deepest statement of a function stands in blocks of control: if, for, switch, select,
  function literals.
* **complexity**: cyclomatic, by McCabe: 1, and 1 for each if, for, case, && and ||.
* **file**: lines of a file.
* **comments**: lines of comments among the lines that are not empty.
* **upwards**: imports between two folders at the top that import each other, counted in the direction that has fewer.
  ` + "`internal`" + ` and ` + "`pkg`" + ` are looked into.

## Wording

` + wordingTable(rows) + `
* **comments**: lines of comments with a phrase that the house style rejects (internal/prose).
* **messages**: lines of string literals of three or more words with such a phrase.
* **functions**: documented functions whose comment begins with the name and is, are, has, says, or tells.
* **wide**: lines of more than 120 columns per 1,000 lines that are not empty.

Measured with ` + runtime.Version()[:6] + `.
`
}
