package areal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/outliving"
)

// training is one stage while AReaL trains it, seen by one life of the adapter.
type training struct {
	*record
	adapter *adapter
	dir     folder
	relay   *relay
	stopped chan ending   // who wants it to end; the first counts
	ended   chan struct{} // closed when this life of it is over

	server atomic.Pointer[bridge.Server] // from open on; the host may ask for a message before

	// From the start of AReaL's process, or its finding, on:
	leave  context.CancelFunc
	left   sync.WaitGroup
	exited chan struct{} // closed when it is over
	exit   outliving.Exit
}

// ending is how a stage ends before AReaL ends it.
type ending struct {
	outcome sdk.FinishedOutcome
	reason  string
}

func (a *adapter) newTraining(r *record, dir folder, host sdk.Host, emit func(sdk.TrainEvent) error) *training {
	t := &training{
		record: r, adapter: a, dir: dir, stopped: make(chan ending, 1), ended: make(chan struct{}), exited: make(chan struct{}), leave: func() {},
	}
	t.relay = newRelay(r, dir, host, emit, t.stop)
	return t
}

// settle is what AReaL is given for a stage.
func (a *adapter) settle(req sdk.TrainRequest) (*resolved, error) {
	policy, err := policyPath(req.Policy)
	if err == nil {
		err = checkPolicy(policy)
	}
	if err != nil {
		return nil, err
	}
	in := inputs{
		config: a.config, knobs: req.Knobs, trainTasks: req.TrainTasks, validationTasks: req.ValidationTasks,
		policy: policy, dir: launchFolder(a.dir, req.LaunchID), trial: trialName(req.LaunchID),
	}
	if req.Smoke {
		in = in.inSmoke(a.dir)
	}
	plan, err := resolve(in)
	if err != nil {
		return nil, err
	}
	anew := beginsAnew(policy, plan.text("actor.backend"))
	if req.FromCheckpoint != "" && (anew || !req.Resumed) {
		in.weights = req.FromCheckpoint // otherwise AReaL begins as it began, and its recover files bring it to where it was
		if req.Resumed {
			in.skipped = req.StepsDone
		}
		if plan, err = resolve(in); err != nil {
			return nil, err
		}
	}
	if len(plan.problems) > 0 {
		return nil, fmt.Errorf("AReaL cannot be trained like that: %s", plan.problems[0].Text)
	}
	return plan, nil
}

// stop asks for the end of the stage.
func (t *training) stop(e ending) {
	select {
	case t.stopped <- e:
	default:
	}
}

// begin trains a stage from its start, or from a checkpoint of it.
func (t *training) begin(ctx context.Context, plan *resolved) (*sdk.FinishedEvent, error) {
	if plan.smoke {
		if err := plan.makeModel(ctx); err != nil {
			return nil, err
		}
	}
	if err := t.open(); err != nil {
		return nil, err
	}
	defer t.letGo()
	defer t.closeBridge()
	if err := plan.prepare(t.Request, t.server.Load().EndpointFile()); err != nil {
		return nil, err
	}
	if err := t.write(t.dir); err != nil {
		return nil, err
	}
	if err := t.start(ctx, plan); err != nil {
		return nil, err
	}
	return t.watch(ctx)
}

// start starts AReaL, and sees that a later life finds it.
func (t *training) start(ctx context.Context, plan *resolved) error {
	env := os.Environ() // with the mark of the run, by which its guard knows what it spares
	for name, value := range plan.environment() {
		env = append(env, name+"="+value)
	}
	id, err := t.adapter.processes.Start(outliving.Command{
		LaunchID: t.Request.LaunchID, Argv: plan.command(), Env: env, Dir: string(t.dir), LogFile: t.dir.log(),
	})
	if err != nil {
		return fmt.Errorf("start AReaL: %w", err)
	}
	t.Process = &id
	t.follow(ctx)
	err = errors.Join(
		t.write(t.dir),
		t.relay.reports.say(sdk.TrainEvent{Handle: &sdk.HandleEvent{Handle: []byte(t.dir)}}),
		t.relay.reports.say(sdk.TrainEvent{Log: &sdk.LogEvent{
			Level: "info", Message: "started AReaL " + t.Release + " in " + t.Mode + " mode",
			Fields: map[string]string{"log": t.dir.log(), "pid": fmt.Sprint(id.PID)},
		}}),
	)
	if err != nil && ctx.Err() == nil { // else the host is gone, and AReaL waits for another
		err = errors.Join(err, t.end(ctx))
	}
	return err
}

