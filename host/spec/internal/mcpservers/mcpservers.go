// Package mcpservers reads the file that lists a user's MCP servers: `mcpServers` as in AWorld, Claude Desktop,
// Claude Code and Cursor, `servers` as in VS Code, or the servers without a wrapper:
//
//	{"mcpServers": {"files": {"command": "npx", "args": ["-y", "mcp-files"], "env": {"TOKEN": "${TOKEN}"}}}}
//
// Each key is mapped to an attribute of a `server` block, listed as unused, or refused, unless the spec itself sets
// the attribute:
//
// Zed's `context_servers` and opencode's `mcp` are read, too, and JSON converts the files of Codex and Goose.
//
//	file, problems := mcpservers.Parse(text, "mcp.json")
//	file.Servers[0].Attributes["command"].Value // ["npx", "-y", "mcp-files"]
//
// The package does not depend on specs: ${…} is left to the caller.
package mcpservers

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tidwall/jsonc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// File is a file that lists servers.
type File struct {
	Servers []Server // in the order of the file
	Unused  []Unused // keys next to the servers
}

// Server is one server in the file.
type Server struct {
	Name       string // without characters that are reserved in patterns "server/tool"
	Written    string // name in the file
	Where      hcl.Range
	Disabled   bool
	Attributes map[string]Attribute // by their names in a `server` block
	Unused     []Unused
	Problems   []Problem // problems of the server; irrelevant if it is not used
}

// Problem is an error in a key. It is dropped if the spec itself sets what the key configures.
type Problem struct {
	*hcl.Diagnostic
	Key    string
	Unless []string // attributes of the server's block, each of which resolves the problem
	Around []string // the same for the enclosing block
}

// Attribute is the file's value of one attribute.
type Attribute struct {
	Value cty.Value // strings contain ${…} unexpanded
	Where hcl.Range
	Parts map[string]hcl.Range // where the elements are, by index or name
}

// At returns the range of an element by its index or name, or the range of the whole value if the element has none.
func (a Attribute) At(part string) hcl.Range {
	if where, ok := a.Parts[part]; ok {
		return where
	}
	return a.Where
}

// partsOf returns the ranges of the elements in a list or an object.
func partsOf(expr hcl.Expression) map[string]hcl.Range {
	parts := map[string]hcl.Range{}
	pairs, _ := hcl.ExprMap(expr)
	for _, pair := range pairs {
		if key, problems := pair.Key.Value(nil); !problems.HasErrors() && key.Type() == cty.String {
			parts[key.AsString()] = pair.Value.Range()
		}
	}
	elements, _ := hcl.ExprList(expr)
	for i, element := range elements {
		parts[strconv.Itoa(i)] = element.Range()
	}
	return parts
}

// Unused is a key that is not used.
type Unused struct {
	Key   string
	Known bool // known to have no meaning here; otherwise the key is unknown
	Where hcl.Range
}

// Parse reads a file. The problems concern the file as a whole. The result is incomplete if they include errors.
func Parse(text []byte, name string) (*File, hcl.Diagnostics) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	text = jsonc.ToJSON(text) // replaces comments and trailing commas by blanks, so that all positions stay the same
	expr, problems := hcljson.ParseExpression(text, name)
	if problems.HasErrors() {
		return &File{}, problems[:1]
	}
	p := &parser{file: &File{}}
	if servers, ok := p.find(expr); ok {
		for _, s := range servers {
			p.server(s)
		}
	}
	return p.file, p.problems
}

type parser struct {
	file     *File
	problems hcl.Diagnostics
	opencode bool // the servers are in opencode's format
}

// entry is one "key": value pair in an object.
type entry struct {
	key   string
	value hcl.Expression
	where hcl.Range // of the value
}

func (p *parser) fail(where hcl.Range, summary, detail string) {
	p.problems = append(p.problems, wrong(where, summary, detail))
}

func wrong(where hcl.Range, summary, detail string) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &where}
}

// entries splits an object into its entries. A duplicate key is a problem because readers differ in which value they
// use.
func (p *parser) entries(expr hcl.Expression, what string) ([]entry, bool) {
	pairs, problems := hcl.ExprMap(expr)
	if problems.HasErrors() {
		p.fail(expr.Range(), "Invalid MCP server file", what+" must be an object: { … }.")
		return nil, false
	}
	var out []entry
	for _, pair := range pairs {
		key, problems := pair.Key.Value(nil)
		if problems.HasErrors() || key.Type() != cty.String {
			continue // JSON has no other keys
		}
		name := key.AsString()
		if slices.ContainsFunc(out, func(e entry) bool { return e.key == name }) {
			p.fail(pair.Key.Range(), "Duplicate key", fmt.Sprintf("%q occurs twice in %s. Remove one of the two.", name, what))
			continue
		}
		out = append(out, entry{name, pair.Value, pair.Value.Range()})
	}
	return out, true
}

