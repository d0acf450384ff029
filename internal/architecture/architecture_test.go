// Package architecture holds no code: its test keeps the direction of dependencies that docs/architecture.md promises.
package architecture

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

const module = "github.com/awhost/awhost/"

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Deps         []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports,Deps", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// room returns the first two folders below the module: "host/spec", "plugins/local"; one folder for sdk and cmd.
func room(path string) string {
	rest, ok := strings.CutPrefix(path, module)
	if !ok {
		return ""
	}
	parts := strings.Split(rest, "/")
	if len(parts) == 1 || parts[0] == "sdk" || parts[0] == "cmd" {
		return parts[0]
	}
	return parts[0] + "/" + parts[1]
}

// forbidden explains why from must not import to; empty when it may.
func forbidden(from, to string) string {
	source, target := room(from), room(to)
	top := strings.SplitN(source, "/", 2)[0]
	switch {
	case top == "sdk" && target == "" && isHostLibrary(to):
		return "sdk imports neither HCL, SQL nor CLI libraries: plugin authors would inherit them"
	case target == "" || source == target:
		return ""
	case top == "sdk" && target != "sdk":
		return "sdk imports nothing else of awhost"
	case top == "plugins" && target != "sdk":
		return "a plugin imports sdk only: never the host, never another plugin"
	case top == "host" && strings.HasPrefix(target, "plugins/"):
		return "the host never imports a plugin"
	case top == "host" && target == "cmd":
		return "data flows from cmd to host, never back"
	}
	return ""
}

func isHostLibrary(path string) bool {
	for _, prefix := range []string{
		"github.com/hashicorp/hcl", "github.com/zclconf/go-cty", "database/sql", "modernc.org/sqlite",
		"github.com/spf13/", "github.com/alecthomas/kong", "charm.land/",
	} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

func TestDependencies_FlowOneWay(t *testing.T) {
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			if why := forbidden(p.ImportPath, imported); why != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, imported, why)
			}
		}
	}
}

// A plugin author inherits the modules that sdk needs, so there are few.
func TestSDK_StaysLight(t *testing.T) {
	allowed := []string{
		"github.com/hashicorp/go-plugin", "github.com/hashicorp/go-hclog", "github.com/hashicorp/yamux", "github.com/oklog/run",
		"github.com/fatih/color", "github.com/mattn/", "github.com/golang/protobuf", "google.golang.org/", "golang.org/x/",
	}
	for _, p := range packages(t) {
		if p.ImportPath != module+"sdk" {
			continue
		}
		for _, dep := range p.Deps {
			if !strings.Contains(strings.SplitN(dep, "/", 2)[0], ".") || strings.HasPrefix(dep, module) || strings.HasPrefix(dep, "vendor/") || hasPrefix(dep, allowed) {
				continue
			}
			t.Errorf("sdk depends on %s: plugin authors would inherit it", dep)
		}
		return
	}
	t.Fatal("go list does not know the package sdk")
}

func hasPrefix(path string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// TestForbidden_CatchesEachRule shows that the rules can fail.
func TestForbidden_CatchesEachRule(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{module + "sdk", module + "host/spec"},
		{module + "sdk/client", "github.com/hashicorp/hcl/v2"},
		{module + "plugins/local", module + "host/rollout"},
		{module + "plugins/local", module + "plugins/calculator"},
		{module + "host/run", module + "plugins/local"},
		{module + "host/run", module + "cmd/awhost"},
	} {
		if forbidden(c.from, c.to) == "" {
			t.Errorf("%s may import %s", c.from, c.to)
		}
	}
	for _, c := range []struct{ from, to string }{
		{module + "cmd/awhost", module + "plugins/local"},
		{module + "plugins/local/tinylm", module + "plugins/local/grpo"},
		{module + "host/run", module + "sdk/client"},
	} {
		if why := forbidden(c.from, c.to); why != "" {
			t.Errorf("%s may not import %s: %s", c.from, c.to, why)
		}
	}
}

// Every direct dependency has its reason in docs/dependencies.md, and nothing is listed there that is not used.
func TestDependencies_HaveAReason(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, match := range regexp.MustCompile("`([a-z0-9.]+\\.[a-z]+/[^`]+)`").FindAllStringSubmatch(string(page), -1) {
		listed[match[1]] = true
	}
	for _, r := range file.Require {
		if !r.Indirect && !listed[r.Mod.Path] {
			t.Errorf("go.mod requires %s: say in docs/dependencies.md why", r.Mod.Path)
		}
		if !r.Indirect {
			delete(listed, r.Mod.Path)
		}
	}
	for path := range listed {
		t.Errorf("docs/dependencies.md gives a reason for %s, which go.mod does not require", path)
	}
}
