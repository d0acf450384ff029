package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/docs"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
)

// withEvents lists the commands that print the events of a run with --json.
var withEvents = []string{"apply", "attach", "resume"}

// withoutLines lists the commands that print the same with and without --json, and why.
var withoutLines = map[string]string{
	"completion":   "prints a program for a shell",
	"docs":         "prints pages",
	"guard":        "is started by awhost itself, and prints nothing",
	"plugin docs":  "prints a page",
	"plugin serve": "speaks the plugin protocol",
	"schema":       "prints a schema, which is JSON over several lines",
}

// unscripted lists the commands whose --json output no script validates. The list may only shrink.
var unscripted = []string{}

func commandsThatRun() []string {
	nobody := func() *text.Output { return text.NewOutput(&bytes.Buffer{}) }
	var names []string
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		if c.Runnable() && (!c.HasSubCommands() || c.Name() == "runs") { // the other groups only print help
			names = append(names, strings.TrimPrefix(c.CommandPath(), "awhost "))
		}
	}
	walk(newRoot(&app{in: &bytes.Buffer{}, out: nobody(), err: nobody()}))
	return names
}

// kindsOf returns the kinds of lines by the command that prints them.
func kindsOf() map[string][]string {
	kinds := map[string][]string{}
	for _, k := range result.Kinds() {
		for _, command := range k.Commands {
			kinds[command] = append(kinds[command], k.Type)
		}
	}
	return kinds
}

func TestResults_EveryCommandSaysWhatItPrints(t *testing.T) {
	typed, commands := kindsOf(), commandsThatRun()
	for _, name := range commands {
		events := slices.Contains(withEvents, name)
		switch _, none := withoutLines[name]; {
		case !events && !none && typed[name] == nil:
			t.Errorf("awhost %s takes --json, and nothing documents what it prints: "+
				"give it a type in host/view/result, with a line in Kinds (host/view/result/result.go) that has %q "+
				"among its Commands, or write in withoutLines why it has none", name, name)
		}
	}
	for _, known := range [][]string{
		slices.Collect(maps.Keys(typed)), withEvents, slices.Collect(maps.Keys(withoutLines)), unscripted,
	} {
		for _, name := range known {
			if !slices.Contains(commands, name) {
				t.Errorf("there is no command awhost %s: add its constructor to newRoot (cmd/awhost/root.go), or take it out of "+
					"Kinds (host/view/result/result.go) and of the tables of this test", name)
			}
		}
	}
}

func TestResults_TheSchemaHasTheLinesOfCommandsAndNoOthers(t *testing.T) {
	var schema struct {
		OneOf []struct {
			Ref string `json:"$ref"`
		} `json:"oneOf"`
	}
	if err := json.Unmarshal([]byte(docs.CommandSchema), &schema); err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, line := range schema.OneOf {
		documented[strings.TrimPrefix(line.Ref, "#/$defs/")] = true
	}
	printed := map[string]bool{}
	for _, k := range result.Kinds() {
		printed[k.Type] = true
	}
	for command, names := range kindsOf() {
		for _, name := range names {
			printed[name] = true
			if !documented[name] {
				t.Errorf("awhost %s prints %s, which docs/commands.schema.json has not: run go generate ./host/view/result",
					command, name)
			}
		}
	}
	for name := range documented {
		if !printed[name] {
			t.Errorf("docs/commands.schema.json has %s, which no command prints: run go generate ./host/view/result", name)
		}
	}
}

// Each command's --json output must be validated by a script: by validschema, of its output or of a file that the
// output was copied to. Some commands print JSON lines without --json if the output is not a terminal.
func TestResults_AScriptHoldsEachCommandToTheSchema(t *testing.T) {
	held := map[string]bool{}
	names := commandsThatRun()
	scripts := glob(t, "testdata/script/*.txtar")
	for _, folder := range []string{"slow", "raced"} {
		scripts = append(scripts, glob(t, "testdata/script/"+folder+"/*.txtar")...)
	}
	for _, file := range scripts {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range heldIn(string(content), names) {
			held[name] = true
		}
	}
	for _, name := range names {
		events := slices.Contains(withEvents, name)
		_, none := withoutLines[name]
		switch excused := slices.Contains(unscripted, name); {
		case events || none:
		case held[name] && excused:
			t.Errorf("a script holds awhost %s --json to the schema: take it off unscripted", name)
		case !held[name] && !excused:
			t.Errorf("no script in cmd/awhost/testdata/script runs awhost %s --json and then validschema commands on its "+
				"output: add both lines, to a script that has a run already where the command needs one", name)
		}
	}
}

var (
	runsAwhost = regexp.MustCompile(`^(?:exec|exits \d+|start \w+) (?:sh -c '.*)?\bawhost (?:--json )?(.*)`)
	runsAny    = regexp.MustCompile(`^!? ?(?:exec|exits|start) `)
	starts     = regexp.MustCompile(`^start (\w+) `) // with its output in a file of that name
	copies     = regexp.MustCompile(`^cp stdout (\S+)`)
	validates  = regexp.MustCompile(`^validschema commands (\S+)`)
)

// heldIn returns the commands whose JSON lines a script validates.
func heldIn(script string, names []string) []string {
	var held []string
	current, files := "", map[string]string{}
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if runsAny.MatchString(line) {
			current = ""
		}
		if m := runsAwhost.FindStringSubmatch(line); m != nil {
			for _, name := range names {
				if strings.HasPrefix(m[1]+" ", name+" ") && len(name) > len(current) {
					current = name
				}
			}
		}
		if m := starts.FindStringSubmatch(line); m != nil {
			files[m[1]+".out"] = current
		}
		if m := copies.FindStringSubmatch(line); m != nil {
			files[m[1]] = current
		}
		if m := validates.FindStringSubmatch(line); m != nil {
			name := files[m[1]]
			if m[1] == "stdout" {
				name = current
			}
			if name != "" {
				held = append(held, name)
			}
		}
	}
	return held
}

// shapes counts the struct types with JSON members that remain in each file of this package: for output, which
// belongs in host/view/result, and for input. The list may only shrink.
var shapes = map[string]int{
	"detach.go": 1,
	"resume.go": 5,
}

func TestResults_CommandsHaveNoShapesOfJSON(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		ast.Inspect(file, func(n ast.Node) bool {
			if body, ok := n.(*ast.StructType); ok && hasJSON(body) {
				found++
			}
			return true
		})
		switch {
		case found > shapes[name]:
			t.Errorf("%s has %d struct types with JSON members, %d are known: what a command prints is a type of "+
				"host/view/result", name, found, shapes[name])
		case found < shapes[name]:
			t.Errorf("%s has %d struct types with JSON members: say so in shapes, which has %d", name, found, shapes[name])
		}
	}
}

func hasJSON(body *ast.StructType) bool {
	return slices.ContainsFunc(body.Fields.List, func(f *ast.Field) bool {
		return f.Tag != nil && strings.Contains(f.Tag.Value, `json:"`)
	})
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	return files
}
