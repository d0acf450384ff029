package plugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
)

const (
	configureTimeout = 10 * time.Minute // plugins import packages meanwhile, on machines of any load

	// Delays between the restarts of one plugin.
	firstBackOff = 100 * time.Millisecond
	maxBackOff   = 2 * time.Second // keeps a recovery below ten seconds

	// endMargin is the time that a plugin has beyond its grace period to report that it has finished and to exit.
	endMargin = 3 * time.Second
)

// startProcess starts and configures one process.
func (i *Instance) startProcess(ctx context.Context) (*client.Plugin, error) {
	config, err := i.process()
	if err != nil {
		return nil, fmt.Errorf("start plugin %s: %w", i.block.Address, err)
	}
	held, err := i.block.Entry.Hold()
	if err != nil {
		return nil, fmt.Errorf("start plugin %s: %w", i.block.Address, err)
	}
	config.Command, config.Env = held.Command, withEnv(config.Env, held.Env)
	i.prepareDebugged(&config)
	p, err := i.startHeld(ctx, config, held)
	if err != nil {
		held.Release()
		return nil, err
	}
	i.keep(held)
	return p, nil
}

// startHeld starts a process from files that have been verified.
func (i *Instance) startHeld(ctx context.Context, config client.Config, held *catalog.Held) (*client.Plugin, error) {
	dir, err := i.supervisor.config.Dir(i.block.Address)
	if err != nil {
		return nil, fmt.Errorf("start plugin %s: %w", i.block.Address, err)
	}
	p, err := i.begin(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := held.Check(); err != nil {
		discard(p)
		return nil, fmt.Errorf("start plugin %s: %w", i.block.Address, err)
	}
	if err := i.configure(ctx, p, dir); err != nil {
		discard(p)
		return nil, fmt.Errorf("configure plugin %s: %w", i.block.Address, err)
	}
	return p, nil
}

func (i *Instance) process() (client.Config, error) {
	c := i.supervisor.config
	if i.block.Entry == nil {
		return client.Config{}, fmt.Errorf("its program is unknown")
	}
	config := client.Config{
		Name: i.block.Address, Env: map[string]string{}, Authority: c.Authority, SocketDir: c.SocketDir,
		PassEnv: append(slices.Clone(c.PassEnv), i.block.PassEnv...),
		Log:     slog.New(slog.DiscardHandler), Run: c.RunID, Guard: c.Guard, Redact: c.Redact, Inherit: c.Inherit,
		MaxMessageBytes: i.block.Entry.Description.MessageBytes(),
	}
	if c.HostAbsence > 0 {
		config.Env[sdk.EnvHostAbsence] = c.HostAbsence.String()
	}
	if c.SpecDir != "" {
		dir, err := filepath.Abs(filepath.Join(c.SpecDir, ".awhost", "killed", i.block.Address))
		if err != nil {
			return client.Config{}, err
		}
		config.Env[sdk.EnvKilledDir] = dir
	}
	if c.LogFile != nil {
		config.LogFile = c.LogFile(i.block.Address)
	}
	if c.Log != nil {
		config.Log = c.Log(i.block.Address)
	}
	return config, nil
}

// withEnv merges two sets of environment variables; env takes precedence.
func withEnv(env, more map[string]string) map[string]string {
	out := maps.Clone(more)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, env)
	return out
}

// keep stores the files that the newest process was started from and releases the previous ones.
func (i *Instance) keep(held *catalog.Held) {
	i.mu.Lock()
	before := i.held
	i.held = held
	i.mu.Unlock()
	before.Release()
}

