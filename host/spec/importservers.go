package spec

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/host/spec/internal/mcpservers"
	"github.com/awhost/awhost/sdk/schema"
)

// serverBlock is the nested block that a schema.FormatMCPServers file fills.
const serverBlock = "server"

// importServers reads the files that a body names in schema.FormatMCPServers attributes, and merges their servers
// beneath the body's own values. It returns false if a file could not be read.
func (d *decoder) importServers(b *body) bool {
	i := slices.IndexFunc(b.schema.Blocks, func(n schema.NestedBlock) bool { return n.Name == serverBlock })
	complete := true
	for _, a := range b.schema.Attributes {
		w, ok := b.attrs[a.Name]
		if a.Format != schema.FormatMCPServers || !ok || w.value.IsNull() || i < 0 {
			continue
		}
		path, _ := w.value.Unmark()
		complete = d.importFile(b, b.schema.Blocks[i], path.AsString(), w.where) && complete
	}
	return complete
}

func (d *decoder) importFile(b *body, n schema.NestedBlock, path string, where hcl.Range) bool {
	text, err := readBelow(d.dir, path)
	if err == nil {
		text, err = mcpservers.JSON(text, path)
	}
	if err != nil {
		d.fail(where, "Unreadable MCP server file", asSentence(err.Error()))
		return false
	}
	shown := path
	if !filepath.IsAbs(path) {
		shown = filepath.Join(d.shownDir, path)
	}
	d.sources[shown] = withoutSecrets(text)
	file, problems := mcpservers.Parse([]byte(text), shown)
	d.reportAll(problems)
	f := &importedFile{decoder: d, name: filepath.Base(path)}
	for _, u := range file.Unused {
		f.note("%s: %s is not used", f.name, u.Key)
	}
	for _, s := range file.Servers {
		f.add(b, n, s)
	}
	return !problems.HasErrors()
}

// note records a remark about the block that the plan shows.
func (d *decoder) note(format string, args ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
}

// importedFile is a file whose servers are merged into a body.
type importedFile struct {
	*decoder
	name string
}

// add merges a server into the body's block with the same name, or adds a new block.
func (f *importedFile) add(b *body, n schema.NestedBlock, s mcpservers.Server) {
	own := b.labelled(n.Name, s.Name)
	if s.Written != s.Name {
		f.note("%s: server %q is named %q in the spec", f.name, s.Written, s.Name)
	}
	if own == nil && s.Disabled {
		f.note("%s: server %q is disabled and ignored", f.name, s.Name)
		return
	}
	for _, p := range s.Problems {
		if slices.ContainsFunc(p.Unless, own.says) || slices.ContainsFunc(p.Around, b.says) {
			f.note("%s: the spec replaces %s of server %q", f.name, p.Key, s.Name)
			continue
		}
		f.reportAll(hcl.Diagnostics{p.Diagnostic})
	}
	f.noteUnused(s)
	beneath := f.body(s, n.Block, own)
	if own == nil {
		b.blocks[n.Name] = append(b.blocks[n.Name], beneath)
		return
	}
	if s.Disabled {
		f.note("%s: server %q is disabled in the file, but enabled by the spec", f.name, s.Name)
	}
	f.merge(own, beneath)
}

func (f *importedFile) noteUnused(s mcpservers.Server) {
	for _, u := range s.Unused {
		if u.Known {
			f.note("%s: %s of server %q is not used", f.name, u.Key, s.Name)
			continue
		}
		f.warn(u.Where, "Unknown MCP server key",
			fmt.Sprintf("The key %q of server %q is unknown to awhost and ignored.", u.Key, s.Name))
	}
}

// labelled returns the block with a name and a label, or nil.
func (b *body) labelled(name, label string) *body {
	i := slices.IndexFunc(b.blocks[name], func(n *body) bool { return n.label == label })
	if i < 0 {
		return nil
	}
	return b.blocks[name][i]
}

// says reports whether the block exists and sets an attribute.
func (b *body) says(attribute string) bool { return b != nil && b.wrote(attribute) }

// decides reports whether the block exists and determines an attribute. command and url are mutually exclusive, so
// either one determines both.
func (b *body) decides(attribute string) bool {
	if attribute == "command" || attribute == "url" {
		return b.says("command") || b.says("url")
	}
	return b.says(attribute)
}

// body returns a server in the file as a block. Values that cannot be expanded are errors, unless own determines them.
func (f *importedFile) body(s mcpservers.Server, sch schema.Block, own *body) *body {
	out := &body{
		schema: sch, dir: f.dir, label: s.Name, header: s.Where,
		attrs: map[string]written{}, seen: map[string]bool{}, blocks: map[string][]*body{},
	}
	env := f.environmentOf(s, own)
	for _, a := range sch.Attributes {
		from, ok := s.Attributes[a.Name]
		if !ok {
			continue
		}
		out.seen[a.Name] = true
		known := env
		if a.Name == "env" {
			known = nil // its values refer to the environment of awhost
		}
		value, wrong := f.expand(from.Value, known)
		if len(wrong) > 0 && own.decides(a.Name) {
			f.note("%s: the spec overrides %s of server %q", f.name, a.Name, s.Name)
			continue
		}
		for _, w := range wrong {
			where := from.At(w.part)
			problem := &hcl.Diagnostic{
				Severity: hcl.DiagError, Summary: "Wrong value",
				Detail:  fmt.Sprintf("%s of server %q: %s", a.Name, s.Name, asSentence(w.err.Error())),
				Subject: &where,
			}
			if errors.As(w.err, new(unsetError)) {
				problem.Extra = valueLater{}
			}
			f.report(problem)
		}
		if len(wrong) > 0 {
			continue
		}
		if value, ok = f.accept(a, f.hide(value), from.Where); ok {
			out.attrs[a.Name] = written{value: value, where: from.Where, parts: from.Parts}
		}
	}
	return out
}