// find sees that the AReaL of a launch is there, or has left something to tell.
func (t *training) find(ctx context.Context) error {
	if t.Process == nil { // we died in the moment between its start and the note of it
		id, err := t.adapter.processes.Find(t.Request.LaunchID)
		if errors.Is(err, outliving.ErrNone) {
			return fmt.Errorf("%w: %w", sdk.ErrNoTrainer, err)
		}
		if err != nil {
			return fmt.Errorf("find AReaL of launch %s: %w", t.Request.LaunchID, err)
		}
		t.Process = &id
	}
	exit, over := t.adapter.processes.Exit(*t.Process)
	if !over || t.relay.finished() != nil {
		return nil
	}
	// The next launch wants the GPUs of what it may have left running.
	if err := t.end(ctx); err != nil {
		return fmt.Errorf("end what AReaL of launch %s has left running: %w", t.Request.LaunchID, err)
	}
	return fmt.Errorf("%w: AReaL of launch %s is gone, with %s. %s", sdk.ErrNoTrainer, t.Request.LaunchID, exit, t.lastWords())
}

// goOn takes up a training that an earlier life of the adapter began, after the host's last answer.
func (t *training) goOn(ctx context.Context, after uint64) (*sdk.FinishedEvent, error) {
	t.Epoch++
	if err := t.write(t.dir); err != nil {
		return nil, err
	}
	if err := t.relay.recall(after); err != nil {
		return nil, err
	}
	if err := t.find(ctx); err != nil {
		return nil, err
	}
	if err := t.open(); err != nil { // last: whoever asks for an episode finds everything recalled
		return nil, err
	}
	defer t.letGo()
	defer t.closeBridge()
	t.follow(ctx)
	return t.watch(ctx)
}

// follow looks after AReaL's process until it is over or let go.
func (t *training) follow(ctx context.Context) {
	ctx, t.leave = context.WithCancel(ctx)
	t.left.Go(func() {
		exit, err := t.adapter.processes.Await(ctx, *t.Process)
		if err == nil {
			t.exit = exit
			close(t.exited)
		}
	})
}

// letGo ends the looking, not the process.
func (t *training) letGo() {
	t.leave()
	t.left.Wait()
}

// open makes the bridge that AReaL's workers find.
func (t *training) open() error {
	at := t.adapter.config.bridge()
	server, err := bridge.Listen(bridge.Options{
		Dir: t.dir.bridge(), Run: t.Request.LaunchID, Epoch: t.Epoch, Address: at.Listen, Advertise: at.Advertise, TLS: !bridge.Loopback(at.Listen),
		Grace: duration(t.adapter.config.AbsenceTimeout), Credits: max(1024, 4*t.Prompts*t.GroupSize), Handler: t.relay, Logger: t.adapter.log,
	})
	if err == nil {
		t.server.Store(server)
	}
	return err
}

// watch follows AReaL until it ends, or has to.
func (t *training) watch(ctx context.Context) (*sdk.FinishedEvent, error) {
	started := time.NewTimer(duration(t.adapter.config.StartTimeout))
	defer started.Stop()
	look := time.NewTicker(lookInterval)
	defer look.Stop()
	joined, asked := t.relay.joined, t.relay.asked
	unkept := time.Duration(0) // how long nothing could be written
	for {
		select {
		case <-joined:
			started.Reset(duration(t.adapter.config.StartTimeout))
			joined = nil
		case <-asked:
			started.Stop()
			joined, asked = nil, nil
		case <-look.C:
			if why := stuck(t.dir.log(), asked != nil); why != "" {
				return nil, errors.Join(t.worthAnother(errors.New(why), false), t.end(ctx))
			}
			err := t.relay.keeper.Trouble()
			if unkept += lookInterval; err == nil {
				unkept = 0
			}
			if unkept > keepTimeout {
				return nil, errors.Join(err, t.end(ctx))
			}
		case <-t.exited:
			return t.conclude(ctx)
		case <-t.relay.finishing:
			return t.finish(ctx)
		case e := <-t.stopped:
			return &sdk.FinishedEvent{Outcome: e.outcome, Reason: e.reason, Step: t.relay.lastStep()}, t.end(ctx)
		case <-started.C:
			who := "AReaL's driver did not report"
			if joined == nil {
				who = "none of AReaL's workers asked for an episode"
			}
			return nil, errors.Join(fmt.Errorf("%s within %s (start_timeout). %s", who, t.adapter.config.StartTimeout, t.lastWords()), t.end(ctx))
		case <-ctx.Done(): // the host is gone, or lets go of us: AReaL goes on, and waits for a later life
			return nil, context.Cause(ctx)
		}
	}
}

