package spec

import (
	"encoding/json"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/sdk"
)

// Sniff reads only the awhost block of a spec: what must be known to find its plugins, before anything else of it is
// looked at. A required_version that excludes version is the only problem it then reports.
func Sniff(path, version string) (*Head, diag.Diagnostics) { return nil, nil }

// Head is what Sniff finds.
type Head struct {
	Dir      string // absolute; sources of plugins are relative to it
	Files    []string
	Required Requirements
}

// Load evaluates a spec: a file, or a directory whose *.hcl and *.hcl.json files are one spec. It collects all
// problems; the spec is complete only when none of them is an error, and nil when not even its files could be read.
func Load(path string, options Options) (*Spec, diag.Diagnostics) { return nil, nil }

// Resolved is the spec as canonical JSON: what it means, not how it is written. Secrets are replaced by where they
// came from, paths below the spec's directory are relative. It enters a run's identity and is stored with the run.
func (s *Spec) Resolved() json.RawMessage { return nil }

// Secrets lists the secret strings of the spec, for redacting logs.
func (s *Spec) Secrets() []string { return s.secrets }

// Reachable lists the addresses of the blocks that a train block needs, directly or through others, sorted.
func (s *Spec) Reachable(train string) []string { return nil }

// Redacted is Config with every secret replaced by where it came from: {"$secret": "env:OPENAI_API_KEY"}.
func (b *Block) Redacted() json.RawMessage { return nil }

// At returns where a part of the block was written: the place of the attribute or block at the path, or of the
// nearest enclosing one.
func (p Places) At(path ...string) diag.Range { return p.Header }

// Wrote says whether the user wrote the attribute or block at the path; otherwise its value is a default.
func (p Places) Wrote(path ...string) bool { return false }

// Diagnose makes a diagnostic about a part of a block, with its snippet.
func (s *Spec) Diagnose(at Places, path []string, d diag.Diagnostic) diag.Diagnostic { return d }

// FromPlugin places the diagnostics that a plugin gave for a block's configuration.
func (s *Spec) FromPlugin(b *Block, plugin string, found []sdk.Diagnostic) diag.Diagnostics {
	return nil
}

// Output is an output block.
type Output struct {
	Name        string
	Description string
	Sensitive   bool
	Range       diag.Range
}

// Eval returns the value of the output as JSON, given the results of the train blocks by name.
func (o *Output) Eval(results map[string]Result) (json.RawMessage, error) { return nil, nil }

// Format returns a spec in canonical layout; comments are kept.
func Format(source []byte) ([]byte, error) { return source, nil }

// Reference is the reference documentation of the language in Markdown: all blocks of the host, the components that
// schemas knows, and the functions.
func Reference(schemas SchemaSource) string { return "" }
