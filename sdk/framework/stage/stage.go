package stage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// Trainer is the part of a stage that depends on the framework, in one life of the adapter. Relay implements it for
// trainers that report over the bridge.
type Trainer interface {
	bridge.Handler
	// Recall restores the notes of an earlier life, and repeats the events after a number for the host.
	Recall(ctx context.Context, after uint64) error
	// Report sends an event of the adapter to the host.
	Report(e sdk.TrainEvent) error
	// Count changes the policy versions of a message from the framework's count to the host's.
	Count(episode string, versions []sdk.VersionSpan)
	// Milestones returns the events of a start, in order. start_timeout limits the time until each of them.
	Milestones() []Milestone
	// Look is called at intervals, and after the trainer's end. stuck is the reason why the trainer cannot continue.
	// If err wraps sdk.ErrUnavailable, it is tolerated for a while.
	Look(ctx context.Context) (stuck, err error)
	// Drain requests the end of the stage after a checkpoint.
	Drain(reason string)
	// Finished returns the end that the trainer has reported, and nil before. Finishing is closed then.
	Finished() *sdk.FinishedEvent
	Finishing() <-chan struct{}
	// Told reports whether everything that the trainer had to report is on disk, so that it need not be running.
	Told() bool
	// Ended interprets the end of a trainer that has not reported it: finished is nil if the stage is incomplete, and
	// again is true if another start may succeed.
	Ended(status launch.Status) (finished *sdk.FinishedEvent, again bool)
	// LastStep returns the last finished step, counted over all stages.
	LastStep() int
	// Diagnose returns the cause of a failure that is evident from the trainer's logs.
	Diagnose() string
}

// Milestone is an event of a trainer's start.
type Milestone struct {
	Reached <-chan struct{}
	Missing string // the message if it does not occur: "no worker requested an episode"
}

// Ending is an end that the trainer did not decide.
type Ending struct {
	Outcome sdk.FinishedOutcome
	Reason  string
}

// Command starts a trainer.
type Command struct {
	Argv    []string
	Env     map[string]string
	Message string // for the user, when it has started
}

// Add adds the spec's variables. The folders of their PYTHONPATH follow the trainer's code.
func (c *Command) Add(env map[string]string) {
	const path = "PYTHONPATH"
	own := c.Env[path]
	maps.Copy(c.Env, env)
	if own != "" && env[path] != "" {
		c.Env[path] = own + string(os.PathListSeparator) + env[path]
	}
}

// Prepare writes the files of a trainer. endpoint is the file with the address of the bridge.
type Prepare func(ctx context.Context, endpoint string) (*Command, error)

// Stage is one stage while it is trained, in one life of the adapter.
type Stage struct {
	Record     Kept
	RecordFile string
	Dir        string // of the launch, on a file system shared by all machines of the job
	BridgeDir  string // of the bridge's files
	LogFile    string // of the trainer
	Site       launch.Site
	Trainer    Trainer
	Emit       func(sdk.TrainEvent) error
	Interval   time.Duration // between two calls of Look
	Credits    int           // of the bridge; 0: its default
	// Patience is the time for a graceful end of a process; 0: it is killed at once.
	Patience time.Duration

	adapter  *Adapter
	launcher launch.Launcher
	server   atomic.Pointer[bridge.Server] // from open on; the host may request a message before
	job      *launch.Watch
	endings  chan Ending   // the first one counts
	ended    chan struct{} // closed at the end of this life
}

// New returns a stage with the parts that every adapter sets.
func New(record Kept, trainer Trainer, emit func(sdk.TrainEvent) error) *Stage {
	return &Stage{Record: record, Trainer: trainer, Emit: emit, Interval: 5 * time.Second, endings: make(chan Ending, 1)}
}

// End ends the stage.
func (s *Stage) End(e Ending) {
	select {
	case s.endings <- e:
	default:
	}
}

