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

// thisBuild returns the build that this process executes.
var thisBuild = sync.OnceValues(func() (build.Build, error) {
	return build.This(awhost.Deciding, awhost.DecidingDigest, sdk.Version)
})

// identityHere returns the identity of this build. A build that cannot be identified has already failed, when its
// bundled plugins were requested.
func identityHere() string {
	here, _ := thisBuild()
	return here.Identity
}

// envBuild marks a kept build that handOver has executed, so that it does not execute another one.
const envBuild = "AWHOST_KEPT_BUILD"

// buildsBeside returns the kept builds for the runs in a store.
func buildsBeside(store *runstore.Store) *build.Store {
	return build.In(filepath.Dir(store.Root()), "")
}

// handOver executes a resumed run's build if this build may compute different results. It returns only if this build
// continues.
func (a *app) handOver(r *runstore.Run, acceptBuild bool) error {
	handed := os.Getenv(envBuild)
	_ = os.Unsetenv(envBuild) // child processes must not inherit it
	was := r.CurrentBuild()
	here, err := thisBuild()
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	if was == nil || was.Identity == here.Identity || acceptBuild {
		return nil
	}
	advice := fmt.Sprintf("resume with that awhost, or with this one: awhost resume --accept-build %s; the run is then "+
		"no longer exact", callFor(r))
	if handed != "" {
		return exit(run.ExitUsage, fmt.Errorf("run %s requires %s, but the executable stored under its digest, %s, is %s: %s",
			r.Ref(), was, build.Short(handed), here, advice))
	}
	kept, err := build.In(filepath.Dir(filepath.Dir(r.Dir)), "").Open(was.Digest)
	if err != nil {
		return exit(run.ExitUsage, fmt.Errorf("run %s requires %s, but this is %s (%s); execute that build: %w: %s",
			r.Ref(), was, here, was.Differences(here), err, advice))
	}
	defer kept.Close()
	a.tell("awhost: %s resumes with its original build: %s, stored in %s; this is %s (%s)",
		r.Ref(), was, text.Path(kept.Path), here, was.Differences(here))
	return exit(run.ExitFailed, kept.Exec(os.Args, append(os.Environ(), envBuild+"="+was.Digest)))
}

// keeping holds the kept builds until a run is recorded.
type keeping struct {
	hold  *build.Hold
	build build.Build // the build that the run continues with
}

// keepBuild keeps this build for a run, before the run is recorded. current is the run's previous build, or nil.
func (a *app) keepBuild(ctx context.Context, store *runstore.Store, current *build.Build) (*keeping, error) {
	here, err := thisBuild()
	if err != nil {
		return nil, err
	}
	if err := store.MakeRoot(); err != nil { // and excludes its files from version control
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

// release removes builds that no run needs any more, and lets other processes keep and remove builds again. A failed
// removal, for example, because a build belongs to another user, is only reported.
func (k *keeping) release(store *runstore.Store, tell func(string, ...any)) error {
	if err := pruneBuilds(k.hold, store, k.build.Digest); err != nil {
		tell("awhost: %v", err)
	}
	return k.hold.Release()
}

// pruneBuilds removes builds that no unfinished run needs, except one. If a run cannot be read, it removes none.
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

// dropBuild removes the builds that are no longer needed after a run has ended.
func (a *app) dropBuild(store *runstore.Store, result *run.Result) {
	if !result.Resumable && result.Outcome != "" {
		a.dropUnneeded(store)
	}
}

// dropUnneeded removes the builds that no unfinished run needs.
func (a *app) dropUnneeded(store *runstore.Store) {
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

// openWriter opens a plan's run for writing, and keeps its build until the run has ended. A smoke run cannot be resumed
// and needs no kept build.
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
		return run.Resume(ctx, store, p.Existing.Dir, runstore.ResumeOptions{Build: &kept.build, AcceptBuild: acceptBuild,
			Extension: p.Extension})
	}
	create.Build = &kept.build
	return store.Create(ctx, create)
}
