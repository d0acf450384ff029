package commandplugin

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/sandbox"
	"github.com/awhost/awhost/sdk/traceparent"
)

// agent runs episodes with the user's program.
type agent struct {
	config     *config
	folderPool *folderPool
	run        string
	dir        string // of the agent; contains the records of sdk.BlameKill
	log        *slog.Logger
}

func newAgent(setup sdk.Setup) (*agent, error) {
	c := &config{}
	if err := setup.Decode(c); err != nil {
		return nil, err
	}
	if problems := append(c.missing(), c.check()...); len(problems) > 0 {
		return nil, &sdk.ConfigError{Diagnostics: problems}
	}
	directory := c.Directory
	if directory == "" {
		directory = filepath.Join(setup.Dir, "episodes")
	}
	r, err := newFolderPool(directory, c.Template)
	if err != nil {
		return nil, err
	}
	if err := c.needSandbox(setup.Log); err != nil {
		return nil, err
	}
	run := cmp.Or(os.Getenv(process.EnvRun), setup.RunID)
	return &agent{config: c, folderPool: r, run: run, dir: setup.Dir, log: setup.Log}, nil
}

func fail(format string, args ...any) *sdk.Failure {
	return &sdk.Failure{Class: sdk.FailureAgent, Detail: fmt.Sprintf(format, args...)}
}

// broken wraps a failure that neither the program nor the policy caused, such as a full disk.
func broken(err error) error {
	var failure *sdk.Failure
	if errors.As(err, &failure) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &sdk.Failure{Class: sdk.FailureInfrastructure, Detail: err.Error(), Retryable: true}
}

// Run implements sdk.Agent.
func (a *agent) Run(
	ctx context.Context,
	req sdk.AgentRequest,
	_ sdk.AgentModel,
	session sdk.AgentSession,
) (*sdk.AgentResponse, error) {
	f, leave, err := a.folderPool.create(req)
	if err != nil {
		return nil, broken(err)
	}
	defer leave()
	fill, err := newPlaceholderValues(req, f)
	if err == nil {
		fill.trace = traceparent.From(ctx)
		err = fill.write(a.config, req)
	}
	var out *sdk.AgentResponse
	if err == nil {
		p := &episode{agent: a, folders: f, placeholders: fill, session: session, task: req.Task.Digest()}
		out, err = p.run(ctx, prompt(req.Messages))
	}
	if a.config.Keep == keepNone || a.config.Keep == keepFailed && err == nil {
		if gone := sandbox.Remove(f.root); gone != nil {
			a.log.Warn("the folder of an episode cannot be removed", "folder", f.root, "error", gone)
		}
	}
	if err != nil {
		return nil, broken(err)
	}
	return out, nil
}

// episode is one episode.
type episode struct {
	*agent
	folders      *folders
	placeholders *placeholderValues
	session      sdk.AgentSession
	task         [sha256.Size]byte // digest of the task
	turns        int
}

// run starts the program, and starts it again for each further turn of the environment.
func (p *episode) run(ctx context.Context, question string) (*sdk.AgentResponse, error) {
	command := p.config.Command
	for {
		ended, err := p.turn(ctx, command, question)
		if err != nil {
			return nil, err
		}
		response, err := p.response(ended)
		if err != nil || ended.killed() {
			return response, err
		}
		next, err := p.nextTurn(ctx, response.FinalAnswer)
		if err != nil || next == "" {
			return response, err
		}
		question = next
		if p.config.Turns == turnsResume {
			command = p.config.ResumeCommand
		}
	}
}

// turn runs the program once.
func (p *episode) turn(ctx context.Context, command []string, question string) (*end, error) {
	started, err := p.prepare(command, question)
	if err != nil {
		return nil, err
	}
	ended, err := started.execute(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && strings.Contains(err.Error(), "argument list too long"):
		return nil, fail("%v: the prompt is too long for an argument; use stdin = %q, or {{prompt_file}}", err, stdinPrompt)
	case err != nil:
		return nil, fail("%v", err)
	}
	return ended, p.checkEnd(started.command[0], ended)
}

// prepare returns the program for a turn, with the placeholders filled in.
func (p *episode) prepare(command []string, question string) (*program, error) {
	p.turns++
	p.placeholders.values["prompt"] = question
	if err := os.WriteFile(p.placeholders.values["prompt_file"], []byte(question), 0o600); err != nil {
		return nil, err
	}
	words, err := p.placeholders.texts(command)
	if err != nil {
		return nil, err
	}
	env, err := p.placeholders.environment(p.config.Env)
	if err != nil {
		return nil, err
	}
	if words[0], err = find(words[0], env["PATH"], p.folders.work); err != nil {
		return nil, fail("%v", err)
	}
	policy, err := p.policy(words[0], env)
	if err != nil {
		return nil, err
	}
	c := p.config
	out := &program{
		policy: policy, command: words, dir: p.folders.work, env: env, passEnv: c.PassEnv, run: p.agent.run, log: p.log,
		instance: "agent program " + rand.Text(), keep: maxQuotedBytes,
		limits: limits{
			time: time.Duration(c.Timeout), grace: cmp.Or(time.Duration(c.Grace), -1), output: c.OutputBytes,
			memory: c.MemoryBytes, processes: c.Processes,
		},
	}
	if c.Stdin == stdinPrompt {
		out.input = question
	}
	if c.Result == resultStdout {
		out.keep = c.OutputBytes
	}
	return out, nil
}

// checkEnd returns a failure if the block does not accept the way in which the program ended.
func (p *episode) checkEnd(program string, ended *end) error {
	accepts := func(what string) bool {
		for _, accepted := range p.config.Accept {
			if accepted == what {
				return true
			}
		}
		return false
	}
	switch {
	case ended.late && accepts(acceptTimeout):
		return nil
	case ended.killed():
		return sdk.BlameKill(p.dir, p.task, filepath.Base(program))
	case ended.stopped == "" && (ended.exit.Code == 0 || ended.exit.Code > 0 && accepts(acceptExit)):
		return nil
	}
	text := ended.describe(filepath.Base(program))
	if p.config.Keep != keepNone {
		text += "; its folder is kept: " + p.folders.root
	}
	return fail("%s", text)
}

// nextTurn sends the answer to the environment, and returns the user's next turn, or "" after the last one.
func (p *episode) nextTurn(ctx context.Context, said *string) (string, error) {
	if p.session == nil || said == nil || *said == "" {
		return "", nil
	}
	out, err := p.session.Step(ctx, sdk.AgentStep{Message: &sdk.Message{Role: sdk.RoleAssistant, Content: *said}})
	if err != nil || out.Done || out.Truncated {
		return "", err
	}
	next := prompt(out.Messages)
	if next != "" && p.config.Turns == turnsRefuse {
		return "", fail("the environment answers with another turn of the user's (%.80q), and the program has ended: "+
			"turns = %q starts it again with it, %q resumes its session", next, turnsRestart, turnsResume)
	}
	return next, nil
}

var _ sdk.Agent = (*agent)(nil)
