// Command structure measures the structure of code: the length, nesting, and complexity of functions, the length of
// files, the proportion of comments, and imports against the usual direction. It reads only source files, excluding
// tests and generated files.
//
//	go run ./internal/structure          prints the figures of this repository
//	go run ./internal/structure -update  writes them into docs/explain/structure.md
//	go run ./internal/structure -page    writes the whole page, with well-known code from the module proxy
//
// A test compares the page with this repository.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
)

const pagePath = "docs/explain/structure.md"

// anchors are the code bases with which this one is compared, at fixed versions.
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
	update := flag.Bool("update", false, "write the figures of this repository into "+pagePath)
	page := flag.Bool("page", false, "write "+pagePath+", with the figures of all code bases")
	flag.Parse()
	if err := measure(*update, *page); err != nil {
		fmt.Fprintln(os.Stderr, "structure:", err)
		os.Exit(1)
	}
}

func measure(update, page bool) error {
	ours, err := scan(".")
	if err != nil {
		return err
	}
	rows := []row{{"awhost", "this repository", ours}}
	if update {
		old, err := os.ReadFile(pagePath)
		if err != nil {
			return err
		}
		return os.WriteFile(pagePath, []byte(withOurs(string(old), ours)), 0o644)
	}
	if !page {
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
	return os.WriteFile(pagePath, []byte(pageOf(rows)), 0o644)
}

// download returns a module's directory, from the cache or the proxy.
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

var oursRow = regexp.MustCompile(`(?m)^\| awhost \|.*\n`)

// withOurs returns the page with new rows for awhost.
func withOurs(page string, ours figures) string {
	rows := []row{{"awhost", "this repository", ours}}
	fresh := oursRow.FindAllString(table(rows)+wordingTable(rows), -1)
	return oursRow.ReplaceAllStringFunc(page, func(string) string {
		next := fresh[0]
		fresh = append(fresh[1:], next)
		return next
	})
}

func pageOf(rows []row) string {
	return `# Structure of the code

` + "`go run ./internal/structure -page`" + ` writes this page, and ` + "`-update`" + ` awhost's rows alone; a test
compares them with the code, within 10 %. The other rows are code bases that awhost learns from. Tests, generated code,
examples and vendored code do not count.

* **functions**: their number, rounded to 2 digits.

` + table(rows) + `
* **lines**: of a function from its signature to its closing brace: the median, the 90th and the 99th percentile, and
  the longest.
* **nesting**: the deepest nesting of a function in control blocks: if, for, switch, select, function literals.
* **complexity**: cyclomatic, by McCabe: 1, and 1 for each if, for, case, && and ||.
* **file**: lines of a file.
* **comments**: lines of comments among the lines that are not empty.
* **upwards**: imports between two top-level folders that import each other, in the direction that has fewer.
  Folders in ` + "`internal`" + ` and ` + "`pkg`" + ` count as top-level folders.

## Wording

` + wordingTable(rows) + `
* **comments**: lines of comments with a phrase that the house style rejects (internal/prose).
* **messages**: lines of string literals of three or more words with such a phrase, without the texts that a policy can
  read (internal/prose/testdata/policy.txt), which keep their wording.
* **functions**: documented functions whose comment begins with the name and is, are, has, says, or tells.
* **wide**: lines of more than 120 columns per 1,000 lines that are not empty.

Measured with ` + runtime.Version()[:6] + `.
`
}
