package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/awhost/awhost/docs"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
)

var update = flag.Bool("update", false, "rewrite docs/reference/spec.md and its pages")

// commandSchema compiles the documented schema of everything except a run's events.
func commandSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	for name, text := range map[string]string{"events.schema.json": docs.EventSchema,
		"commands.schema.json": docs.CommandSchema} {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource("https://github.com/awhost/awhost/docs/"+name, document); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile("https://github.com/awhost/awhost/docs/commands.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// Every line that these commands print with --json must match the schema.
func TestCommands_PrintWhatTheSchemaDocuments(t *testing.T) {
	schema := commandSchema(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	broken := "train \"x\" {\n  agnet = 1\n}\n"
	if err := os.WriteFile("broken.hcl", []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	train := filepath.Join(root, "train.hcl")
	for _, args := range [][]string{
		{"version"}, {"plugin", "list"}, {"validate", train}, {"validate", "broken.hcl"}, {"runs"},
	} {
		var out, errOut bytes.Buffer
		command := newRoot(&app{in: strings.NewReader(""), out: text.NewOutput(&out), err: text.NewOutput(&errOut)})
		command.SetArgs(append(args, "--json"))
		_ = command.ExecuteContext(t.Context()) // an invalid spec is an error and diagnostics
		if args[0] != "runs" && out.Len() == 0 {
			t.Errorf("%v printed nothing: %s", args, errOut.String())
		}
		for line := range strings.Lines(out.String()) {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
			if err == nil {
				err = schema.Validate(value)
			}
			if err != nil {
				t.Errorf("%v: %s\n%v", args, line, err)
			}
		}
	}
}

func TestCommandSchema_RefusesWhatIsNotDocumented(t *testing.T) {
	var value any
	if err := json.Unmarshal([]byte(`{"type":"validated","valid":true,"files":[],"more":1}`), &value); err != nil {
		t.Fatal(err)
	}
	if commandSchema(t).Validate(value) == nil {
		t.Error("an undocumented member passed")
	}
}

// The output about damaged or incomplete runs must match the schema: steps that trained fewer samples than planned,
// and a truncated journal.
func TestCommandSchema_HasWhatGoesWrongWithRuns(t *testing.T) {
	lines := []any{
		result.AuditOf(&runstore.Audit{}),
		result.AuditOf(&runstore.Audit{
			Short:    []runstore.IncompleteStep{{Stage: "main", Planned: 4, Why: map[string]int{"AGENT": 1}}},
			Problems: []string{"x"},
		}),
	}
	for _, fault := range []runstore.Fault{
		runstore.FaultDamaged, runstore.FaultMissing, runstore.FaultUnknown, runstore.FaultCut,
	} {
		kept := []runstore.Kept{{Fault: fault, Problem: "x"}}
		lines = append(lines, result.CheckpointsOf(runstore.Summary{}, kept).Lines()...)
	}
	schema := commandSchema(t)
	for _, v := range lines {
		line, err := event.AppendLine(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// docs/reference/spec.md and its pages must equal the output of `awhost schema reference` for the bundled plugins.
//
//go:generate go test -count=1 -run ^TestSpecReference_IsUpToDate$ . -update
func TestSpecReference_IsUpToDate(t *testing.T) {
	a := &app{}
	c, err := a.openCatalog(&spec.Head{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range spec.Reference(c) {
		path := "../../docs/reference/" + page.Name + ".md"
		if *update {
			if err := os.WriteFile(path, []byte(page.Text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != page.Text {
			t.Errorf("%s is not what the schemas say: run go generate ./cmd/awhost", path)
		}
	}
}
