package importer

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"mvdan.cc/sh/v3/syntax"
)

// override matches an argument of Hydra: KEY=VALUE after +, ++ or nothing, or ~KEY.
var override = regexp.MustCompile(`(?s)^(\+\+?|~|)([A-Za-z_][\w./@-]*)(=(.*))?$`)

// startOf returns the index of the first argument of the training program, or 0 if a command does not start it.
func (s *script) startOf(arguments []argument) int {
	for i, a := range arguments {
		next := i + 1
		switch name := filepath.Base(a.text); {
		case a.text == "-m" && next < len(arguments):
			next++
		case (name == "trl" || name == "swift" || name == "megatron") && s.config.system.flags:
			next++ // the subcommand
		case !strings.HasSuffix(name, ".py"):
			continue
		}
		for _, rest := range arguments[min(next, len(arguments)):] {
			key, isFlag := strings.CutPrefix(rest.text, "--")
			key, _, _ = strings.Cut(strings.TrimLeft(key, "+~"), "=")
			_, known := s.config.system.keyOf(strings.ReplaceAll(key, "-", "_"))
			if known && isFlag == s.config.system.flags || isFlag && slices.Contains(configFlags, "--"+key) {
				return next
			}
		}
	}
	return 0
}

// configFlags are the arguments that name a configuration. TRL and ms-swift have --config, AReaL, too.
var configFlags = []string{"--config-path", "--config-name", "--config-dir", "--config"}

// launch reads the command that starts the training. If a reason to skip it is set, its arguments are only listed.
func (s *script) launch(command *syntax.CallExpr, skipped string) {
	arguments := s.arguments(command)
	start := s.startOf(arguments)
	if skipped != "" {
		for _, a := range arguments[start:] {
			key, value, _ := strings.Cut(a.text, "=")
			s.config.other(LeftOut, a.line, key, value, skipped)
		}
		return
	}
	s.started = true
	var names []string
	for _, a := range arguments[:start] {
		names = append(names, a.text)
	}
	s.config.other(NotRun, line(command), names[0], strings.Join(names, " "), "awhost starts "+s.config.system.Title)
	s.environment(command)
	config := s.hydra
	if s.config.system.flags {
		config = s.options
		for i, a := range arguments[:start-1] {
			name, text, joined := strings.Cut(a.text, "=")
			if !joined {
				text = arguments[i+1].text
			}
			if name == "--num_processes" || name == "--nproc_per_node" || name == "--nproc-per-node" {
				s.put("num_processes", "", a, text)
			}
		}
	}
	s.configuration(config(arguments[start:]))
}

// environment stores the exported variables and the variables of the command.
func (s *script) environment(command *syntax.CallExpr) {
	for _, assign := range command.Assigns {
		s.assign(assign, &syntax.DeclClause{Variant: &syntax.Lit{Value: "export"}, Args: []*syntax.Assign{assign}})
	}
	names := slices.Sorted(maps.Keys(s.lines))
	slices.SortStableFunc(names, func(a, b string) int { return s.lines[a] - s.lines[b] })
	for _, name := range names {
		v := s.shell.Vars[name]
		if !v.Exported {
			continue
		}
		a := argument{line: s.lines[name], problem: s.unknown[name]}
		if secret.MatchString(name) && a.problem == "" {
			a.problem = "it is a secret: put it into .env, and set train.env." + name + " to env(\"" + name + "\")"
			v.Str = "…"
		}
		s.put("env."+name, "", a, v.Str)
	}
}

