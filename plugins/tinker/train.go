package tinker

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/ownerfile"
	"github.com/awhost/awhost/sdk/python"
)

// recordFormat is the version of a launch's directory.
const recordFormat = "awhost.tinker/1"

// Train implements sdk.Adapter.
func (a *adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	record, dir := stage.NewRecord(recordFormat, req), a.Folder(req.LaunchID)
	s := a.stage(&record, dir, host, emit)
	return a.Adapter.Train(ctx, s, func(_ context.Context, endpoint string) (*stage.Command, error) {
		return a.prepare(dir, endpoint, req)
	})
}

// Recover implements sdk.AdapterWithRecover.
func (a *adapter) Recover(ctx context.Context, req sdk.RecoverRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	return a.Adapter.Recover(ctx, req, func(dir string) (*stage.Stage, error) {
		record := &stage.Record{}
		err := stage.ReadRecord(filepath.Join(dir, "record.json"), recordFormat, record)
		return a.stage(record, dir, host, emit), err
	})
}

func (a *adapter) stage(r *stage.Record, dir string, host sdk.Host, emit func(sdk.TrainEvent) error) *stage.Stage {
	log := filepath.Join(dir, "trainer.log")
	relay := stage.NewRelay(name, dir, log, r.Request, host, emit)
	s := stage.New(r, relay, emit)
	relay.Stop, relay.Signs = s.End, signs
	relay.Again = mayPass
	s.Site, s.Dir, s.BridgeDir, s.LogFile = a.site(r.Request.Smoke), dir, dir, log
	s.RecordFile = filepath.Join(dir, "record.json")
	return s
}

// prepare writes the trainer's input and code into the directory of the launch.
func (a *adapter) prepare(dir, endpoint string, req sdk.TrainRequest) (*stage.Command, error) {
	policy, errPolicy := python.PolicyPath(req.Policy)
	about := map[string]any{"config": a.config, "policy": policy}
	request, errRequest := sdk.MarshalWire(req)
	about["request"] = json.RawMessage(request)
	text, errText := json.Marshal(about)
	code, errCode := fs.Sub(shim, "shim")
	if err := errors.Join(errPolicy, errRequest, errText, errCode); err != nil {
		return nil, err
	}
	out := &stage.Command{Argv: a.command(), Message: "the trainer starts", Env: map[string]string{
		"AWHOST_BRIDGE": endpoint, "PYTHONPATH": filepath.Join(dir, "python"),
	}}
	if a.site(req.Smoke).Kind() == launch.KindSlurm { // a process inherits it, and Ray would show it to all its users
		out.Env[a.config.APIKeyEnv] = os.Getenv(a.config.APIKeyEnv)
	}
	out.Add(req.Knobs.Env)
	return out, errors.Join(ownerfile.WriteFile(filepath.Join(dir, "tinker.json"), text),
		python.Unpack(filepath.Join(dir, "python"), code, python.Bridge))
}

// sessionLost is the exit status of a trainer whose session the server has dropped.
const sessionLost = 75

// mayPass reports whether a new trainer may succeed from the last commit: this one was killed, has lost its session, or
// its exit status is unknown because another adapter started it.
func mayPass(s launch.Status) bool {
	return s.Code == nil || *s.Code == sessionLost || *s.Code < 0 || *s.Code > 128
}

var signs = []python.Sign{
	python.NewSign(`(?m)^awhost_tinker\.errors\.ServiceError: ([^\n]+)$`, "${1}."),
	python.NewSign(`(?m)^awhost: ([^\n]+)$`, "${1}."),
	python.NewSign(`awhost_bridge\.codec\.CodecError: ([^\n]+)`, "Tool calls cannot be read (tool_format): ${1}"),
	python.NewSign(`No module named '?([\w.]+)`, "The Python of the adapter lacks ${1}: install it there (python)."),
}

var _ sdk.AdapterWithRecover = (*adapter)(nil)
