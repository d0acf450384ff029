package spec

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty/function"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

var (
	//go:embed reference
	examples embed.FS
	//go:embed reference/functions.txt
	functionDescriptions string // one line per function
)

// Page is one Markdown page of the reference.
type Page struct {
	Name string // path without extension, such as spec/agent
	Text string
}

// Reference returns the pages that document the language: an index, the host's blocks, the components in schemas (may
// be nil), and the functions. They are generated from the tables that decode the spec.
func Reference(schemas SchemaSource) []Page {
	pages := []Page{{Name: "spec"}}
	index := &manual{}
	index.paragraph("# Spec reference")
	index.paragraph("A spec is one `*.hcl` file, or a directory with `*.hcl` and `*.hcl.json` files. Blocks refer to " +
		"one another as `kind.type.name`. Paths are relative to the spec's directory. Durations are numbers with a unit " +
		"(`\"90s\"`, `\"5m\"`). The values of settings marked \"resumable\" can change when a run is resumed.")
	index.table("page", "content")
	add := func(name, title, content string, write func(*manual)) {
		example, err := examples.ReadFile("reference/" + name + ".hcl")
		if err != nil {
			panic(err) // embedded files cannot fail
		}
		m := &manual{written: map[string]string{}}
		m.paragraph("# " + title)
		m.paragraph("```hcl\n" + string(example) + "```")
		write(m)
		pages = append(pages, Page{"spec/" + name, strings.TrimRight(m.b.String(), "\n") + "\n"})
		index.row(fmt.Sprintf("[%s](spec/%s.md)", title, name), content)
	}
	add("awhost", "awhost, variable, locals, output", "required versions and plugins, parameters, results", (*manual).head)
	for _, kind := range componentKinds {
		add(kind, kind, kindContents[kind], func(m *manual) { m.kind(kind, schemas) })
	}
	add("train", "train", "a training run", func(m *manual) { m.block(trainSchema, "", 2) })
	add("telemetry", "telemetry", "export of metrics and traces, at most one block", func(m *manual) {
		m.block(telemetrySchema, "", 2)
		m.paragraph("See [Telemetry](../../guides/telemetry.md).")
	})
	add("expressions", "Expressions over episodes", "`reward`, `success`, `advance_when`", (*manual).expressions)
	add("functions", "Functions", "functions of expressions", (*manual).functions)
	index.end()
	index.paragraph("These pages are generated from awhost's schemas. [`awhost schema reference`](cli/schema.md) " +
		"prints them along with the components of a spec's own plugins.")
	pages[0].Text = strings.TrimRight(index.b.String(), "\n") + "\n"
	return pages
}

// kindContents describes the component kinds in the index.
var kindContents = map[string]string{
	kindDataset:     "tasks",
	kindEnvironment: "tools and worlds in which agents act",
	kindModel:       "the model to train, and served models",
	kindAgent:       "the program that acts in an episode",
	kindSwarm:       "several agents as one",
	kindReward:      "the score of an episode",
	kindAdapter:     "the trainer",
}

// manual writes Markdown. It documents an attribute that several blocks on a page share only once.
type manual struct {
	b       strings.Builder
	section string            // the last heading
	written map[string]string // the section of each attribute
}

func (m *manual) paragraph(text string) { m.b.WriteString(wrapped(text) + "\n\n") }

// manualColumns is the maximum length of a prose line.
const manualColumns = 115 // an item of a list is indented, and may end with a word that cannot begin a line

