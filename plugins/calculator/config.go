package calculator

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/calculator/internal/arithmetic"
	"github.com/awhost/awhost/sdk"
)

// environmentConfig is the body of an environment "calculator" block.
type environmentConfig struct {
	Operations  []string `json:"operations"`
	MaxTurns    int      `json:"max_turns"`
	MaxSessions int      `json:"max_sessions"`
}

// validateEnvironment checks rules that go beyond the schema.
func validateEnvironment(_ context.Context, config json.RawMessage) []sdk.Diagnostic {
	c := environmentConfig{Operations: operationNames(arithmetic.Operations())}
	if err := sdk.DecodeConfig(config, &c); err != nil {
		return []sdk.Diagnostic{{
			Severity: sdk.SeverityError, Summary: "The calculator cannot read its configuration",
			Detail: err.Error() + "; max_turns and max_sessions are whole numbers.",
		}}
	}
	if _, err := c.operations(); err != nil {
		return []sdk.Diagnostic{{
			Severity: sdk.SeverityError, Summary: "Wrong operations", Detail: err.Error(), Path: []string{"operations"},
		}}
	}
	return nil
}

// operations resolves the names. The result is in the order of arithmetic.Operations, regardless of the order of the
// names.
func (c environmentConfig) operations() ([]arithmetic.Operation, error) {
	known := strings.Join(operationNames(arithmetic.Operations()), ", ")
	for _, name := range c.Operations {
		if _, err := arithmetic.Named(name); err != nil {
			return nil, fmt.Errorf("%q is no operation: choose from %s", name, known)
		}
	}
	if len(c.Operations) == 0 {
		return nil, fmt.Errorf("no operation is left: list at least one of %s", known)
	}
	return slices.DeleteFunc(arithmetic.Operations(), func(o arithmetic.Operation) bool {
		return !slices.Contains(c.Operations, o.Name())
	}), nil
}