// find returns the servers, with or without one of the known wrappers.
func (p *parser) find(expr hcl.Expression) ([]entry, bool) {
	top, ok := p.entries(expr, "The file")
	if !ok {
		return nil, false
	}
	for _, wrapper := range []string{"mcpServers", "servers", "context_servers", "mcp"} {
		i := slices.IndexFunc(top, func(e entry) bool { return e.key == wrapper })
		if i < 0 || wrapper != "mcpServers" && isServer(top[i].value) {
			continue
		}
		if wrapper == "mcp" {
			p.opencode = true
			return p.find(top[i].value)
		}
		p.opencode = false
		for j, beside := range top {
			if j != i {
				p.file.Unused = append(p.file.Unused, Unused{Key: beside.key, Known: true, Where: beside.where})
			}
		}
		return p.entries(top[i].value, wrapper)
	}
	if len(top) == 0 {
		p.fail(expr.Range(), "Invalid MCP server file", `The file contains no servers. Write {"mcpServers": {"NAME": `+
			"{…}}}.")
	}
	return top, true
}

// isServer reports whether an object is a server whose name happens to be the name of a wrapper.
func isServer(expr hcl.Expression) bool {
	pairs, _ := hcl.ExprMap(expr)
	return slices.ContainsFunc(pairs, func(pair hcl.KeyValuePair) bool {
		key, _ := pair.Key.Value(nil)
		return key.Type() == cty.String && (key.AsString() == "command" || key.AsString() == "url")
	})
}

// server reads one server.
func (p *parser) server(e entry) {
	keys, ok := p.entries(e.value, fmt.Sprintf("Server %q", e.key))
	if !ok {
		return
	}
	name := reserved.Replace(e.key)
	if slices.ContainsFunc(p.file.Servers, func(s Server) bool { return s.Name == name }) {
		p.fail(e.where, "Duplicate key", fmt.Sprintf("%q is the name of another server, too. Rename one of the two.", name))
		return
	}
	s := Server{Name: name, Written: e.key, Where: e.where, Attributes: map[string]Attribute{}}
	r := &reader{server: &s, opencode: p.opencode}
	for i := 0; i < len(keys); i++ {
		key := keys[i]
		value, problems := key.value.Value(nil)
		if problems.HasErrors() || value.IsNull() {
			continue // null sets nothing; ParseExpression has reported invalid values
		}
		if key.key == "command" && value.Type().IsObjectType() { // of Zed: path, args, and env
			inside, _ := p.entries(key.value, "command")
			for _, e := range inside {
				if e.key == "path" {
					e.key = "command"
				}
				keys = append(keys, e)
			}
			continue
		}
		s.Disabled = s.Disabled || key.key == "source" && value.RawEquals(cty.StringVal("extension")) // of Zed itself
		r.key(key, value)
	}
	r.addArguments()
	p.file.Servers = append(p.file.Servers, s)
}