// begin trains a stage from its start, or from one of its checkpoints.
func (s *Stage) begin(ctx context.Context, prepare Prepare) (*sdk.FinishedEvent, error) {
	if err := s.place(); err != nil {
		return nil, err
	}
	if err := ownerfile.MkdirAll(s.Dir); err != nil {
		return nil, fmt.Errorf("make the folder of the launch: %w", err)
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	defer s.letGo()
	defer s.close()
	command, err := prepare(ctx, s.server.Load().EndpointFile())
	if err == nil {
		err = s.write()
	}
	if err != nil {
		return nil, err
	}
	select {
	case e := <-s.endings: // before the start
		return s.finishedBy(e), nil
	default:
	}
	if err := s.start(ctx, command); err != nil {
		return nil, err
	}
	return s.watch(ctx)
}

// place chooses the launcher.
func (s *Stage) place() (err error) {
	s.launcher, err = s.Site.Launcher()
	return err
}

func (s *Stage) launchJob() launch.Job {
	return launch.Job{
		LaunchID: s.common().Request.LaunchID, Dir: s.Dir, LogFile: s.LogFile, Patience: s.Site.Patience(),
	}
}

// start starts the trainer, or finds it if an earlier life has started it. Later lives find it by the record.
func (s *Stage) start(ctx context.Context, c *Command) error {
	j := s.launchJob()
	j.Argv, j.Env = c.Argv, c.Env
	var handle launch.Handle
	err := launch.Insist(ctx, s.Site.Unreachable(), func(ctx context.Context) (err error) {
		handle, err = s.launcher.Start(ctx, j)
		return err
	})
	if err != nil {
		return fmt.Errorf("start %s: %w", s.adapter.Framework, err)
	}
	s.common().Job = &handle
	s.follow(ctx)
	fields := map[string]string{"log": s.LogFile, "job": handle.String()}
	err = errors.Join(
		s.write(),
		s.Trainer.Report(sdk.TrainEvent{Handle: &sdk.HandleEvent{Handle: []byte(s.Dir)}}),
		s.Trainer.Report(sdk.TrainEvent{Log: &sdk.LogEvent{Level: "info", Message: c.Message, Fields: fields}}),
	)
	if err != nil && ctx.Err() == nil { // otherwise the host has ended, and the trainer waits for another one
		err = errors.Join(err, s.stop(ctx))
	}
	return err
}

// resume continues a stage that an earlier life began, after the last event that the host has received.
func (s *Stage) resume(ctx context.Context, after uint64) (*sdk.FinishedEvent, error) {
	s.common().Epoch++
	if err := errors.Join(s.place(), s.write()); err != nil {
		return nil, err
	}
	if err := s.Trainer.Recall(ctx, after); err != nil {
		return nil, err
	}
	if err := s.find(ctx); err != nil {
		return nil, err
	}
	if err := s.open(); err != nil { // last: workers find everything restored
		return nil, err
	}
	defer s.letGo()
	defer s.close()
	s.follow(ctx)
	return s.watch(ctx)
}

// find checks that the job of the launch exists, or has reported everything.
func (s *Stage) find(ctx context.Context) error {
	r, name, status := s.common(), s.adapter.Framework, launch.Status{}
	err := launch.Insist(ctx, s.Site.Unreachable(), func(ctx context.Context) (err error) {
		if r.Job == nil { // the adapter was killed between the start and the second record
			found, err := s.launcher.Find(ctx, s.launchJob())
			if err != nil {
				return err
			}
			r.Job = &found
		}
		status, err = s.launcher.Status(ctx, *r.Job)
		return err
	})
	switch {
	case errors.Is(err, launch.ErrNone):
		return fmt.Errorf("%w: %w", sdk.ErrNoTrainer, err)
	case errors.Is(err, launch.ErrUnreachable):
		return fmt.Errorf("find %s of launch %s, which may be running: %w. When its cluster answers again, resume the run",
			name, r.Request.LaunchID, err)
	case err != nil:
		return fmt.Errorf("find %s of launch %s: %w", name, r.Request.LaunchID, err)
	case status.State == launch.Ended && !s.Trainer.Told():
		// The next launch needs the GPUs of processes that it may have left.
		if err := s.stop(ctx); err != nil {
			return fmt.Errorf("end the processes that %s of launch %s has left: %w", name, r.Request.LaunchID, err)
		}
		return fmt.Errorf("%w: %s of launch %s is gone, with %s. %s", sdk.ErrNoTrainer, name, r.Request.LaunchID, status,
			s.Trainer.Diagnose())
	}
	return nil
}

func (s *Stage) follow(ctx context.Context) {
	s.job = launch.Follow(ctx, s.launcher, *s.common().Job, s.Site.Unreachable(), func(message string) {
		event := sdk.TrainEvent{Log: &sdk.LogEvent{Level: "info", Message: message}}
		if err := s.Trainer.Report(event); err != nil {
			s.adapter.Log.Warn("report to the host", "message", message, "error", err)
		}
	})
}

// letGo stops following the job, which continues.
func (s *Stage) letGo() {
	if s.job != nil {
		s.job.LetGo()
	}
}

// open serves the bridge.
func (s *Stage) open() error {
	server, err := bridge.Listen(s.Site.Serve(bridge.Options{
		Dir: s.BridgeDir, Run: s.common().Request.LaunchID, Epoch: s.common().Epoch, Credits: s.Credits, Handler: s.Trainer,
		Logger: s.adapter.Log,
	}))
	if err != nil {
		return fmt.Errorf("listen for %s's workers: %w", s.adapter.Framework, err)
	}
	s.server.Store(server)
	return nil
}

func (s *Stage) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := s.server.Load().Close(ctx); err != nil {
		s.adapter.Log.Warn("close the bridge", "error", err)
	}
}