// lookInterval is how often AReaL's log is looked at for what it would wait for, without an end.
const lookInterval = 5 * time.Second

// keepTimeout is how long AReaL waits for space on a disk that is full.
const keepTimeout = 30 * time.Second

// finish waits for a driver that has said how it ended: it closes what it opened.
func (t *training) finish(ctx context.Context) (*sdk.FinishedEvent, error) {
	timer := time.NewTimer(duration(t.adapter.config.StopTimeout))
	defer timer.Stop()
	select {
	case <-t.exited:
	case <-timer.C:
		t.adapter.log.Warn("AReaL has finished and did not end in time: it is killed", "stop_timeout", t.adapter.config.StopTimeout)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return t.relay.finished(), t.end(ctx)
}

// conclude says what AReaL's end means. What it has left running is ended.
func (t *training) conclude(ctx context.Context) (*sdk.FinishedEvent, error) {
	if err := t.end(ctx); err != nil {
		return nil, err
	}
	select {
	case <-t.relay.finishing:
		return t.relay.finished(), nil
	case e := <-t.stopped:
		return &sdk.FinishedEvent{Outcome: e.outcome, Reason: e.reason, Step: t.relay.lastStep()}, nil
	default:
	}
	how := t.exit.String()
	if t.exit.Known && t.exit.Code == 0 {
		how += " and without saying how it went"
	}
	err := fmt.Errorf("AReaL ended with %s after step %d. %s", how, t.relay.lastStep(), t.lastWords())
	return nil, t.worthAnother(err, t.relay.lastStep() >= t.Request.FirstStep) // with a step behind it
}

// worthAnother says of an error whether the host should start AReaL again, from the last commit, which it does a few times.
func (t *training) worthAnother(err error, progress bool) error {
	if progress || mayPass(t.dir.log()) {
		return fmt.Errorf("%w: %w", sdk.ErrUnavailable, err)
	}
	return err
}

// lastWords tells from AReaL's log what went wrong.
func (t *training) lastWords() string {
	shared := t.adapter.config.SharedFolder
	if t.Request.Smoke {
		shared = ""
	}
	return diagnose(t.dir.log(), workerLogs(t.dir.areal(shared)))
}

// end ends AReaL with all that it has started. Its workers on this machine die with it; those of a scheduler elsewhere it has to end
// itself, so that it gets the time of stop_timeout.
func (t *training) end(ctx context.Context) error {
	var patience time.Duration
	if !t.Local {
		patience = duration(t.adapter.config.StopTimeout) / 2 // for each of two signals
	}
	return t.adapter.processes.Stop(context.WithoutCancel(ctx), t.Request.LaunchID, *t.Process, patience)
}

func (t *training) closeBridge() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := t.server.Load().Close(ctx); err != nil {
		t.adapter.log.Warn("the bridge did not close in time", "error", err)
	}
}

func (t *training) generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	server := t.server.Load()
	if server == nil {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: "AReaL is not running yet"}
	}
	answer, err := server.Generate(ctx, req)
	if err != nil {
		return nil, err
	}
	t.relay.count(answer.Versions)
	return answer, nil
}

// recalled is the record of a launch that an earlier life of the adapter began.
func recalled(dir folder, launch string) (*record, error) {
	r, err := readRecord(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: nothing is known of launch %s", sdk.ErrNoTrainer, launch)
	}
	return r, err
}
