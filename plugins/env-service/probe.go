package envservice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/awhost/awhost/sdk"
)

// probe requests the tasks from a running service.
func probe(ctx context.Context, raw json.RawMessage, may sdk.Probe) sdk.ProbeResponse {
	c := &config{}
	if err := sdk.DecodeConfig(raw, c); err != nil || len(c.check()) > 0 || c.URL == "" {
		return sdk.ProbeResponse{} // validate reports the error
	}
	if may != sdk.ProbeAsk && may != sdk.ProbeStart {
		return sdk.ProbeResponse{}
	}
	c.Connect = sdk.Duration(time.Millisecond) // one attempt
	c.Create = sdk.Duration(min(orDefault(c.Create, probeLimit), probeLimit))
	calls := newClient(c, slog.New(slog.DiscardHandler))
	defer calls.close()
	ids, err := calls.profile(ctx, c.TrainSplit)
	if err != nil {
		return sdk.ProbeResponse{Diagnostics: []sdk.Diagnostic{noTaskListWarning(err, may)}}
	}
	found := []sdk.Diagnostic{
		probeNote("%s: %d tasks of %s in the split %q", calls.base, len(ids), c.EnvType, c.TrainSplit),
	}
	if c.MaxSessions > 0 {
		found = append(found, probeNote("at most %d episodes at a time", c.MaxSessions))
	}
	return sdk.ProbeResponse{Diagnostics: found}
}

// probeLimit is the time limit for a probe.
const probeLimit = 30 * time.Second

func probeNote(format string, args ...any) sdk.Diagnostic {
	return sdk.Diagnostic{Severity: sdk.SeverityNote, Summary: fmt.Sprintf(format, args...)}
}

// noTaskListWarning returns a warning, not an error, because the service may start before it is needed, or may have no
// list if tasks come from another source.
func noTaskListWarning(err error, may sdk.Probe) sdk.Diagnostic {
	var of *callError
	if errors.As(err, &of) && (of.kind == kindFailed || of.kind == kindUnreadable) {
		d := wrong("env_type", "The environment service lists no tasks", err.Error()+". Its tasks have to be from elsewhere.")
		d.Severity = sdk.SeverityWarning
		return d
	}
	d := wrong("url", "The environment service does not answer", err.Error()+".")
	if may != sdk.ProbeStart {
		d.Severity = sdk.SeverityWarning
		d.Detail += " It has to when the run begins."
	}
	return d
}