// tolerance is how long a host that does not answer, or a full disk, does not end the stage. If the host has ended, its
// stream ends soon, and the trainer continues.
const tolerance = 30 * time.Second

// watch follows the trainer until it ends or must end.
func (s *Stage) watch(ctx context.Context) (*sdk.FinishedEvent, error) {
	starting := time.NewTimer(math.MaxInt64) // a job may wait in a queue
	defer starting.Stop()
	look := time.NewTicker(s.Interval)
	defer look.Stop()
	timeout := launch.Duration(s.Site.StartTimeout)
	running, awaited, silence := s.job.Running, s.Trainer.Milestones(), time.Duration(0)
	for {
		var reached <-chan struct{}
		if len(awaited) > 0 {
			reached = awaited[0].Reached
		}
		select {
		case <-running:
			running = nil
			if len(awaited) > 0 {
				starting.Reset(timeout)
			}
		case <-reached:
			running, awaited = nil, awaited[1:]
			if starting.Stop(); len(awaited) > 0 {
				starting.Reset(timeout)
			}
		case <-starting.C:
			return nil, errors.Join(fmt.Errorf("%s within %s (start_timeout). %s", awaited[0].Missing, s.Site.StartTimeout,
				s.Trainer.Diagnose()), s.stop(ctx))
		case <-look.C:
			stuck, err := s.Trainer.Look(ctx)
			if !errors.Is(err, sdk.ErrUnavailable) {
				silence = 0
			} else if silence += s.Interval; silence < tolerance {
				continue
			}
			if err = cmp.Or(stuck, err); err != nil && ctx.Err() == nil {
				return nil, errors.Join(err, s.stop(ctx))
			}
		case <-s.job.Ended:
			return s.conclude(ctx)
		case <-s.Trainer.Finishing():
			return s.finish(ctx)
		case e := <-s.endings:
			return s.finishedBy(e), s.stop(ctx)
		case <-ctx.Done(): // the host has ended or disconnects: the trainer waits for a later life
			return nil, context.Cause(ctx)
		}
	}
}

// finish waits for a trainer that has reported its end.
func (s *Stage) finish(ctx context.Context) (*sdk.FinishedEvent, error) {
	timer := time.NewTimer(s.Site.Patience())
	defer timer.Stop()
	select {
	case <-s.job.Ended:
	case <-timer.C:
		s.adapter.Log.Warn(s.adapter.Framework+" has finished and did not exit: it is killed",
			"stop_timeout", s.Site.StopTimeout)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return s.Trainer.Finished(), s.stop(ctx)
}

// conclude interprets the trainer's end, after its last reports, and ends the processes that it has left.
func (s *Stage) conclude(ctx context.Context) (*sdk.FinishedEvent, error) {
	if _, err := s.Trainer.Look(ctx); err != nil {
		return nil, err
	}
	name, last := s.adapter.Framework, s.Trainer.LastStep()
	if s.job.Lost != nil {
		return nil, fmt.Errorf("the %s cannot be observed after step %d: %w. It may be running, and waits for awhost for %s "+
			"(absence_timeout). When its cluster answers again, resume the run: it continues with the job, or from the last "+
			"commit", s.common().Job, last, s.job.Lost, s.Site.AbsenceTimeout)
	}
	if err := s.stop(ctx); err != nil {
		return nil, err
	}
	if finished := s.Trainer.Finished(); finished != nil {
		return finished, nil
	}
	select {
	case e := <-s.endings:
		return s.finishedBy(e), nil
	default:
	}
	finished, again := s.Trainer.Ended(s.job.Status)
	if finished != nil {
		return finished, nil
	}
	err := fmt.Errorf("%s ended with %s after step %d. %s", name, s.job.Status, last, s.Trainer.Diagnose())
	if again { // from the last commit, a few times
		err = fmt.Errorf("%w: %w", sdk.ErrUnavailable, err)
	}
	return nil, err
}

func (s *Stage) finishedBy(e Ending) *sdk.FinishedEvent {
	return &sdk.FinishedEvent{Outcome: e.Outcome, Reason: e.Reason, Step: s.Trainer.LastStep()}
}

// stop ends the trainer and everything that it has started.
func (s *Stage) stop(ctx context.Context) error {
	patience := s.Patience
	if s.Site.Kind() != launch.KindProcess {
		patience = s.Site.Patience()
	}
	return launch.Stop(ctx, s.launcher, *s.common().Job, patience)
}
