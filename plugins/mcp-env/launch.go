package mcpenv

import (
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/plugins/mcp-env/internal/server"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/ownerfile"
	"github.com/awhost/awhost/sdk/placeholder"
)

// sessionDir is the placeholder for a session's directory. With session = "episode", it is private to one process,
// which serves at most one episode. With session = "shared", it is the spec's directory.
const sessionDir = "session.dir"

// inSessionDir matches a cwd within a session's directory. The host prepends the spec's directory.
var inSessionDir = regexp.MustCompile(`^(.*?)(\{\{\s*session\.dir\s*\}\}.*)$`)

// placeholderValue replaces episode values for the process that lists a server's tools before the first episode.
const placeholderValue = "0"

// values returns the value of a placeholder for an episode.
type values func(name string) (any, error)

// texts returns the strings whose placeholders are filled in for each process, keyed by their paths in the server's
// block.
func (c serverConfig) texts() map[string]string {
	out := map[string]string{"cwd": c.Dir}
	for i, word := range c.Command {
		out["command."+strconv.Itoa(i)] = word
	}
	for name, text := range c.Env {
		out["env."+name] = text
	}
	return out
}

// checkText checks the placeholders in one of the strings.
func (c serverConfig) checkText(at, text string) error {
	if placeholder.FindInvalid(text) != "" { // not quoted: a variable may contain a secret
		return errors.New("{{ does not start a placeholder here: write {{NAME}}, of letters, digits, _, - and dots, or " +
			"keep text that needs {{ in a file")
	}
	_, err := placeholder.Fill(text, func(name string) (any, error) { return "", c.checkName(at, name) })
	return err
}

func (c serverConfig) checkName(at, name string) error {
	part, _, ok := ofTask(name)
	shared := c.Session == sessionShared
	switch {
	case name == sessionDir && shared && at != "cwd":
		return errors.New("{{session.dir}} is private to an episode, and all episodes share the server: name a folder")
	case name == sessionDir:
		return nil
	case ok && part == partPrivate:
		return fmt.Errorf("{{%s}} is private: pass it to the server in a call of setup", name)
	case !ok && name != "episode.id" && name != "episode.seed":
		return fmt.Errorf("unknown placeholder {{%s}}: write {{session.dir}}, {{task.id}}, {{task.NAME}}, {{episode.id}} or "+
			"{{episode.seed}}", name)
	case shared:
		return fmt.Errorf("{{%s}} differs between episodes, which share the server: write session = %q", name, sessionEpisode)
	case c.Warm > 0:
		return fmt.Errorf("{{%s}} is unknown to processes that start ahead of need: write warm = 0", name)
	}
	return nil
}

// usesEpisodeValues reports whether the strings contain episode values.
func usesEpisodeValues(texts ...string) bool {
	names := placeholder.Names(strings.Join(texts, "\n"))
	return slices.ContainsFunc(names, func(name string) bool { return name != sessionDir })
}

// fromSpec returns the path of a command element that names something in the spec's directory. A program name without a
// separator is looked up in PATH, and "." is the working directory.
func fromSpec(spec string, i int, word string) (path string, ok bool) {
	bare := i == 0 && !strings.ContainsRune(word, filepath.Separator)
	if bare || filepath.IsAbs(word) || filepath.Clean(word) == "." {
		return "", false
	}
	path = filepath.Join(spec, word)
	_, err := os.Lstat(path)
	return path, err == nil
}

// launch returns the configuration for one process, with placeholders filled in and a new private directory in folder.
// of is nil for a process that does not belong to an episode.
func (c serverConfig) launch(config server.Config, folder string, of values) (server.Config, error) {
	if len(c.Command) == 0 {
		return config, nil
	}
	cwd := c.Dir
	if of == nil && usesEpisodeValues(cwd) { // the episode's folder is unknown
		cwd = "{{" + sessionDir + "}}"
	}
	config.Command, config.Env = slices.Clone(c.Command), maps.Clone(c.Env)
	inside := inSessionDir.FindStringSubmatch(cwd)
	own := filepath.Join(folder, rand.Text())
	if inside != nil {
		spec, err := filepath.Abs(inside[1])
		if err != nil {
			return config, err
		}
		cwd = inside[2]
		if c.Session == sessionShared {
			own = spec
		}
		for i, word := range config.Command {
			if path, ok := fromSpec(spec, i, word); ok {
				config.Command[i] = path
			}
		}
	}
	var problems []error
	fill := func(text string, isPath bool) string {
		v, err := placeholder.Fill(text, func(name string) (any, error) {
			switch {
			case name == sessionDir:
				return own, nil
			case of == nil:
				return placeholderValue, nil
			}
			v, err := of(name)
			if err == nil && isPath && !filepath.IsLocal(placeholder.Text(v)) {
				err = fmt.Errorf("{{%s}}: %.80q is not a path below cwd", name, placeholder.Text(v))
			}
			return v, err
		})
		problems = append(problems, err)
		return placeholder.Text(v)
	}
	config.Dir = fill(cwd, true)
	for i, word := range config.Command {
		config.Command[i] = fill(word, false)
	}
	for name, text := range config.Env {
		config.Env[name] = fill(text, false)
	}
	if err := errors.Join(problems...); err != nil {
		return config, &sdk.Failure{
			Class: sdk.FailureEnvironment, Detail: fmt.Sprintf("start MCP server %q: %s", config.Name, err),
		}
	}
	if c.Session == sessionShared {
		return config, nil
	}
	config.Folder = own
	if inside != nil {
		own = config.Dir // it may be a folder in the private one
	}
	return config, ownerfile.MkdirAll(own)
}
