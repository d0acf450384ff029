package fakeplugin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/schema"
)

// The adapter "outliving" trains in a detached process, which continues when the plugin or the host exits and waits for
// the next plugin. The plugin and the trainer share files in one directory per launch: the request, the events in
// order, and the plugin's address. Everything else uses one connection; see link.

// The files of a launch.
const (
	requestFile  = "request.json"
	eventsFile   = "events.jsonl"
	endpointFile = "endpoint"
	logFile      = "trainer.log"
)

// TrainerMark is the prefix of the file in control that a trainer process creates, followed by its PID.
const TrainerMark = "trainer process "

// outsideRequest is the input of the trainer's process.
type outsideRequest struct {
	Config json.RawMessage
	Train  sdk.TrainRequest
}

func outlivingComponent() sdk.AdapterComponent {
	c := trainerComponent()
	c.Type, c.Description = "outliving", "A trainer in a separate process."
	c.Schema.Attributes = append(c.Schema.Attributes,
		schema.Strings("lose", "Moments of the plugin at which it dies, once each.").CanResume(),
		schema.Bool("unreachable", "Whether the fate of a trainer is unknown.").CanResume().Default(false),
		schema.Bool("forget_handle", "Whether the handle is kept back.").CanResume().Default(false),
	)
	c.Capabilities.Recover = true
	c.New = func(_ context.Context, setup sdk.Setup) (sdk.Adapter, error) {
		o := &detached{trainer: &trainer{setup: setup, samples: map[string]*sample{}}}
		if err := setup.Decode(&o.own); err != nil {
			return nil, err
		}
		o.config = o.own.trainerConfig
		return o, nil
	}
	return c
}

// outlivingConfig is the body of the adapter block.
type outlivingConfig struct {
	trainerConfig
	Lose         []string `json:"lose"`
	Unreachable  bool     `json:"unreachable"`
	ForgetHandle bool     `json:"forget_handle"`
}

// detached is the adapter, which relays messages to the trainer.
type detached struct {
	*trainer // implements Plan
	own      outlivingConfig

	mu       sync.Mutex
	attended *supervised // nil: no training in progress
}

// handle identifies the trainer's process.
type handle struct {
	Dir     string
	Process process.Identity
}

// Plan implements sdk.Adapter.
func (o *detached) Plan(ctx context.Context, req sdk.PlanRequest) (*sdk.PlanResponse, error) {
	out, err := o.trainer.Plan(ctx, req)
	if err == nil {
		out.Capabilities.Recover = true
	}
	return out, err
}

// Train implements sdk.Adapter.
func (o *detached) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	dir := filepath.Join(o.setup.Dir, req.LaunchID)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := json.Marshal(outsideRequest{Config: o.setup.Config, Train: req})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, requestFile), text, 0o644); err != nil {
		return err
	}
	id, err := startOutside(dir, req.LaunchID)
	if err != nil {
		return err
	}
	o.lose("started")
	return o.supervise(ctx, handle{dir, id}, 0, host, emit)
}

func startOutside(dir, launch string) (process.Identity, error) {
	log, err := os.OpenFile(filepath.Join(dir, logFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return process.Identity{}, err
	}
	defer log.Close()
	cmd := exec.Command(os.Args[0], outsideRole, dir)
	cmd.Stdout, cmd.Stderr = log, log
	if err := process.Detach(cmd, launch); err != nil {
		return process.Identity{}, err
	}
	if err := cmd.Start(); err != nil {
		return process.Identity{}, err
	}
	go func() { _ = cmd.Wait() }() // returns with the plugin, at the latest
	return process.IdentityOf(cmd.Process.Pid)
}

// Recover implements sdk.AdapterWithRecover. Without a handle it searches for the mark.
func (o *detached) Recover(ctx context.Context, req sdk.RecoverRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	o.lose("recover")
	h := handle{Dir: filepath.Join(o.setup.Dir, req.LaunchID)}
	if req.Handle != nil {
		if err := json.Unmarshal(req.Handle, &h); err != nil {
			return err
		}
	} else if found, err := process.FindMarked(req.LaunchID); err != nil {
		return err
	} else if len(found) > 0 {
		h.Process = found[0]
	}
	if o.own.Unreachable {
		return errors.New("the cluster cannot be reached")
	}
	if !process.Alive(h.Process) {
		return fmt.Errorf("process %d: %w", h.Process.PID, sdk.ErrNoTrainer)
	}
	return o.supervise(ctx, h, req.AfterSeq, host, emit)
}

// supervise listens for the trainer and emits its events, starting at the given one. The first event is the handle, and
// the second is the first line of the file.
func (o *detached) supervise(ctx context.Context, h handle, after uint64, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	a, err := o.listen(h, host)
	if err != nil {
		return err
	}
	defer a.close()
	if after == 0 {
		text, err := json.Marshal(h)
		if err != nil {
			return err
		}
		event := sdk.TrainEvent{Handle: &sdk.HandleEvent{Handle: text}}
		if o.own.ForgetHandle {
			event = sdk.TrainEvent{Log: &sdk.LogEvent{Level: "info", Message: "it has no handle"}}
		}
		if err := emit(event); err != nil {
			return err
		}
		o.lose("handle")
	}
	return a.emitLines(ctx, max(int(after)-1, 0), emit)
}

func (o *detached) find() (*supervised, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.attended == nil {
		return nil, errors.New("nothing is being trained")
	}
	return o.attended, nil
}

// Generate implements sdk.Adapter.
func (o *detached) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	a, err := o.find()
	if err != nil {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: err.Error()}
	}
	return a.generate(ctx, req)
}

// Control implements sdk.Adapter.
func (o *detached) Control(_ context.Context, req sdk.ControlRequest) error {
	a, err := o.find()
	if err != nil {
		return err
	}
	return a.control(req)
}

// lose kills the plugin at the moments specified in the script. Its trainer continues.
func (o *detached) lose(moment string) {
	for _, m := range o.own.Lose {
		if m == moment && o.config.once("lost "+strings.ReplaceAll(moment, "/", "-")) {
			die()
		}
	}
}

// emitLines emits the lines of the events file, starting at the given one, and follows the file until the trainer has
// finished or exited.
func (a *supervised) emitLines(ctx context.Context, from int, emit func(sdk.TrainEvent) error) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for told := from; ; {
		alive := process.Alive(a.handle.Process) // checked before the file, which is then complete
		lines, err := readLines(filepath.Join(a.handle.Dir, eventsFile))
		if err != nil {
			return err
		}
		for ; told < len(lines); told++ {
			var e sdk.TrainEvent
			if err := json.Unmarshal(lines[told], &e); err != nil {
				return err
			}
			if err := emit(e); err != nil {
				return err
			}
			if e.Finished != nil {
				return nil
			}
		}
		a.setTold(told)
		if !alive {
			return fmt.Errorf("%w: the trainer (process %d) died", sdk.ErrUnavailable, a.handle.Process.PID)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// readLines returns the complete lines of a file.
func readLines(path string) ([][]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var lines [][]byte
	reader := bufio.NewReader(bytes.NewReader(text))
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			return lines, nil
		}
		lines = append(lines, line)
	}
}

var _ sdk.AdapterWithRecover = (*detached)(nil)