// wrapped breaks long prose lines outside code, and only before words that do not start a Markdown block such as a
// list.
func wrapped(text string) string {
	if strings.HasPrefix(text, "#") || strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	column := 0
	code := false
	words := strings.Split(text, " ")
	for i, word := range words {
		needed := utf8.RuneCountInString(word)
		for inside, j := strings.Count(word, "`")%2 == 1, i+1; inside && j < len(words); j++ {
			needed += 1 + utf8.RuneCountInString(words[j])
			inside = strings.Count(words[j], "`")%2 == 0
		}
		switch {
		case i == 0:
		case !code && column+1+needed > manualColumns && mayBeginLine(word):
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += utf8.RuneCountInString(word)
		code = code != (strings.Count(word, "`")%2 == 1)
	}
	return b.String()
}

func mayBeginLine(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	text := unicode.IsLetter(first) || unicode.IsDigit(first) && word != "1." // begins a list
	return (text || strings.ContainsRune("`(\"{", first)) && !strings.HasPrefix(word, "``")
}

func (m *manual) heading(level int, text string) {
	m.section = text
	m.paragraph(strings.Repeat("#", min(level, 6)) + " " + text)
}

func (m *manual) row(cells ...string) {
	for i := range cells {
		cells[i] = strings.ReplaceAll(strings.ReplaceAll(cells[i], "\n", " "), "|", `\|`)
	}
	m.b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

func (m *manual) table(heads ...string) {
	m.row(heads...)
	m.b.WriteString(strings.Repeat("|---", len(heads)) + "|\n")
}

// item writes a list element.
func (m *manual) item(text string) {
	m.b.WriteString("* " + strings.ReplaceAll(wrapped(strings.ReplaceAll(text, "\n", " ")), "\n", "\n  ") + "\n")
}

// end ends a table or a list.
func (m *manual) end() { m.b.WriteByte('\n') }

func (m *manual) head() {
	m.table("block", "attribute", "meaning")
	for _, row := range [][3]string{
		{"`awhost`", "`required_version`", "A version constraint such as `\">= 0.1\"`."},
		{"", "`required_plugins { NAME = { source = \"./directory\" } }`", "Plugins that are not bundled: a directory with " +
			"a Go or a Python package, a program, an archive (.tar.gz, .zip), or the URL of one; with `command = [\"node\", " +
			"\"main.mjs\"]`, a directory or an archive in any language. A type belongs to the plugin " +
			"whose name is its prefix."},
		{"`variable \"NAME\"`", "`type`", "`string`, `number`, `bool`, `list(…)`, `map(…)`, `object({…})`. Without a type, " +
			"values from the command line are strings."},
		{"", "`default`", "The value if none is supplied."},
		{"", "`description`", "The variable's purpose."},
		{"", "`sensitive`", "The value is never stored or shown."},
		{"", "`validation { condition, error_message }`", "A condition on the value, which may refer only to the variable."},
		{"`locals`", "`NAME = EXPRESSION`", "Available as `local.NAME`."},
		{"`output \"NAME\"`", "`value`", "Printed after the run; may refer to " + inCode(prefixed("train.NAME.",
			resultAttributes)) + "."},
		{"", "`description`, `sensitive`", "As for variables."},
	} {
		m.row(row[:]...)
	}
	m.end()
	m.paragraph("Sources of a variable's value, in increasing precedence: its default, the environment " +
		"variable `" + variablePrefix + "NAME`, `*.auto.awvars` next to the spec, `--var-file`, " +
		"`--var NAME=VALUE`. A `.env` file next to the spec supplies `env()` and `" + variablePrefix + "…` with " +
		"variables that the environment does not set.")
}

func inCode(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func (m *manual) kind(kind string, schemas SchemaSource) {
	m.hostBlock(kind)
	own := builtins[kind]
	for _, typ := range slices.Sorted(maps.Keys(own)) {
		m.heading(2, fmt.Sprintf("%s %q", kind, typ))
		m.block(own[typ].schema, "", 3)
	}
	if !served(kind) {
		return
	}
	if schemas == nil || len(schemas.Types(kind)) == 0 {
		what := "Plugins provide the types"
		if len(own) > 0 {
			what = "Plugins provide more types"
		}
		m.paragraph(what + ": `awhost plugin describe NAME` shows them.")
		return
	}
	for _, typ := range schemas.Types(kind) {
		component, ok := schemas.Component(kind, typ)
		if !ok {
			continue
		}
		m.component(component, 2)
	}
}

// hostBlock writes the block that every component of a given kind may have.
func (m *manual) hostBlock(kind string) {
	if n, has := hostBlocks[kind]; has {
		m.heading(2, n.Name)
		m.paragraph(fmt.Sprintf("Any %s may have a `%s` block, unless its plugin defines one.", kind, n.Name))
		m.block(n.Block, "", 3)
	}
}

// component writes a section about a plugin component.
func (m *manual) component(c *sdk.ComponentDescription, level int) {
	m.heading(level, fmt.Sprintf("%s %q", c.Kind, c.Type))
	if c.Description != "" && c.Description != c.Schema.Description {
		m.paragraph(c.Description)
	}
	m.block(c.Schema, "", level+1)
	if len(c.RewardComponents) > 0 {
		m.paragraph("Components: " + inCode(c.RewardComponents) + ".")
	}
	if c.ComponentsAttribute != "" {
		m.paragraph("Components: declared by `" + c.ComponentsAttribute + "`.")
	}
}

// PluginReference returns a plugin's reference page in Markdown, generated from the plugin's description.
func PluginReference(d sdk.Description) string {
	m := &manual{written: map[string]string{}}
	m.paragraph("# " + d.Name)
	m.paragraph(fmt.Sprintf("Plugin %s, version %s. This page is generated from its description.", d.Name, d.Version))
	for i := range d.Components {
		c := &d.Components[i]
		m.component(c, 2)
		if len(c.Metrics) > 0 {
			m.paragraph("Metrics: " + inCode(c.Metrics) + ".")
		}
		m.capabilities(c, 3)
	}
	return strings.TrimRight(m.b.String(), "\n") + "\n"
}

// block writes a block's attributes and then a section for each nested block.
func (m *manual) block(sch schema.Block, path string, level int) {
	if sch.Description != "" {
		m.paragraph(sch.Description)
	}
	if sch.Deprecated != "" {
		m.paragraph("Deprecated: " + sch.Deprecated)
	}
	m.attributes(sch.Attributes)
	if len(sch.Attributes) == 0 && len(sch.Blocks) == 0 {
		m.paragraph("No attributes.")
	}
	for _, n := range sch.Blocks {
		name := strings.TrimSpace(path + " " + n.Name)
		m.heading(level, name)
		if n.Name == "stage" && path == "" {
			m.stage(n.Block)
			continue
		}
		if how := occurrence(n); how != "" {
			m.paragraph(how)
		}
		m.block(n.Block, name, level+1)
	}
}

// stage writes only the settings that train does not have.
func (m *manual) stage(sch schema.Block) {
	m.paragraph("`stage \"NAME\" { … }`, any number of times. " + sch.Description)
	own := schema.Block{}
	for _, a := range sch.Attributes {
		if !slices.ContainsFunc(trainSchema.Attributes, func(t schema.Attribute) bool { return t.Name == a.Name }) {
			own.Attributes = append(own.Attributes, a)
		}
	}
	var not []string
	for _, a := range runAttributes() {
		not = append(not, a.Name)
	}
	for _, n := range runBlocks() {
		not = append(not, n.Name)
	}
	m.paragraph("A stage takes the attributes and blocks of `train` except\n" + inCode(not) + ",\nand these:")
	m.block(own, "stage", 3)
}

func occurrence(n schema.NestedBlock) string {
	switch n.Nesting {
	case schema.Map:
		return fmt.Sprintf("`%s \"LABEL\" { … }`%s.", n.Name, times(n))
	case nestingChoice:
		return fmt.Sprintf("`%s \"LABEL\" { … }`.", n.Name)
	case schema.List, schema.Set:
		return fmt.Sprintf("`%s { … }`%s.", n.Name, times(n))
	}
	return ""
}

func times(n schema.NestedBlock) string {
	switch {
	case n.Min > 0 && n.Max > 0:
		return fmt.Sprintf(", %d to %d times", n.Min, n.Max)
	case n.Min > 0:
		return fmt.Sprintf(", at least %s", plural(n.Min, fmt.Sprintf("%d time", n.Min)))
	case n.Max > 0:
		return fmt.Sprintf(", at most %s", plural(n.Max, fmt.Sprintf("%d time", n.Max)))
	}
	return ", any number of times"
}

// attributes writes a list, and refers to the existing section for attributes that the page already documents.
func (m *manual) attributes(all []schema.Attribute) {
	var sections []string
	names, before := map[string][]string{}, m.b.Len()
	for _, a := range all {
		text := attributeItem(a)
		if section, ok := m.written[text]; ok {
			if !slices.Contains(sections, section) {
				sections = append(sections, section)
			}
			names[section] = append(names[section], a.Name)
			continue
		}
		m.written[text] = m.section
		m.item(text)
	}
	if m.b.Len() > before {
		m.end()
	}
	for _, section := range sections {
		anchor := strings.NewReplacer(" ", "-", `"`, "").Replace(section)
		m.paragraph(fmt.Sprintf("As in [%s](#%s): %s.", section, anchor, inCode(names[section])))
	}
}

func attributeItem(a schema.Attribute) string {
	name := "`" + a.Name + "`"
	if a.Name == anyName {
		name = "any name"
	}
	properties := []string{typeText(a)}
	switch {
	case a.Required:
		properties = append(properties, "required")
	case a.DefaultJSON != nil:
		properties = append(properties, "default `"+string(a.DefaultJSON)+"`")
	}
	if a.Sensitive {
		properties = append(properties, "sensitive")
	}
	if a.OnChange == schema.Resume {
		properties = append(properties, "resumable")
	}
	return fmt.Sprintf("%s (%s): %s", name, strings.Join(properties, ", "), meaning(a))
}

func typeText(a schema.Attribute) string {
	if a.Format != "" {
		return string(a.Format)
	}
	if of, name, ok := strings.Cut(typeName(a.Type), " of "); ok && !strings.Contains(of+name, " ") {
		return fmt.Sprintf("`%s(%s)`", of, name)
	}
	return typeName(a.Type)
}

func meaning(a schema.Attribute) string {
	parts := []string{strings.TrimSuffix(a.Description, ".") + "."}
	if slices.ContainsFunc(a.OneOf, func(v string) bool { return !strings.Contains(a.Description, inCode([]string{v})) }) {
		parts = append(parts, "One of "+inCode(a.OneOf)+".")
	}
	for _, p := range a.Presets {
		var defaults map[string]json.RawMessage
		if json.Unmarshal(p.DefaultsJSON, &defaults) == nil {
			parts = append(parts, fmt.Sprintf("`%s` sets defaults of %s.", p.Value, inCode(slices.Sorted(maps.Keys(defaults)))))
		}
	}
	switch {
	case a.Minimum != nil && a.Maximum != nil:
		parts = append(parts, fmt.Sprintf("From %s to %s.", decimal(*a.Minimum), decimal(*a.Maximum)))
	case a.Minimum != nil:
		parts = append(parts, fmt.Sprintf("At least %s.", decimal(*a.Minimum)))
	case a.Maximum != nil:
		parts = append(parts, fmt.Sprintf("At most %s.", decimal(*a.Maximum)))
	}
	if a.MustExist {
		parts = append(parts, "Must exist.")
	}
	if a.Unit != "" && !strings.Contains(a.Description, a.Unit) {
		parts = append(parts, "In "+a.Unit+".")
	}
	if a.ExampleJSON != nil {
		parts = append(parts, "Example: `"+string(a.ExampleJSON)+"`.")
	}
	if a.Deprecated != "" {
		parts = append(parts, "Deprecated: "+a.Deprecated+".")
	}
	return strings.Join(parts, " ")
}

func (m *manual) expressions() {
	m.table("in", "may refer to", "gives")
	own := inCode(prefixed("agent.TYPE.NAME.", ownAttributes)) + " (reported by a plugin's agent)"
	m.row("`reward`", "`reward.TYPE.NAME` (its score), `.score`, `.components.NAME`, `.is_success`; "+own+"; "+
		inCode(prefixed("episode.", episodeAttributes)), "a number")
	m.row("`success`", "the same", "true or false")
	m.row("`advance_when`", inCode(prefixed("validation.", validationMetrics)), "true or false")
	m.end()
	m.paragraph("A failed reward has no attributes: the expression and the episode's score fail, unless `try()` " +
		"handles the failure. Non-finite numbers are failures. Expressions may use locals. They refer to a reward " +
		"either on its own or by its attributes, but not both.")
	m.paragraph("A plugin agent may report a reward for its episode. The agent, or the swarm member, must act in " +
		"the stage; its last report in an episode counts. Without a report, or if the number is not finite, the " +
		"attribute is absent: `try(agent.python.mine.reward, reward.math.answer.score)` then uses the other reward. " +
		"Without `try()`, the episode fails with class REWARD.")
	m.paragraph("Loading a spec fails if a comparison is always true or always false (`validation.success_rate > " +
		"80`: it is a fraction), or if an expression never has a value (`reward.gaia.answer / 0`). Variables may " +
		"disable a condition (`var.on && validation.success_rate > 0.8`). A comparison whose result never changes " +
		"because of a variable's value causes a warning, as does an expression that has no value in some cases, " +
		"such as `1 / reward.gaia.answer.score` when the score is 0.")
}

func (m *manual) functions() {
	descriptions := map[string]string{}
	for line := range strings.Lines(functionDescriptions) {
		name, description, _ := strings.Cut(strings.TrimSpace(line), ": ")
		descriptions[name] = description
	}
	all := newFunctions(&scope{}, &environment{})
	for _, name := range slices.Sorted(maps.Keys(all)) {
		m.item("`" + signature(name, all[name]) + "`: " + descriptions[name])
	}
	m.end()
}

func signature(name string, f function.Function) string {
	var params []string
	for _, p := range f.Params() {
		params = append(params, p.Name)
	}
	if v := f.VarParam(); v != nil {
		params = append(params, v.Name+"…")
	}
	return name + "(" + strings.Join(params, ", ") + ")"
}
