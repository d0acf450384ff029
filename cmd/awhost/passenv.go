package main

import (
	"fmt"
	"os"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/spec"
)

// passEnv sets the spec's variables that plugins receive, by --pass-env or pass_env, in this process's environment if
// they come from the .env file. It warns about variables that are not set.
func (a *app) passEnv(s *spec.Spec, names []string) error {
	var problems diag.Diagnostics
	pass := func(names []string, located func(diag.Diagnostic) diag.Diagnostic) error {
		for _, name := range names {
			value, ok := s.Getenv(name)
			if !ok {
				problems = append(problems, located(unsetVariable(name)))
			} else if err := os.Setenv(name, value); err != nil {
				return exit(run.ExitUsage, fmt.Errorf("pass the environment variable %q: %w", name, err))
			}
		}
		return nil
	}
	if err := pass(names, func(d diag.Diagnostic) diag.Diagnostic { return d }); err != nil {
		return err
	}
	for _, address := range s.Order {
		b := s.Blocks[address]
		if err := pass(b.PassEnv(), func(d diag.Diagnostic) diag.Diagnostic {
			return s.Diagnose(b.Places, []string{"pass_env"}, d)
		}); err != nil {
			return err
		}
	}
	return a.report(problems)
}

// warnUnset warns about variables for a plugin that is started without a spec.
func (a *app) warnUnset(names []string) error {
	var problems diag.Diagnostics
	for _, name := range names {
		if _, ok := os.LookupEnv(name); !ok {
			problems = append(problems, unsetVariable(name))
		}
	}
	return a.report(problems)
}

func unsetVariable(name string) diag.Diagnostic {
	return diag.Diagnostic{Severity: diag.Warning, Summary: "Unset environment variable",
		Detail: fmt.Sprintf("%s is not set, so plugins do not receive it. Set it, or do not pass it on.", name)}
}