// hydra stores the overrides of a command line of Hydra, and returns the configuration that it names.
func (s *script) hydra(arguments []argument) argument {
	var folder, name argument
	for i := 0; i < len(arguments); i++ {
		a := arguments[i]
		flag, text, joined := strings.Cut(a.text, "=")
		if slices.Contains(configFlags, flag) || flag == "-cp" || flag == "-cn" {
			if !joined && i+1 < len(arguments) {
				i++
				text = arguments[i].text
			}
			a.text = text
			if flag == "--config-path" || flag == "-cp" || flag == "--config-dir" {
				folder = a
			} else {
				name = a
			}
			continue
		}
		match := override.FindStringSubmatch(a.text)
		switch {
		case match == nil || match[1] == "~" || strings.ContainsAny(match[2], "/@") || match[3] == "":
			why := "it is not of the form KEY=VALUE, which overrides have"
			if match != nil && match[1] == "~" {
				why = "overrides cannot remove a key: set it to null, or to the value that replaces it"
			}
			s.config.other(LeftOut, a.line, flag, text, why)
		default:
			s.put(match[2], match[1], a, match[4])
		}
	}
	if name.text != "" && folder.text != "" {
		name.text, name.problem = filepath.Join(folder.text, name.text), cmp.Or(folder.problem, name.problem)
	}
	return name
}

// options stores arguments of the form --name value, and returns the configuration that they name.
func (s *script) options(arguments []argument) (config argument) {
	for i := 0; i < len(arguments); i++ {
		a := arguments[i]
		name, text, joined := strings.Cut(a.text, "=")
		if !strings.HasPrefix(name, "-") {
			if filepath.Ext(name) == ".yaml" || filepath.Ext(name) == ".yml" {
				config = a // swift rlhf FILE
			} else {
				s.config.other(LeftOut, a.line, name, "", "it is not an argument of the form --NAME VALUE")
			}
			continue
		}
		values := []string{text}
		if !joined {
			values = nil
			for i+1 < len(arguments) && !option.MatchString(arguments[i+1].text) {
				i++
				values = append(values, arguments[i].text)
				a.problem = cmp.Or(a.problem, arguments[i].problem)
			}
		}
		name = strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "_")
		switch {
		case name == "config" && len(values) == 1:
			config = argument{values[0], a.line, a.problem}
		case len(values) == 0:
			s.put(name, "", a, "true")
		case len(values) == 1:
			s.put(name, "", a, values[0])
		default:
			s.put(name, "", a, strings.Join(values, " "))
			v := s.config.values[name]
			v.node = &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: a.line}
			for _, value := range values {
				v.node.Content = append(v.node.Content, yamlOf(value))
			}
			s.config.values[name] = v
		}
	}
	return config
}

// option matches the name of an argument. Negative numbers are values.
var option = regexp.MustCompile(`^--?[A-Za-z]`)

// configuration reads the YAML file that a command line names. The command line's values override the file's.
func (s *script) configuration(named argument) {
	c := s.config
	if named.text == "" {
		return
	}
	if filepath.Ext(named.text) == "" {
		named.text += ".yaml"
	}
	outcome, why := Unresolved, cmp.Or(named.problem, "no such file next to the script: add it, and import again")
	name := strings.TrimSuffix(filepath.Base(named.text), ".yaml")
	file, found := findNear(c.name, named.text)
	text, err := os.ReadFile(file)
	switch {
	case slices.Contains(c.system.shipped, name):
		c.bases = append(c.bases, name)
		outcome, why = NotRun, c.system.Title+"'s own defaults apply to the keys that the script does not set"
	case err != nil || !found || named.problem != "":
	default:
		outcome, why = NotRun, "read from "+file
		if err = c.document(file, text, 0); err != nil {
			outcome, why = Unresolved, err.Error()
		}
	}
	c.other(outcome, named.line, "configuration", named.text, why)
}

// yamlOf reads the value of an argument: a scalar, a list or a mapping, or else text.
func yamlOf(text string) *yaml.Node {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil || len(document.Content) != 1 {
		return textNode(text)
	}
	node := document.Content[0]
	if node.Kind == yaml.AliasNode || node.Kind == yaml.MappingNode && !strings.HasPrefix(strings.TrimSpace(text), "{") ||
		node.Kind == yaml.SequenceNode && !strings.HasPrefix(strings.TrimSpace(text), "[") {
		return textNode(text)
	}
	return node
}
