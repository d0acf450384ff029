package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// aroundTerminal are the functions that write to a standard stream without text.Output, with the reason. They print
// data for programs: a user who looks at it sees JSON with escaped control characters, or the user's own file.
var aroundTerminal = map[string]string{
	"cmd/awhost/main.go execute":             "puts both streams behind text.Output",
	"cmd/awhost/output.go data":              "is that stream, for the functions below",
	"cmd/awhost/output.go print":             "--json, and show --episodes: JSON lines, escaped by event.AppendLine",
	"cmd/awhost/output.go printIndented":     "JSON of plugin describe, plugin call and schema, escaped by event.AppendLine",
	"cmd/awhost/apply.go viewOptions":        "host/view needs the file to see whether it is a terminal: its JSON is data, its lines and its screen pass text.Output",
	"cmd/awhost/completion.go newCompletion": "a script for a shell: no foreign text is in it",
	"cmd/awhost/schema.go newSchema":         "JSON Schemas that are compiled in",
	"cmd/awhost/docs.go newDocs":             "pages of the documentation that are compiled in",
	"cmd/awhost/fmt.go fmtStream":            "fmt - is a filter: it gives the user's own file back",
	"cmd/awhost/score.go newScore":           "JSON lines, escaped by event.AppendLine",
	"cmd/awhost/play.go play":                "JSON lines, escaped by event.AppendLine",
	"cmd/awhost/play.go manualPolicy":        "the same",
	"cmd/awhost/play.go console":             "asks whether it is a terminal",
	"cmd/awhost/plugin.go newPluginServe":    "a plugin's handshake and description, which the host reads",
	"cmd/awhost/detach.go openReport":        "turns the streams of a run in the background into its log",
	"host/view/text/output.go Data":          "is the stream itself",
	"host/view/text/style.go Detect":         "asks whether it is a terminal",
	"host/view/internal/demo/main.go run":    "a program for the developers of the screen",
	"host/view/internal/demo/main.go main":   "a program for the developers of the screen",

	"host/view/result/internal/schemagen/main.go main": "go generate",
}

// pluginProcesses is the folder of test programs that run as plugins: their streams belong to the host.
const pluginProcesses = "host/internal/fakeplugin/"

func TestTerminal_HasOneWayOut(t *testing.T) {
	used := map[string]bool{}
	for _, root := range []string{"cmd", "host"} {
		err := filepath.WalkDir(filepath.Join("..", "..", root), func(path string, entry fs.DirEntry, err error) error {
			name := filepath.ToSlash(strings.TrimPrefix(path, filepath.Join("..", "..")+string(filepath.Separator)))
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
				strings.HasPrefix(name, pluginProcesses) {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for where, what := range waysOut(t, name, source) {
				if used[where] = true; aroundTerminal[where] == "" {
					t.Errorf("%s uses %s: text for people goes out by text.Output, where it is escaped (in cmd/awhost: say, tell, page); data is listed in this test", where, what)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for where := range aroundTerminal {
		if !used[where] {
			t.Errorf("%s is listed, and writes nothing any more", where)
		}
	}
}

// waysOut returns the functions of a file that access a standard stream, each with the accessed name.
func waysOut(t *testing.T, name string, source []byte) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	imported := map[string]bool{}
	for _, i := range file.Imports {
		imported[strings.Trim(i.Path.Value, `"`)] = true
	}
	found := map[string]string{}
	for _, declaration := range file.Decls {
		where := name + " (declarations)"
		if f, ok := declaration.(*ast.FuncDecl); ok {
			where = name + " " + f.Name.Name
		}
		ast.Inspect(declaration, func(n ast.Node) bool {
			if what := wayOut(n, imported); what != "" {
				found[where] = what
			}
			return true
		})
	}
	return found
}

func wayOut(n ast.Node, imported map[string]bool) string {
	if call, ok := n.(*ast.CallExpr); ok {
		if f, ok := call.Fun.(*ast.Ident); ok && (f.Name == "print" || f.Name == "println") {
			return f.Name
		}
		if f, ok := call.Fun.(*ast.SelectorExpr); ok && len(call.Args) == 0 &&
			(f.Sel.Name == "data" || f.Sel.Name == "Data") {
			return "the stream itself by " + f.Sel.Name + "()"
		}
	}
	if f, ok := n.(*ast.FuncDecl); ok && (f.Name.Name == "Data" || f.Name.Name == "data") && f.Recv != nil &&
		len(f.Type.Params.List) == 0 {
		return "the stream itself"
	}
	s, ok := n.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	from, ok := s.X.(*ast.Ident)
	if !ok {
		return ""
	}
	switch {
	case from.Name == "os" && (s.Sel.Name == "Stdout" || s.Sel.Name == "Stderr" || s.Sel.Name == "NewFile"),
		from.Name == "syscall" && (s.Sel.Name == "Stdout" || s.Sel.Name == "Stderr"),
		from.Name == "fmt" && strings.HasPrefix(s.Sel.Name, "Print"),
		from.Name == "log" && imported["log"]:
		return from.Name + "." + s.Sel.Name
	}
	return ""
}

// TestWaysOut_AreSeen checks that the test above can fail.
func TestWaysOut_AreSeen(t *testing.T) {
	for _, statement := range []string{
		`fmt.Println("x")`, `fmt.Printf("x")`, `os.Stdout.WriteString("x")`, `fmt.Fprintln(os.Stderr, "x")`, `println("x")`,
		`log.Print("x")`,
		`a.data().Write(nil)`, `a.out.Data().Write(nil)`, `os.NewFile(1, "x")`,
	} {
		source := "package p\nimport (\"fmt\"; \"log\"; \"os\")\nfunc (a *app) f() { " + statement + " }\n"
		if found := waysOut(t, "x.go", []byte(source)); found["x.go f"] == "" {
			t.Errorf("%s is not seen", statement)
		}
	}
	if found := waysOut(t, "x.go", []byte("package p\nfunc (a *app) f() { a.say(\"x\"); p.Data[1] = 2; fmt.Fprintln(w, x) }\n")); len(found) > 0 {
		t.Errorf("false way out: %v", found)
	}
}
