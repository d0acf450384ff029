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

// probe asks a service that runs for its tasks.
func probe(ctx context.Context, raw json.RawMessage, may sdk.Probe) sdk.ProbeResponse {
	c := &config{}
	if err := sdk.DecodeConfig(raw, c); err != nil || len(c.check()) > 0 || c.URL == "" {
		return sdk.ProbeResponse{} // validate has said so
	}
	if may != sdk.ProbeAsk && may != sdk.ProbeStart {
		return sdk.ProbeResponse{}
	}
	c.Connect = sdk.Duration(time.Millisecond) // it is asked once
	c.Create = sdk.Duration(min(orDefault(c.Create, probeLimit), probeLimit))
	calls := newClient(c, slog.New(slog.DiscardHandler))
	defer calls.close()
	ids, err := calls.profile(ctx, c.TrainSplit)
	if err != nil {
		return sdk.ProbeResponse{Diagnostics: []sdk.Diagnostic{unlisted(err, may)}}
	}
	found := []sdk.Diagnostic{remark("%s: %d tasks of %s in the split %q", calls.base, len(ids), c.EnvType, c.TrainSplit)}
	if c.MaxSessions > 0 {
		found = append(found, remark("at most %d episodes at a time", c.MaxSessions))
	}
	return sdk.ProbeResponse{Diagnostics: found}
}

// probeLimit is the longest that a probe waits.
const probeLimit = 30 * time.Second

func remark(format string, args ...any) sdk.Diagnostic {
	return sdk.Diagnostic{Severity: sdk.SeverityNote, Summary: fmt.Sprintf(format, args...)}
}

// unlisted is a warning: the service may come up before it is needed, or have no list where tasks are from elsewhere.
func unlisted(err error, may sdk.Probe) sdk.Diagnostic {
	var of *callError
	if errors.As(err, &of) && (of.kind == failed || of.kind == unread) {
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
