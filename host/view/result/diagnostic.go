package result

import "github.com/awhost/awhost/host/diag"

// Diagnostic is a problem with a spec: its summary, location and remedy. diag.WriteHuman writes its text.
type Diagnostic struct {
	Type string `json:"type"`
	diag.Diagnostic
}

// DiagnosticOf returns the line for a problem.
func DiagnosticOf(d diag.Diagnostic) Diagnostic { return Diagnostic{Type: "diagnostic", Diagnostic: d} }
