package tracking

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk/ownerfile"
	"github.com/awhost/awhost/sdk/process"
)

// script passes metrics to a tracker. Its first lines document the protocol.
//
//go:embed tracker.py
var script string

// answerTimeout is the maximum time that a tracker may take to respond, including its server's response time.
const answerTimeout = 5 * time.Minute

// whole lists the trackers that, when offline, write a separate directory for each start, and lose unwritten data in it
// when killed. Therefore, each new directory receives the run from its start, and the newest directory is complete.
var whole = map[string]bool{"wandb": true, "swanlab": true}

// program is a tracker that runs in a process with the user's Python. It receives a step only once the step is
// committed, because trackers cannot delete data.
type program struct {
	config Config
	kind   string // wandb, swanlab or mlflow
	dir    string

	rows    []line // of uncommitted steps
	running *process.Piped
	stop    func() bool
	ctx     context.Context
}

// line is one message to the program.
type line struct {
	Step    int                `json:"step"`
	Seconds float64            `json:"seconds"`
	Scalars map[string]float64 `json:"scalars,omitempty"`
	Texts   map[string]string  `json:"texts,omitempty"` // by task
}

func newProgram(config Config, kind string) *program {
	return &program{config: config, kind: kind, dir: config.Run.TrackerDir(kind)}
}

// position is a tracker's progress.
type position struct {
	Step int `json:"step"` // everything up to this step was sent
}

func (p *program) positionFile() string { return filepath.Join(p.dir, "awhost.json") }

// Open implements place. It continues after the last step that the tracker received, or earlier if the tracker
// requests it.
func (p *program) Open(ctx context.Context) (int, error) {
	p.rows, p.ctx = nil, ctx
	if err := disk.MkdirAll(p.config.FS, p.dir, ownerfile.Folder); err != nil {
		return 0, err
	}
	from := 0
	data, err := disk.ReadFile(p.config.FS, p.positionFile())
	if err == nil && !(p.config.Offline && whole[p.kind]) {
		var at position
		if err := json.Unmarshal(data, &at); err != nil {
			return 0, fmt.Errorf("%s is damaged: %w; remove it to send everything to the tracker again",
				p.positionFile(), err)
		}
		from = at.Step + 1
	}
	if err := p.start(ctx); err != nil {
		return 0, err
	}
	reply, err := p.say(map[string]any{"run": map[string]any{
		"project": p.config.Project, "name": p.config.Experiment, "id": p.config.Run.Info.ID, "dir": p.dir,
		"offline": p.config.Offline, "settings": p.config.Settings,
	}})
	if reply.Next != nil {
		from = min(from, *reply.Next)
	}
	return from, err
}

func (p *program) start(ctx context.Context) error {
	running, err := startPython(ctx, process.Config{
		Name: Trackers[p.kind], Instance: "tracking." + p.kind, Run: p.config.Run.Ref(),
		Command: []string{p.config.Python, "-u", "-c", script, p.kind}, Dir: p.dir, PassEnv: p.config.PassEnv,
		LogFile: p.config.Run.LogPath("tracking." + p.kind), Redact: p.config.Redact,
	})
	if err != nil {
		return err
	}
	p.running = running
	p.stop = context.AfterFunc(ctx, func() { _ = running.Kill(context.Background()) }) // also ends its response pipe
	return nil
}

// answer is the program's response to a message.
type answer struct {
	Error string `json:"error"`
	Next  *int   `json:"next"` // at the start: the step after the tracker's last one; nil: unknown
}

// say sends a message and waits for the response.
func (p *program) say(message any) (reply answer, err error) {
	data, err := json.Marshal(message)
	if err != nil {
		return reply, err
	}
	said, err := p.running.Exchange(data, answerTimeout)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return reply, fmt.Errorf("no answer for %s", answerTimeout)
	}
	if err != nil {
		return reply, errors.New(err.Error())
	}
	if err := json.Unmarshal(said, &reply); err != nil {
		return reply, fmt.Errorf("%s returned an invalid answer: %q", Trackers[p.kind], said)
	}
	if reply.Error != "" {
		return reply, errors.New(reply.Error + p.remedy(reply.Error))
	}
	return reply, nil
}

// remedy returns the remedy for a Python error.
func (p *program) remedy(text string) string {
	if strings.HasPrefix(text, "ModuleNotFoundError") {
		return fmt.Sprintf("; install it: %s -m pip install %s", p.config.Python, p.kind)
	}
	return ""
}

// Take implements place.
func (p *program) Take(news runstore.Update, read func(runstore.Sample) (*runstore.EpisodeRecord, error)) error {
	switch {
	case news.Row != nil:
		return p.keep(news.Row, read)
	case news.Void != nil:
		p.rows = slices.DeleteFunc(p.rows, func(l line) bool { return l.Step >= *news.Void })
	case news.Committed != nil:
		return p.send(*news.Committed)
	}
	return nil
}

// keep stores a row until its step is committed.
func (p *program) keep(row *runstore.StepRow, read func(runstore.Sample) (*runstore.EpisodeRecord, error)) error {
	l := line{
		Step: row.Step, Seconds: float64(row.At.UnixMilli()) / 1000,
		Scalars: map[string]float64{}, Texts: map[string]string{},
	}
	for name, v := range row.Values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			l.Scalars[name] = v
		}
	}
	for _, s := range firstOfTasks(row.Validated, p.config.Generations) {
		episode, err := read(s)
		if err != nil {
			return err
		}
		l.Texts[s.TaskID] = markdown(p.config.Run.Ref(), episode)
	}
	p.rows = append(p.rows, l)
	return nil
}

// send sends the committed rows to the program and stores the position.
func (p *program) send(step int) error {
	if len(p.rows) == 0 || p.rows[0].Step > step {
		return nil
	}
	for len(p.rows) > 0 && p.rows[0].Step <= step {
		if _, err := p.say(p.rows[0]); err != nil {
			return err
		}
		p.rows = p.rows[1:]
	}
	data, err := json.Marshal(position{step})
	if err != nil {
		return err
	}
	return disk.WriteFile(p.config.FS, p.positionFile(), append(data, '\n'))
}

// Close implements place.
func (p *program) Close(outcome event.RunOutcome) error {
	if p.running == nil {
		return nil
	}
	running := p.running
	p.running = nil
	defer p.stop()
	patience := p.config.CloseTimeout * 3 / 4 // leaves time to report what the program is waiting for
	message, err := json.Marshal(map[string]any{"end": outcome})
	if err == nil {
		_ = running.In.SetWriteDeadline(time.Now().Add(patience))
		_, _ = running.In.Write(append(message, '\n')) // the program may have exited
	}
	_ = running.In.Close()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-running.Done():
	case <-p.ctx.Done():
	case <-timer.C:
		err = errors.Join(err, fmt.Errorf("it did not exit within %s; data for a later attempt is in %s",
			patience, p.dir))
	}
	_ = running.Kill(context.Background())
	_ = running.Out.Close()
	if exit := running.Exit(); err == nil && exit != nil && exit.Code > 0 {
		err = errors.New(exit.Error())
	}
	return err
}

var _ place = (*program)(nil)
