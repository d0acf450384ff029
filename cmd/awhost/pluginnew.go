package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/scaffold"
	"github.com/awhost/awhost/sdk"
)

// writtenJSON is a plugin that was begun.
type writtenJSON struct {
	Type  string   `json:"type"`
	Dir   string   `json:"dir"`
	Files []string `json:"files"`
}

func newPluginNew(a *app) *cobra.Command {
	var language, dir string
	cmd := &cobra.Command{
		Use:       "new (environment | reward | adapter) NAME",
		Short:     "Begin a plugin: a component that works, its tests, fixtures and a CI file",
		Args:      cobra.ExactArgs(2),
		ValidArgs: scaffold.Kinds,
		RunE: func(_ *cobra.Command, args []string) error {
			if language == "" {
				return exit(run.ExitUsage, errors.New("say in which language: --lang go or --lang python"))
			}
			if dir == "" {
				dir = args[1]
			}
			return a.beginPlugin(scaffold.Request{
				Kind: args[0], Name: args[1], Language: scaffold.Language(language), Dir: dir, Version: sdk.Version, SDK: awhost.SDK,
				Reserved: reservedNames(),
			})
		},
	}
	cmd.Flags().StringVar(&language, "lang", "", "`language` to write it in: go or python")
	cmd.Flags().StringVar(&dir, "out", "", "`directory` to make; default: the name")
	return cmd
}

// reservedNames are the names of the bundled plugins and of their types: a spec takes them for nobody else.
func reservedNames() []string {
	names := pluginNames()
	for _, p := range plugins() {
		for _, c := range p.Describe().Components {
			names = append(names, c.Type)
		}
	}
	return names
}

func (a *app) beginPlugin(request scaffold.Request) error {
	files, err := scaffold.Write(request)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	if a.json {
		a.print(writtenJSON{Type: "written", Dir: request.Dir, Files: files})
		return nil
	}
	out := a.page()
	out.Line(fmt.Sprintf("%s wrote the %s %s:", out.Styles.Good("✓"), request.Kind, request.Name))
	for _, f := range files {
		out.Line("  " + filepath.Join(request.Dir, f))
	}
	if program := string(interpreter[request.Language]); program != "" {
		if _, err := exec.LookPath(program); err != nil {
			out.Line(out.Styles.Warn(fmt.Sprintf("! %s is not on the PATH: install it to build the plugin", program)))
		}
	}
	source := request.Dir
	if !filepath.IsAbs(source) {
		source = "./" + filepath.ToSlash(filepath.Clean(source))
	}
	out.Blank()
	out.Line("Next: awhost plugin test " + source)
	return out.Err()
}

// interpreter is what builds or runs a plugin.
var interpreter = map[scaffold.Language]string{scaffold.Go: "go", scaffold.Python: "python3"}