// environmentOf returns the variables in a server's own env, which take precedence over the environment of awhost.
func (f *importedFile) environmentOf(s mcpservers.Server, own *body) map[string]cty.Value {
	env := cty.NullVal(cty.Map(cty.String))
	if own.says("env") {
		env = own.attrs["env"].value
	} else if from, ok := s.Attributes["env"]; ok {
		expanded, wrong := f.expand(from.Value, nil)
		if env = expanded; len(wrong) == 0 { // body reports the errors
			env = f.hide(expanded)
		}
	}
	plain, marks := env.Unmark()
	if plain.IsNull() || !plain.IsWhollyKnown() {
		return nil
	}
	values := plain.AsValueMap()
	for name, value := range values {
		values[name] = value.WithMarks(marks)
	}
	return values
}

// merge adds the file's values that the spec's block for the server does not set.
func (f *importedFile) merge(own, beneath *body) {
	reached := own.decides("url")
	for _, name := range slices.Sorted(maps.Keys(beneath.attrs)) {
		elsewhere := reached && own.decides(name)
		switch {
		case !own.says(name) && !elsewhere:
			own.attrs[name] = beneath.attrs[name]
			own.seen[name] = true
		case sameValue(own.attrs[name].value, beneath.attrs[name].value):
		default:
			f.note("%s: the spec overrides %s of server %q", f.name, name, own.label)
		}
	}
}

func sameValue(a, b cty.Value) bool {
	return a != cty.NilVal && unmarked(a).RawEquals(unmarked(b))
}

var (
	// variableUse matches ${NAME}, ${NAME:-default}, ${env:NAME}, or opencode's {env:NAME}. Anything else in ${…} is
	// meant for the program that the file was written for.
	variableUse = regexp.MustCompile(`\$\{([^}]*)\}|\{((?:env|file):[^}]*)\}`)
	variable    = regexp.MustCompile(`^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-(.*))?$`)
)

// wrongPart is an error in one part of a value. part is that part's index or name; an empty part means the whole value.
type wrongPart struct {
	part string
	err  error
}

// expand replaces variables in a value's strings. Variables in own take precedence over environment variables, whose
// values are sensitive, as with env().
func (f *importedFile) expand(v cty.Value, own map[string]cty.Value) (expanded cty.Value, wrong []wrongPart) {
	expanded, _ = cty.Transform(v, func(at cty.Path, v cty.Value) (cty.Value, error) {
		if v.Type() != cty.String || v.IsNull() || !variableUse.MatchString(v.AsString()) {
			return v, nil
		}
		var marks []cty.ValueMarks
		text := variableUse.ReplaceAllStringFunc(v.AsString(), func(use string) string {
			value, err := f.lookUp(strings.TrimLeft(use[:len(use)-1], "${"), own)
			if err != nil {
				wrong = append(wrong, wrongPart{strings.Join(pathNames(at), "."), err})
				return use
			}
			plain, m := value.Unmark()
			marks = append(marks, m)
			return plain.AsString()
		})
		return cty.StringVal(text).WithMarks(marks...), nil
	})
	return expanded, wrong
}

func (f *importedFile) lookUp(use string, own map[string]cty.Value) (cty.Value, error) {
	switch use {
	case "workspaceFolder", "workspaceFolderBasename":
		folder, err := filepath.Abs(f.dir)
		if use == "workspaceFolderBasename" {
			folder = filepath.Base(folder)
		}
		return cty.StringVal(folder), err
	case "userHome":
		use = "HOME"
	}
	m := variable.FindStringSubmatch(use)
	if m == nil {
		return cty.NilVal, fmt.Errorf("unsupported reference ${%s}: only environment variables are supported, as ${NAME} "+
			"or ${NAME:-default}. Set the value in the server's block in the spec", use)
	}
	if value, ok := own[m[1]]; ok && textIn(value) != "" {
		return value, nil
	}
	args := []cty.Value{cty.StringVal(m[1])}
	if m[2] != "" {
		args = append(args, cty.StringVal(m[3]))
	}
	value, err := f.functions["env"].Call(args)
	if err != nil { // the error explains how a spec sets a default
		return cty.NilVal, unsetError{m[1], fmt.Sprintf("${%s:-…}", m[1])}
	}
	return value, nil
}

// asSentence returns a message with an initial capital letter and a final period. If the message begins with a path,
// the path is not changed.
func asSentence(text string) string {
	if first, _, _ := strings.Cut(text, " "); strings.ContainsAny(first, "./") {
		return strings.TrimSuffix(text, ".") + "."
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "."
}
