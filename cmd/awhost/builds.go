package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost"
	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// thisBuild is the build that this process executes.
var thisBuild = sync.OnceValues(func() (build.Build, error) { return build.This(awhost.Deciding, sdk.Version) })

// identityHere is the identity of this build. What cannot be identified has failed when its bundled plugins were
// asked for.
func identityHere() string {
	here, _ := thisBuild()
	return here.Identity
}

// envBuild tells a kept build that it was executed as such: it executes no other one.
const envBuild = "AWHOST_KEPT_BUILD"

// buildsBeside are the kept builds of the runs of a store.
func buildsBeside(store *runstore.Store) *build.Store {
	return build.In(filepath.Dir(store.Root()), "")
}

// handOver executes the build that a run goes on with, where this one may compute otherwise. It returns when this one
// goes on.
func (a *app) handOver(r *runstore.Run, acceptBuild bool) error {
	handed := os.Getenv(envBuild)
	_ = os.Unsetenv(envBuild) // it is nobody else's affair
	was := r.CurrentBuild()
	here, err := thisBuild()
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	if was == nil || was.Identity == here.Identity || acceptBuild {
		return nil
	}
	advice := fmt.Sprintf("go on with the awhost that it names, or with this one: awhost resume --accept-build %s; the run is then no longer exact", callFor(r))
	if handed != "" {
		return exit(run.ExitUsage, fmt.Errorf("run %s goes on with %s, but the executable that is kept under its digest, %s, is %s: %s",
			r.Ref(), was, build.Short(handed), here, advice))
	}
	kept, err := build.In(filepath.Dir(filepath.Dir(r.Dir)), "").Open(was.Digest)
	if err != nil {
		return exit(run.ExitUsage, fmt.Errorf("run %s goes on with %s, and this is %s (%s); that build cannot be executed: %w: %s",
			r.Ref(), was, here, was.Differences(here), err, advice))
	}
	defer kept.Close()
	a.tell("awhost: %s goes on with the build that it began with: %s, kept in %s; this is %s (%s)",
		r.Ref(), was, text.Path(kept.Path), here, was.Differences(here))
	return exit(run.ExitFailed, kept.Exec(os.Args, append(os.Environ(), envBuild+"="+was.Digest)))
}

// keeping holds the kept builds until a run is on record.
type keeping struct {
	hold  *build.Hold
	build build.Build // the one that the run goes on with
}

// keepBuild keeps this build for a run, before the run is on record. current is the one that the run has; nil: none.
func (a *app) keepBuild(ctx context.Context, store *runstore.Store, current *build.Build) (*keeping, error) {
	here, err := thisBuild()
	if err != nil {
		return nil, err
	}
	if err := store.MakeRoot(); err != nil { // and what keeps all of it out of version control
		return nil, err
	}
	hold, err := buildsBeside(store).Lock(ctx)
	if err != nil {
		return nil, err
	}
	if current != nil && current.Identity == here.Identity && hold.Has(current.Digest) {
		return &keeping{hold, *current}, nil
	}
	here, err = hold.Keep(here)
	var unsealed *build.UnsealedError
	if errors.As(err, &unsealed) {
		a.tell("awhost: %v", err)
	} else if err != nil {
		return nil, errors.Join(err, hold.Release())
	}
	return &keeping{hold, here}, nil
}

// release removes what no run needs any more, and lets others keep and remove. What cannot be removed, such as the
// build of another user, is told and stops nobody.
func (k *keeping) release(store *runstore.Store, tell func(string, ...any)) error {
	if err := pruneBuilds(k.hold, store, k.build.Digest); err != nil {
		tell("awhost: %v", err)
	}
	return k.hold.Release()
}

// pruneBuilds removes the builds that no unfinished run needs, except for one. While a run cannot be read, all stay.
func pruneBuilds(hold *build.Hold, store *runstore.Store, except string) error {
	others, err := hold.Others(except)
	if err != nil || len(others) == 0 {
		return err
	}
	needed, known, err := store.Builds()
	if err != nil || !known {
		return err
	}
	return hold.Prune(append(needed, except))
}

// dropBuild removes the builds that nobody needs now that a run is over.
func (a *app) dropBuild(store *runstore.Store, result *run.Result) {
	if result.Resumable || result.Outcome == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), viewTimeout)
	defer cancel()
	hold, err := buildsBeside(store).Lock(ctx)
	if err == nil {
		err = errors.Join(pruneBuilds(hold, store, ""), hold.Release())
	}
	if err != nil {
		a.tell("awhost: %v", err)
	}
}

// openWriter opens the run of a plan for writing, and keeps the build that it goes on with until it is over. Nobody goes
// on with a smoke run.
func (a *app) openWriter(
	ctx context.Context, p *plan.Plan, store *runstore.Store, acceptBuild bool,
) (_ *runstore.Writer, err error) {
	create := p.NewRun()
	if p.Smoke != nil {
		return store.Create(ctx, create)
	}
	var current *build.Build
	if p.Mode == event.ModeResume {
		current = p.Existing.CurrentBuild()
	}
	kept, err := a.keepBuild(ctx, store, current)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, kept.release(store, a.tell)) }()
	if p.Mode == event.ModeResume {
		return run.Resume(ctx, store, p.Existing.Dir, runstore.ResumeOptions{Build: &kept.build, AcceptBuild: acceptBuild})
	}
	create.Build = &kept.build
	return store.Create(ctx, create)
}
