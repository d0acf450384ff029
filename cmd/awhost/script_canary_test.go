//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/awhost/awhost/plugins/calculator"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

func init() {
	plays["telltale"] = func() { sdk.Serve(telltalePlugin()) }
	scriptCommands["watchfor"] = watchFor // watchfor WORD...: from now on, search every process's visible data for words
	scriptCommands["unseen"] = unseen     // unseen: stop that; check that only processes that were given a word had it
	scriptCommands["nowhere"] = nowhere   // nowhere WORD...: no file of this script or its processes contains a word
}

// telltalePlugin returns an environment and a reward that reveal their secret everywhere, and crash with it.
func telltalePlugin() sdk.Plugin {
	config := schema.Block{Description: "Tells.", Attributes: []schema.Attribute{
		schema.String("token", "a secret").Secret().Require(),
		schema.Path("once", "dies only while this file is missing; it is made before").Require(),
	}}
	desk := calculator.Plugin().Environments[0]
	desk.Type, desk.Schema, desk.Validate, desk.Capabilities = "telltale", config, nil, plain
	inner := desk.New
	desk.New = func(ctx context.Context, setup sdk.Setup) (sdk.Environment, error) {
		tells, err := newTells(setup)
		if err != nil {
			return nil, err
		}
		setup.Config = []byte("{}")
		environment, err := inner(ctx, setup)
		return telltaleEnvironment{environment, tells}, err
	}
	return sdk.Plugin{
		Name: "telltale", Version: "1.0.0", Environments: []sdk.EnvironmentComponent{desk},
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{Type: "telltale", Description: "Tells.", Schema: config},
			New: func(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
				tells, err := newTells(setup)
				return telltaleReward{tells}, err
			},
		}},
	}
}

type tells struct {
	Token string `json:"token"`
	Once  string `json:"once"`
	times *int
}

func newTells(setup sdk.Setup) (tells, error) {
	t := tells{times: new(int)}
	err := setup.Decode(&t)
	fmt.Fprintln(os.Stderr, "to stderr:", t.Token)
	fmt.Println("to stdout:", t.Token)
	setup.Log.Warn("to the log: "+t.Token, "token", t.Token, "quoted", fmt.Sprintf("%q", t.Token))
	return t, err
}

// tell panics with the secret the first time in a run, and later occasionally returns an error with it.
func (t tells) tell(class sdk.FailureClass) error {
	if _, err := os.Stat(t.Once); err != nil {
		_ = os.WriteFile(t.Once, nil, 0o600)
		go panic("died of " + t.Token)
		select {}
	}
	switch *t.times++; *t.times {
	case 3:
		return fmt.Errorf("cannot go on with %s", t.Token)
	case 5:
		return &sdk.Failure{Class: class, Detail: "no luck with " + t.Token, Retryable: true}
	}
	return nil
}

type telltaleEnvironment struct {
	sdk.Environment
	tells tells
}

// Step implements sdk.Environment.
func (e telltaleEnvironment) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	if err := e.tells.tell(sdk.FailureEnvironment); err != nil {
		return nil, err
	}
	return e.Environment.Step(ctx, req)
}

type telltaleReward struct{ tells tells }

// Score implements sdk.Reward.
func (r telltaleReward) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	if err := r.tells.tell(sdk.FailureReward); err != nil {
		return nil, err
	}
	return worthless{}.Score(ctx, req)
}

// lookout watches the command lines and environments of a script's processes.
type lookout struct {
	words  []string
	stop   chan struct{}
	joined sync.WaitGroup

	mu    sync.Mutex
	looks int
	seen  []string // the findings, once each
}

func watchFor(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) > 0, "watchfor WORD...")
	l := &lookout{words: args, stop: make(chan struct{})}
	lookouts.Store(ts.Getenv("WORK"), l)
	mark := []byte(envRuntimeDir + "=" + ts.Getenv(envRuntimeDir))
	l.joined.Go(func() { l.watch(mark) })
	ts.Defer(l.end)
}

// lookouts holds the lookouts of the scripts, by their directories.
var lookouts sync.Map

func (l *lookout) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop != nil {
		close(l.stop)
		l.stop = nil
	}
}

func (l *lookout) watch(mark []byte) {
	stop := l.stop
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		l.look(mark)
		select {
		case <-tick.C:
		case <-stop:
			return
		}
	}
}

// look checks every process of the script except the programs that the script started, which were given the words.
func (l *lookout) look(mark []byte) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range all {
		environ, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(environ, mark) {
			continue
		}
		command, err := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if err != nil || len(command) == 0 {
			continue // it has ended since: the owner of the environment is unknown
		}
		program, arguments, _ := bytes.Cut(command, []byte{0})
		if filepath.Base(string(program)) == "awhost" && !bytes.Equal(arguments, []byte(guardUse+"\x00")) {
			continue
		}
		l.note("environment", command, environ)
		l.note("command line", command, command)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.looks++
}

func (l *lookout) note(what string, command, text []byte) {
	for _, word := range l.words {
		if !bytes.Contains(text, []byte(word)) {
			continue
		}
		found := fmt.Sprintf("%s in the %s of %q", word, what, command)
		l.mu.Lock()
		if !slices.Contains(l.seen, found) {
			l.seen = append(l.seen, found)
		}
		l.mu.Unlock()
	}
}

func unseen(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 0, "unseen")
	found, ok := lookouts.Load(ts.Getenv("WORK"))
	want(ts, ok, "watchfor before unseen")
	l := found.(*lookout)
	l.end()
	l.joined.Wait()
	ts.Logf("looked %d times", l.looks)
	if len(l.seen) > 0 {
		ts.Fatalf("seen: %s", strings.Join(l.seen, "\n"))
	}
}

// nowhere skips the files that the words were given in.
func nowhere(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) > 0, "nowhere WORD...")
	files := 0
	for _, root := range []string{ts.MkAbs("."), ts.Getenv("HOME"), ts.Getenv("TMPDIR"), ts.Getenv(envRuntimeDir)} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case !entry.Type().IsRegular() || entry.Name() == ".env" || entry.Name() == "secret.tfvars":
				return nil
			}
			text, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			files++
			for _, word := range args {
				if at := bytes.Index(text, []byte(word)); at >= 0 {
					ts.Fatalf("%s has %s: …%q…", path, word, text[max(0, at-200):min(len(text), at+100)])
				}
			}
			return err
		})
		ts.Check(err)
	}
	ts.Logf("looked into %d files", files)
}

var (
	_ sdk.Environment = telltaleEnvironment{}
	_ sdk.Reward      = telltaleReward{}
)
