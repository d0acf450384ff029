package pythonplugin

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/awhost/awhost/plugins/python/internal/interpreter"
	"github.com/awhost/awhost/sdk"
)

// checkTimeout limits the wait in validate and plan; the host waits ten seconds for everything.
const checkTimeout = 8 * time.Second

// validator returns a function that checks a reward's configuration. It does not run the user's file, and starts only
// the user's own Python interpreter, in isolation: the spec and its virtual environment may be untrusted.
func validator(known []string) func(context.Context, json.RawMessage) []sdk.Diagnostic {
	return func(ctx context.Context, config json.RawMessage) []sdk.Diagnostic {
		c, problems := readReward(config)
		if c == nil || len(problems) > 0 || c.File == "" || c.Name == "" { // File or Name may not be known yet
			return problems
		}
		program, problem := c.find()
		if problem != nil {
			return []sdk.Diagnostic{*problem}
		}
		file, problem := c.read()
		if problem != nil {
			return []sdk.Diagnostic{*problem}
		}
		if !program.own {
			return nil
		}
		l, err := newLoader(c, program, file, known, slog.New(slog.DiscardHandler))
		if err != nil {
			return nil
		}
		return l.check(ctx)
	}
}

// check uses Python to check the contents of the file. Only definite errors are reported; apply detects all others.
func (l *loader) check(ctx context.Context) []sdk.Diagnostic {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	p, err := interpreter.Start(ctx, interpreter.Config{Python: l.program.path, Name: "python " + l.file.base(),
		Isolated: true})
	if err != nil {
		return nil
	}
	defer p.Kill()
	_, err = p.Call(ctx, "check", l.body)
	var refused *interpreter.Refusal
	var wrong *sdk.ConfigError
	if errors.As(err, &refused) && refused.Attribute != "" && errors.As(l.problem(err), &wrong) {
		return wrong.Diagnostics
	}
	return nil
}
