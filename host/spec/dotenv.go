package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/joho/godotenv"
)

// environment provides values to env() and AWHOST_VAR_…: the process's environment takes precedence over the .env file.
type environment struct {
	real   func(string) (string, bool)
	dotenv map[string]string
	asked  map[string]bool // names that env() was called with
}

func (e *environment) lookup(name string) (string, bool) {
	if value, ok := e.real(name); ok {
		return value, true
	}
	value, ok := e.dotenv[name]
	return value, ok
}

// names returns the sorted names with which env() was called.
func (e *environment) names() []string {
	names := make([]string, 0, len(e.asked))
	for name := range e.asked {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// newEnvironment reads the .env file next to the spec, if there is one.
func newEnvironment(dir string, real func(string) (string, bool)) (*environment, hcl.Diagnostics) {
	if real == nil {
		real = func(string) (string, bool) { return "", false }
	}
	env := &environment{real: real, asked: map[string]bool{}}
	path := filepath.Join(dir, ".env")
	text, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return env, nil
	}
	if err == nil {
		env.dotenv, err = parseDotenv(string(text), real)
	}
	if err != nil {
		return env, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Unreadable .env file",
			Detail: fmt.Sprintf("%s: %s. Write one NAME=value pair per line.", path, err)}}
	}
	return env, nil
}

// errDotenv replaces the parser's errors, which quote the line and may reveal a secret.
var errDotenv = errors.New("malformed NAME=value line or unclosed quote")

var interpolated = regexp.MustCompile(`\$\{?([A-Za-z_][A-Za-z0-9_]*)`)

// parseDotenv reads NAME=value lines. ${NAME} refers to an earlier line or else to a variable of the process's
// environment. Such variables are inserted before the text on separate lines.
func parseDotenv(text string, real func(string) (string, bool)) (map[string]string, error) {
	own, err := godotenv.Unmarshal(text)
	if err != nil {
		return nil, errDotenv
	}
	var before strings.Builder
	var borrowed []string
	for _, match := range interpolated.FindAllStringSubmatch(text, -1) {
		name := match[1]
		if _, defined := own[name]; defined {
			continue
		}
		if value, ok := real(name); ok {
			fmt.Fprintf(&before, "%s=\"%s\"\n", name, dotenvEscapes.Replace(value))
			borrowed = append(borrowed, name)
		}
	}
	if before.Len() == 0 {
		return own, nil
	}
	all, err := godotenv.Unmarshal(before.String() + text)
	if err != nil {
		return own, nil // a value that cannot be written as a line is omitted
	}
	for _, name := range borrowed {
		delete(all, name)
	}
	return all, nil
}

var dotenvEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, `$`, `\$`)