func (i *Instance) configure(ctx context.Context, p *client.Plugin, dir string) error {
	limit := configureTimeout
	c, host := i.supervisor.config, i.supervisor.config.HostSocket
	if d, ok := i.debugged(); ok {
		limit = unhurried
		host = cmp.Or(d.HostSocket, host)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	problems, err := p.Configure(ctx, sdk.ConfigureRequest{
		Kind: i.block.Kind, Type: i.block.Type, Config: i.configuration(), Sensitive: i.block.Sensitive,
		RunID: c.RunID, Incarnation: c.Incarnation, Dir: dir, HostSocket: host,
	})
	if err != nil {
		return p.Explain(err)
	}
	if len(problems) > 0 {
		return &sdk.ConfigError{Diagnostics: problems}
	}
	return nil
}

// discard ends a process that has no unfinished work.
func discard(p *client.Plugin) {
	ctx, cancel := context.WithTimeout(context.Background(), endMargin)
	defer cancel()
	_ = p.Stop(ctx, 0, "it is not needed", func(string) {}) // it is ended in any case
}

// watch restarts the process when it exits, until the instance is retired or the budget is exhausted.
func (i *Instance) watch(p *client.Plugin) {
	defer close(i.watched)
	for p != nil {
		endVigil := i.startWatchdog(p)
		select {
		case <-p.Done():
		case <-i.retired:
		}
		endVigil()
		if i.isRetired() {
			return
		}
		p.Kill() // releases resources of the process
		p = i.restart(i.causeOf(p))
	}
}

// causeOf returns the reason why a process ended.
func (i *Instance) causeOf(dead *client.Plugin) error {
	if verdict := i.endReasonOf(dead); verdict != nil {
		return verdict
	}
	return dead.Exit()
}

// restart returns the process that is currently ready, or nil if there will be none.
func (i *Instance) restart(cause error) *client.Plugin {
	ctx, cancel := i.untilRetired()
	defer cancel()
	if i.isAttached() {
		i.crashed(fmt.Errorf("plugin %s was started elsewhere and has exited: start it again, and then `awhost "+
			"debug`: %w", i.block.Address, cause))
		return nil
	}
	for {
		attempt, ok := i.chargeRestart()
		if !ok {
			i.crashed(i.restartsUsedUpError(cause))
			return nil
		}
		i.notify(Restarting, cause.Error())
		select {
		case <-i.supervisor.config.Clock.After(backOff(attempt)):
		case <-ctx.Done():
			return nil
		}
		p, err := i.startProcess(ctx)
		if err == nil {
			i.ready(p)
			return p
		}
		if ctx.Err() != nil {
			return nil
		}
		var changed *catalog.ChangedError
		if errors.As(err, &changed) { // the next start would fail in the same way
			i.crashed(err)
			return nil
		}
		cause = err
	}
}

// chargeRestart charges one restart to the budget, unless the restart is exempt, and returns its number.
func (i *Instance) chargeRestart() (attempt int, ok bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.current = nil
	switch {
	case i.heldRestarts > 0:
		i.heldRestarts--
	case i.chargedRestarts >= i.supervisor.config.MaxRestarts:
		return i.chargedRestarts, false
	default:
		i.chargedRestarts++
	}
	i.restarts++
	return max(1, i.chargedRestarts), true
}

func (i *Instance) restartsUsedUpError(cause error) error {
	switch n := i.supervisor.config.MaxRestarts; n {
	case 0:
		return fmt.Errorf("plugin %s exited, and max_restarts = 0 allows no restart: %w", i.block.Address, cause)
	default:
		return fmt.Errorf("plugin %s exited, and the %d restarts allowed by max_restarts in a run are used up: %w",
			i.block.Address, n, cause)
	}
}

// backOff returns the delay before the nth restart, counting from 1.
func backOff(n int) time.Duration {
	return min(firstBackOff<<min(n-1, 10), maxBackOff)
}

// untilRetired returns a context that is canceled when the instance is retired.
func (i *Instance) untilRetired() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-i.retired:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel()
		<-done
	}
}

func (i *Instance) retire() { i.retireOnce.Do(func() { close(i.retired) }) }

// end lets a retired instance's component finish and then ends the process.
func (i *Instance) end(ctx context.Context, grace time.Duration, reason string) error {
	<-i.watched // soon, because nothing is started any more
	defer i.keep(nil)
	p, _, fatal := i.status()
	if fatal != nil {
		return nil // it has ended already
	}
	var err error
	if p != nil {
		err = stop(ctx, p, grace, reason)
	}
	i.notify(Stopped, reason)
	i.set(nil, nil)
	return err
}

func stop(ctx context.Context, p *client.Plugin, grace time.Duration, reason string) error {
	defer p.Kill() // releases the remaining resources of a process that exited
	if !alive(p) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, grace+endMargin)
	defer cancel()
	return p.Stop(ctx, grace, reason, func(string) {})
}
