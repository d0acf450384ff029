// Package architecture contains only tests: they check the direction of dependencies described in
// docs/explain/architecture.md.
package architecture

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/awhost/awhost"
)

const module = "github.com/awhost/awhost/"

// listed is the output of `go list -json` for a package.
type listed struct {
	ImportPath   string
	Doc          string // the first sentence of the package comment
	Imports      []string
	TestImports  []string
	XTestImports []string
	Deps         []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	all, err := listPackages()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var listPackages = sync.OnceValues(func() ([]listed, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Doc,Imports,TestImports,XTestImports,Deps", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
})

// room returns the folder that owns a package of awhost. Internal packages belong to the package above them, except
// the ones shared by all of host or sdk. It returns an empty string for packages of other modules.
func room(path string) string {
	if path == strings.TrimSuffix(module, "/") {
		return path
	}
	rest, ok := strings.CutPrefix(path, module)
	if !ok {
		return ""
	}
	above, _, _ := strings.Cut(rest, "/internal/")
	if !strings.Contains(above, "/") {
		return rest
	}
	return above
}

// top returns the top-level folder of a room.
func top(room string) string { return strings.SplitN(room, "/", 2)[0] }

// plugin returns the first two folders of a room, which identify a plugin.
func plugin(room string) string {
	parts := strings.SplitN(room, "/", 3)
	return strings.Join(parts[:min(2, len(parts))], "/")
}

// forbidden returns the reason why from must never import to, whatever imports.txt allows, or an empty string if it
// may.
func forbidden(from, to string) string {
	source, target := room(from), room(to)
	switch {
	case top(source) == "sdk" && target == "" && isHostLibrary(to):
		return "sdk imports neither HCL, SQL nor CLI libraries: plugin authors would inherit them"
	case target == "" || source == target:
		return ""
	case top(source) == "sdk" && top(target) != "sdk":
		return "sdk imports nothing else of awhost"
	case top(source) == "plugins" && top(target) != "sdk" && plugin(source) != plugin(target):
		return "a plugin imports sdk only: never the host, never another plugin"
	case top(source) == "host" && top(target) == "plugins":
		return "the host never imports a plugin"
	case top(source) == "host" && top(target) == "cmd":
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

const allowList = "imports.txt"

// roomImport is an import of another room of awhost or of a module.
type roomImport struct{ room, imports string }

// readAllowList returns the entries of imports.txt with their line numbers, and the rooms that it lists.
func readAllowList(t *testing.T) (allowed map[roomImport]int, rooms map[string]bool) {
	t.Helper()
	text, err := os.ReadFile(allowList)
	if err != nil {
		t.Fatal(err)
	}
	allowed, rooms = map[roomImport]int{}, map[string]bool{}
	owner := ""
	for number, line := range strings.Split(string(text), "\n") {
		entry, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !indented:
			owner = line
			rooms[owner] = true
		case owner == "":
			t.Fatalf("%s:%d: %s belongs to no room", allowList, number+1, entry)
		default:
			allowed[roomImport{owner, entry}] = number + 1
		}
	}
	return allowed, rooms
}

// modules returns the paths of the modules that go.mod requires.
func modules(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, r := range file.Require {
		paths = append(paths, r.Mod.Path)
	}
	return paths
}

// moduleOf returns the longest module path that is a prefix of a package's path. It returns an empty string for the
// standard library.
func moduleOf(path string, modules []string) string {
	longest := ""
	for _, m := range modules {
		if (path == m || strings.HasPrefix(path, m+"/")) && len(m) > len(longest) {
			longest = m
		}
	}
	return longest
}

// guarded reports whether imports.txt restricts the imports of a room: it covers product code, not examples,
// benchmarks and checks.
func guarded(room string) bool {
	return slices.Contains([]string{"cmd", "host", "plugins", "sdk"}, top(room))
}

// unexpected returns the imports that the allow-list lacks, and its unused entries.
func unexpected(packages []listed, modules []string, allowed map[roomImport]int) (extra map[roomImport]string,
	unused map[roomImport]int) {
	extra, unused = map[roomImport]string{}, maps.Clone(allowed)
	for _, p := range packages {
		owner := room(p.ImportPath)
		if !guarded(owner) {
			continue
		}
		for _, path := range p.Imports {
			target := room(path)
			if target == "" {
				target = moduleOf(path, modules)
			}
			if target == "" || target == owner {
				continue
			}
			entry := roomImport{owner, target}
			if _, ok := allowed[entry]; !ok {
				extra[entry] = p.ImportPath
			}
			delete(unused, entry)
		}
	}
	return extra, unused
}

func TestRooms_ImportWhatTheyMay(t *testing.T) {
	allowed, rooms := readAllowList(t)
	all := packages(t)
	extra, unused := unexpected(all, modules(t), allowed)
	for entry, path := range extra {
		t.Errorf("%[1]s imports %[2]s, which internal/architecture/%[3]s does not allow to %[4]s: the comment of "+
			"the package states what it must not know; if this import is allowed, add the line %[2]s below %[4]s "+
			"to %[3]s",
			path, entry.imports, allowList, entry.room)
	}
	for entry, line := range unused {
		t.Errorf("%s:%d: %s no longer imports %s: remove the line", allowList, line, entry.room, entry.imports)
	}
	there := map[string]bool{}
	for _, p := range all {
		there[room(p.ImportPath)] = true
	}
	for owner := range rooms {
		if !there[owner] {
			t.Errorf("%s: unknown room %s", allowList, owner)
		}
	}
	for owner := range there {
		if guarded(owner) && !rooms[owner] {
			t.Errorf("internal/architecture/%s has no entry for %s: add a line with its name, and below it, each after a tab, "+
				"what it imports", allowList, owner)
		}
	}
}

// TestRooms_CatchesEachFault checks that the allow-list can fail.
func TestRooms_CatchesEachFault(t *testing.T) {
	allowed := map[roomImport]int{{"host/rollout", "sdk"}: 7, {"host/rollout", "host/agent"}: 8}
	extra, unused := unexpected([]listed{{
		ImportPath: module + "host/rollout/internal/queue",
		Imports:    []string{"fmt", module + "sdk", module + "host/run", "github.com/hashicorp/hcl/v2/hclsyntax"},
	}}, []string{"github.com/hashicorp/hcl/v2"}, allowed)
	for _, want := range []roomImport{{"host/rollout", "host/run"}, {"host/rollout", "github.com/hashicorp/hcl/v2"}} {
		if extra[want] == "" {
			t.Errorf("%s may import %s", want.room, want.imports)
		}
		delete(extra, want)
	}
	if len(extra) > 0 {
		t.Errorf("allowed imports are refused: %v", extra)
	}
	if len(unused) != 1 || unused[roomImport{"host/rollout", "host/agent"}] != 8 {
		t.Errorf("unused lines: got %v, want the line of host/agent", unused)
	}
}

// TestRooms_AreExplained checks that the table of docs/explain/architecture.md lists each room, or the one above it,
// and no other.
func TestRooms_AreExplained(t *testing.T) {
	page, err := os.ReadFile("../../docs/explain/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]+`) \\|").FindAllStringSubmatch(string(page), -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			if name[1] == "sdk" || strings.Contains(name[1], "/") {
				explained[name[1]] = true
			}
		}
	}
	there := map[string]bool{}
	for _, p := range packages(t) {
		path, ok := strings.CutPrefix(p.ImportPath, module)
		if !ok {
			continue
		}
		there[path] = true
		above := path
		for !explained[above] && strings.Count(above, "/") > 1 {
			above = filepath.Dir(above)
		}
		if owner := room(p.ImportPath); guarded(owner) && top(owner) != "plugins" && !explained[above] {
			t.Errorf("docs/explain/architecture.md has no row for %s: add what it owns to the table of "+
				"Rooms", path)
		}
	}
	for name := range explained {
		if !there[name] && !strings.Contains(name, "<") {
			t.Errorf("docs/explain/architecture.md explains %s, which is not a package", name)
		}
	}
}

// TestRooms_HavePackageComments checks that each room has a package comment. It describes the room's responsibility
// and forbidden dependencies, with an example.
func TestRooms_HavePackageComments(t *testing.T) {
	for _, p := range packages(t) {
		if p.Doc == "" && guarded(room(p.ImportPath)) && p.ImportPath != module+"sdk/proto/awhost/v1" { // generated
			t.Errorf("%s has no package comment: say above the package clause of one file what it owns, what it must not know, "+
				"and show an example", p.ImportPath)
		}
	}
}

// TestSDK_StaysLight limits the dependencies of sdk, because plugin authors inherit its modules.
func TestSDK_StaysLight(t *testing.T) {
	allowed := []string{
		"github.com/hashicorp/go-plugin", "github.com/hashicorp/go-hclog", "github.com/hashicorp/yamux",
		"github.com/oklog/run",
		"github.com/fatih/color", "github.com/mattn/", "github.com/golang/protobuf", "google.golang.org/", "golang.org/x/",
	}
	for _, p := range packages(t) {
		if p.ImportPath != module+"sdk" {
			continue
		}
		for _, dep := range p.Deps {
			if !strings.Contains(strings.SplitN(dep, "/", 2)[0], ".") || strings.HasPrefix(dep, module) ||
				strings.HasPrefix(dep, "vendor/") || hasPrefix(dep, allowed) {
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

// TestForbidden_CatchesEachRule checks that the rules can fail.
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

// TestDependencies_HaveAReason checks that docs/explain/dependencies.md explains every direct dependency, and no unused
// one.
func TestDependencies_HaveAReason(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/explain/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, match := range regexp.MustCompile("`([a-z0-9.]+\\.[a-z]+/[^`]+)`").FindAllStringSubmatch(string(page), -1) {
		listed[match[1]] = true
	}
	for _, r := range file.Require {
		if !r.Indirect && !listed[r.Mod.Path] {
			t.Errorf("go.mod requires %s: say in docs/explain/dependencies.md why", r.Mod.Path)
		}
		if !r.Indirect {
			delete(listed, r.Mod.Path)
		}
	}
	for path := range listed {
		t.Errorf("docs/explain/dependencies.md gives a reason for %s, which go.mod does not require", path)
	}
}

// notDeciding are packages that a run uses but that cannot change its result: they find, show, store or inspect.
var notDeciding = map[string]string{
	"host/build":    "it distinguishes builds",
	"host/catalog":  "it finds plugins, which their hashes identify",
	"host/control":  "it lets other processes inspect a run",
	"host/diag":     "it shows problems",
	"host/doctor":   "it inspects the machine",
	"host/event":    "it reports events",
	"host/findings": "it reports, and decides nothing",
	"host/gpu":      "it inspects the machine",
	"host/journal":  "it stores records",
	"host/scan":     "it reports, and decides nothing",
	"host/consent":  "it identifies the owner of records",
	"host/server":   "it starts servers, whose responses to episodes are recorded",

	"host/tracking": "it copies recorded numbers",

	"host/internal/child":       "it inspects the machine, and builds plugins",
	"host/journal/disk":         "it stores records",
	"host/wheels":               "it packs the SDK for plugins, whose hashes identify it",
	"host/telemetry/settings":   "it configures the exported data of a run",
	"host/tracking/tensorboard": "it writes files",
	"host/view/text":            "it shows text",
}

// TestPackagesOfARun_CountInTheIdentityOfABuild checks the package list behind a build's identity. Two builds can
// resume each other's runs if the sources hashed by host/build are equal. Each package that a run needs must
// therefore be hashed, or be listed above with the reason why not.
func TestPackagesOfARun_CountInTheIdentityOfABuild(t *testing.T) {
	for _, p := range packages(t) {
		if room(p.ImportPath) != "host/run" {
			continue
		}
		for _, dep := range p.Deps {
			needed := room(dep)
			if needed == "" || needed == "sdk" || notDeciding[needed] != "" {
				continue
			}
			if entries, err := awhost.Deciding.ReadDir(needed); err != nil || len(entries) == 0 {
				t.Errorf("%s is part of a run and of no build's identity: add it to Deciding in deciding.go, or say here why not",
					needed)
			}
		}
	}
}