// reserved replaces the characters that are reserved in patterns "server/tool".
var reserved = strings.NewReplacer("/", "_", "*", "_", "?", "_", "[", "_", `\`, "_")

// reader reads the keys of one server.
type reader struct {
	server    *Server
	arguments *Attribute
	opencode  bool
}

// fail records a problem with a key. If the spec sets any of the attributes in unless, the problem is resolved.
func (r *reader) fail(e entry, unless []string, summary, detail string) {
	r.server.Problems = append(r.server.Problems, Problem{
		Diagnostic: wrong(e.where, summary, detail), Key: e.key, Unless: unless,
	})
}

// reach lists the attributes that define how a server is reached.
var reach = []string{"command", "url"}

func (r *reader) unused(e entry, known bool) {
	r.server.Unused = append(r.server.Unused, Unused{Key: e.key, Known: known, Where: e.where})
}

func (r *reader) key(e entry, value cty.Value) {
	means := keys[e.key]
	switch {
	case r.opencode && e.key == "timeout":
		means.unit = time.Millisecond
	case e.key == "tools" && value.RawEquals(allTools), e.key == "available_tools" && value.RawEquals(cty.EmptyTupleVal):
		means = nothing
	}
	switch means.as {
	case asAttribute:
		r.put(means.name, means.ty, e, value)
	case asCommand:
		r.command(e, value)
	case asArguments:
		if r.arguments != nil {
			r.fail(e, reach, "Duplicate setting", fmt.Sprintf("Server %q has args twice. Remove one of the two.", r.server.Name))
		} else if v, ok := r.convert(cty.List(cty.String), e, value, reach); ok {
			r.arguments = &Attribute{v, e.where, partsOf(e.value)}
		}
	case asTime:
		r.time(means, e, value)
	case asDisabled:
		if v, ok := r.convert(cty.Bool, e, value, nil); ok {
			r.server.Disabled = r.server.Disabled || v.True() == means.whenTrue
		}
	case asTransport:
		r.transport(e, value)
	case asNothing:
		r.unused(e, true)
	case asRefused:
		r.refuse(e, means.remedy, means.unless)
		r.server.Problems[len(r.server.Problems)-1].Around = means.around
	default:
		r.unused(e, false)
	}
}

// allTools selects all tools in Copilot's format.
var allTools = cty.TupleVal([]cty.Value{cty.StringVal("*")})

func (r *reader) refuse(e entry, remedy string, unless []string) {
	r.fail(e, unless, "Unsupported MCP server key",
		fmt.Sprintf("%s for server %q: %s", e.key, r.server.Name, remedy))
}

func (r *reader) convert(ty cty.Type, e entry, value cty.Value, unless []string) (cty.Value, bool) {
	v, err := convert.Convert(value, ty)
	if err == nil && ty != cty.DynamicPseudoType && !v.IsWhollyKnown() {
		err = fmt.Errorf("a value is missing")
	}
	if err != nil {
		r.fail(e, unless, "Wrong value", fmt.Sprintf("%s of server %q: %s.", e.key, r.server.Name, err))
		return v, false
	}
	return v, true
}

func (r *reader) put(name string, ty cty.Type, e entry, value cty.Value) {
	if ty.IsMapType() {
		value = withoutNulls(value)
	}
	unless := []string{name}
	if slices.Contains(reach, name) {
		unless = reach
	}
	v, ok := r.convert(ty, e, value, unless)
	if !ok {
		return
	}
	if _, twice := r.server.Attributes[name]; twice {
		r.fail(e, unless, "Duplicate setting",
			fmt.Sprintf("Two keys of server %q set its %s; %s is one of them. Remove one of "+
				"the two.",
				r.server.Name, name, e.key))
		return
	}
	r.server.Attributes[name] = Attribute{v, e.where, partsOf(e.value)}
}

// withoutNulls removes the null values of an object: variables that are not set.
func withoutNulls(v cty.Value) cty.Value {
	if !v.Type().IsObjectType() {
		return v
	}
	kept := map[string]cty.Value{}
	for name, value := range v.AsValueMap() {
		if !value.IsNull() {
			kept[name] = value
		}
	}
	if len(kept) == 0 {
		return cty.MapValEmpty(cty.String)
	}
	return cty.ObjectVal(kept)
}

// command sets a program, or a program with its arguments.
func (r *reader) command(e entry, value cty.Value) {
	if value.Type() == cty.String {
		value = cty.TupleVal([]cty.Value{value})
	}
	r.put("command", cty.List(cty.String), e, value)
}

func (r *reader) addArguments() {
	command, ok := r.server.Attributes["command"]
	if r.arguments == nil || !ok || r.arguments.Value.LengthInt() == 0 {
		return
	}
	program, arguments := command.Value.AsValueSlice(), r.arguments.Value.AsValueSlice()
	for i := range arguments {
		command.Parts[strconv.Itoa(len(program)+i)] = r.arguments.At(strconv.Itoa(i))
	}
	command.Value = cty.ListVal(append(program, arguments...))
	r.server.Attributes["command"] = command
}

// longest is the longest plausible value in seconds for a time key. Larger values are in milliseconds, as in Gemini CLI
// and others. The longest in AWorld's own files is 9999.
const longest = 3 * time.Hour

func (r *reader) time(means meaning, e entry, value cty.Value) {
	v, ok := r.convert(cty.Number, e, value, []string{means.name})
	if !ok {
		return
	}
	count, _ := v.AsBigFloat().Float64()
	d := time.Duration(count * float64(means.unit))
	if count <= 0 || d > longest {
		r.fail(e, []string{means.name}, "Wrong value", fmt.Sprintf("%s of server %q is in %s, and %v is out of range. Set "+
			"%s = \"…\" in the block server %q of the spec.",
			e.key, r.server.Name, unitName(means.unit), count, means.name, r.server.Name))
		return
	}
	r.put(means.name, cty.String, e, cty.StringVal(d.String()))
}

func unitName(unit time.Duration) string {
	if unit == time.Millisecond {
		return "milliseconds"
	}
	return "seconds"
}

func (r *reader) transport(e entry, value cty.Value) {
	v, ok := r.convert(cty.String, e, value, reach)
	if !ok {
		return
	}
	switch kind := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(v.AsString())); kind {
	case "stdio", "local", "streamablehttp", "http", "remote", "sse": // implied by command or url
	default:
		r.refuse(e, fmt.Sprintf("awhost supports stdio, streamable HTTP, and HTTP+SSE, not %q. Remove the server, or set "+
			"\"disabled\": true.", v.AsString()), reach)
	}
}
