package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/awhost/awhost/host/debug"
	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/manualpolicy"
	"github.com/awhost/awhost/host/participants"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
)

func newDebug(a *app) *cobra.Command {
	var flags specFlags
	var model modelFlags
	var o debugOptions
	cmd := &cobra.Command{
		Use:   "debug [spec]",
		Short: "Play tasks one at a time, turn by turn, with debuggers in your plugins",
		Long: `Play the first tasks of a dataset, or the failed tasks of a run, one at a time, with any policy, and show
each call as it is made. At a terminal, debug pauses after each call: step, or replay the task with the same or another
seed. Plugins can run under a debugger. Deadlines are suspended while a plugin is stopped at a breakpoint.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := defaultSpec
			if len(args) > 0 {
				path = args[0]
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
			defer stop() // Ctrl-C also ends the plugins
			o.given = givenFlags(cmd)
			return a.debug(ctx, path, flags, model, o)
		},
	}
	flags.register(cmd)
	model.register(cmd)
	o.register(cmd)
	return cmd
}

func (o *debugOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.dataset, "dataset", "validation", "dataset of the tasks: `dataset.TYPE.NAME`, validation, "+
		"or train")
	f.IntVar(&o.limit, "limit", 0, "play at most `n` tasks; default: the first two, or all failed tasks")
	f.StringArrayVar(&o.tasks, "task", nil, "`ID` of a task of the dataset; may be repeated")
	f.StringVar(&o.failed, "failed", "", "play the tasks that failed or did not succeed in `RUN`")
	f.StringVar(&o.dir, "dir", "", "`directory` of that run's spec; default: the spec's directory")
	f.StringVar(&o.script, "script", "", "`file` with the policy's messages: one assistant message as JSON per line")
	f.Int64Var(&o.seed, "seed", 0, "`seed` to use instead of the spec's")
	f.BoolVar(&o.plain, "plain", false, "never pause, even at a terminal")
	f.StringArrayVar(&o.debug, "debug", nil, "run a plugin in a debugger: "+
		"`ADDRESS[=[debugpy|pdb|dlv][:PORT]]`; may be repeated")
	f.BoolVar(&o.wait, "wait", false, "wait for debuggers before starting the plugins' work")
	f.StringArrayVar(&o.attach, "attach", nil, "use a plugin that was started with the argument debug: "+
		"`ADDRESS=FILE`; may be repeated")
	f.BoolVar(&o.ui, "ui", false, "also show the episodes in a browser, and print a link that stays valid after the last "+
		"episode")
	f.BoolVar(&o.vscode, "vscode", false, "add the attach configurations to .vscode/launch.json for VS Code, and exit")
	cmd.MarkFlagsMutuallyExclusive("task", "failed")
	cmd.MarkFlagsMutuallyExclusive("ui", "vscode")
	cmd.MarkFlagsMutuallyExclusive("script", "checkpoint", "model", "base-url")
}

type debugOptions struct {
	dataset, failed, dir, script string
	tasks, debug, attach         []string
	given                        []string // the flags as typed, without --vscode
	limit                        int
	seed                         int64
	plain, wait, vscode, ui      bool
}

func (a *app) debug(ctx context.Context, path string, flags specFlags, model modelFlags, o debugOptions) error {
	if o.limit < 0 {
		return exit(run.ExitUsage, fmt.Errorf("--limit %d: want a number above 0", o.limit))
	}
	if o.script != "" {
		text, err := os.ReadFile(o.script)
		if err != nil {
			return exit(run.ExitUsage, fmt.Errorf("read the script: %w", err))
		}
		model.player = debug.NewScript(o.script, text)
	}
	model.orBase = true
	p, err := a.prepare(ctx, path, flags, model, plan.Evaluation{Dataset: o.dataset})
	if err != nil {
		return err
	}
	defer p.close()
	if o.vscode {
		return a.writeDebugConfig(p, path, o.given)
	}
	tasks, err := a.debugTasks(ctx, p, o)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	return a.playDebugged(ctx, p, o, tasks)
}

// fewTasks is the default number of tasks.
const fewTasks = 2

// debugTasks returns the tasks to play.
func (a *app) debugTasks(ctx context.Context, p *prepared, o debugOptions) ([]debug.Choice, error) {
	stage := p.config.Plan.Stages[0]
	data := p.config.Plan.Data[stage.Validation]
	switch {
	case len(o.tasks) > 0:
		return debug.ByID(data, o.tasks)
	case o.failed == "":
		return debug.First(data, cmp.Or(o.limit, fewTasks))
	}
	dir := o.dir
	if dir == "" {
		dir = p.config.Plan.Spec.Dir
	}
	r, err := a.openRun(dir, []string{o.failed})
	if err != nil {
		return nil, err
	}
	split := sdk.SplitValidation
	if stage.Validation == stage.Dataset && o.dataset != "validation" {
		split = sdk.SplitTrain
	}
	return debug.Failed(ctx, r, data, debug.Failures{
		Split: split, Most: cmp.Or(o.limit, math.MaxInt), Seed: stage.Knobs.Seed,
	})
}

// playDebugged plays tasks with the selected plugins under debuggers.
func (a *app) playDebugged(ctx context.Context, p *prepared, o debugOptions, tasks []debug.Choice) error {
	scratch, err := os.MkdirTemp("", "awhost-debug-")
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	defer os.RemoveAll(scratch)
	view := &debugView{app: a, prepared: p, wait: o.wait}
	var stops debug.Stops
	if in, out, interactive := a.console(); interactive && !o.plain {
		view.console = manualpolicy.NewTerminal(in, out)
		stops = view
	}
	bridging, leave := context.WithCancel(ctx)
	defer leave()
	d := debug.New(view, stops)
	c := p.config
	if c.Debugged, err = view.debugged(ctx, o, scratch); err != nil {
		return exit(run.ExitUsage, err)
	}
	c.Unhurried = len(c.Debugged) > 0 || stops != nil
	c.Watcher = d
	c.Log = view.log(bridging, c.Log, c.Debugged)
	var page *debugPage
	if o.ui {
		page = a.openDebugPage(ctx, p, scratch)
	}
	defer page.close()
	c.Record = page.sink()
	session, err := eval.Open(ctx, c)
	if err != nil {
		return measured(ctx, err)
	}
	var player debug.Player = session
	if o.seed != 0 {
		player = seeded{session, o.seed}
	}
	err = d.Run(ctx, player, tasks)
	leave()
	view.leave()
	if err := measured(ctx, errors.Join(err, session.Close(ctx))); err != nil || view.quit {
		return err
	}
	page.stay(ctx)
	return nil
}

// seeded is a session that uses a different seed.
type seeded struct {
	*eval.Session
	seed int64
}

// Seed implements debug.Player.
func (s seeded) Seed() int64 { return s.seed }

// debugView shows episodes and reads commands from a terminal.
type debugView struct {
	*app
	prepared *prepared
	wait     bool
	console  *manualpolicy.Terminal // nil: no terminal input

	mu   sync.Mutex // guards the output and the input
	told bool       // the help has been shown
	quit bool       // the user has quit

	bridging sync.Mutex
	over     bool           // no debugger may use the terminal any more
	bridges  sync.WaitGroup // debuggers that use it
}

// leave takes the terminal back from the debuggers that use it, and waits for them.
func (v *debugView) leave() {
	v.bridging.Lock()
	v.over = true
	v.bridging.Unlock()
	if v.console != nil {
		v.console.Interrupt()
	}
	v.bridges.Wait()
}

// show shows results one at a time.
func (v *debugView) show(r result.Result) {
	v.mu.Lock()
	defer v.mu.Unlock()
	_ = v.app.show(r) // errors of a closed output are ignored
}

// Began implements debug.View.
func (v *debugView) Began(e debug.Episode) { v.show(result.DebugTaskOf(e, v.prepared.source)) }

// Called implements debug.View.
func (v *debugView) Called(c debug.Call) { v.show(result.DebugCallOf(c)) }

// Ended implements debug.View.
func (v *debugView) Ended(e debug.End) { v.show(result.DebugEndOf(e)) }

// listening shows a debugger's address.
func (v *debugView) listening(l debug.Listening) { v.show(result.DebuggerOf(l)) }

// debugged returns the start parameters of the plugins that run under debuggers.
func (v *debugView) debugged(ctx context.Context, o debugOptions, scratch string) (map[string]plugin.Debugged, error) {
	p := v.prepared.config.Plan
	addresses := participants.StageBinding{Plan: p, Stage: p.Stages[0]}.Addresses()
	out := map[string]plugin.Debugged{}
	for _, text := range o.debug {
		t, err := debug.ParseTarget(text, addresses)
		if err != nil {
			return nil, err
		}
		component := p.Component(t.Address)
		start := debug.Start{Entry: component.Entry, Dir: scratch, Wait: o.wait, Listening: v.listening}
		if out[t.Address], err = start.Debugged(ctx, t); err != nil {
			return nil, err
		}
	}
	for _, text := range o.attach {
		address, file, err := debug.ParseAttachment(text, addresses)
		if err != nil {
			return nil, err
		}
		if _, twice := out[address]; twice {
			return nil, fmt.Errorf("--attach %s: duplicate plugin; it runs under the debugger that started it", text)
		}
		at, err := client.ReadAttachment(file)
		if err != nil {
			return nil, err
		}
		out[address] = plugin.Debugged{Attach: at}
	}
	return out, nil
}

// log shows plugin log lines, and the addresses of the plugins' debuggers.
func (v *debugView) log(ctx context.Context, next logFunc, debugged map[string]plugin.Debugged) logFunc {
	return func(level, source, message string, fields map[string]string) {
		if _, ok := debugged[source]; ok {
			if l, stands, ok := debug.LogListening(source, message, fields, v.wait); ok {
				v.reach(ctx, l, stands)
				return
			}
		}
		next(level, source, message, fields)
	}
}

type logFunc = func(level, source, message string, fields map[string]string)

// reach shows a debugger's address. A debugger without its own terminal uses this one: the caller must not block.
func (v *debugView) reach(ctx context.Context, l debug.Listening, stands bool) {
	v.bridging.Lock()
	defer v.bridging.Unlock()
	if !stands || v.console == nil || v.over {
		v.listening(l)
		return
	}
	v.bridges.Go(func() { // ends with leave
		v.mu.Lock() // the code is stopped, so no other output may be shown
		defer v.mu.Unlock()
		err := debug.Bridge(ctx, l.Listen, v.console, func(line string) { v.say("%s", line) })
		if err != nil && ctx.Err() == nil {
			v.tell("%v", err)
		}
	})
}

// debugKeys lists the commands available at a stop.
var debugKeys = []struct {
	key     string
	command debug.Command
	means   string
}{
	{"", debug.Step, "to the next call, or the next task"},
	{"c", debug.Continue, "to the end of the episode"},
	{"a", debug.Again, "this task again"},
	{"s", debug.Another, "this task with another seed"},
	{"n", debug.Skip, "the next task"},
	{"q", debug.Quit, "quit, as Ctrl-D does"},
}

// Stop implements debug.Stops.
func (v *debugView) Stop(ctx context.Context, over bool) (debug.Command, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	prompt := "debug> "
	if over {
		prompt = "debug (episode over)> "
	}
	if !v.told {
		v.told = true
		v.say("Enter continues to the next call; ? lists the commands")
	}
	for ctx.Err() == nil {
		line, err := v.console.ReadLine(prompt, func(string) string { return "" })
		if err != nil {
			v.quit = true
			return debug.Quit, nil // the user leaves
		}
		for _, k := range debugKeys {
			if strings.TrimSpace(line) == k.key {
				v.quit = k.command == debug.Quit
				return k.command, nil
			}
		}
		v.help()
	}
	return debug.Quit, ctx.Err()
}

func (v *debugView) help() {
	var pairs []text.Pair
	for _, k := range debugKeys {
		pairs = append(pairs, text.Pair{Key: cmp.Or(k.key, "Enter"), Value: k.means})
	}
	v.page().Pairs(pairs...)
}

// firstDebugPort is the port of the first debugger in a launch.json.
const firstDebugPort = 5678

// givenFlags returns the flags to repeat in another invocation: all except --vscode and the flags that writeLaunch
// adds.
func givenFlags(cmd *cobra.Command) (out []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "vscode" || f.Name == "debug" || f.Name == "wait" || cmd.InheritedFlags().Lookup(f.Name) != nil {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			if f.NoOptDefVal == value {
				out = append(out, "--"+f.Name)
			} else {
				out = append(out, "--"+f.Name, quoted(value))
			}
		}
	})
	return out
}

// quoted returns an argument quoted for a shell.
func quoted(argument string) string {
	if argument != "" && strings.IndexFunc(argument, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-+=./:@,%", r)
	}) < 0 {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}

// writeDebugConfig writes the VS Code configuration for attaching to the plugins that can be debugged. given holds the
// flags for the command to run.
func (a *app) writeDebugConfig(p *prepared, path string, given []string) error {
	var targets []debug.Target
	command := []string{"awhost", "debug"}
	if path != defaultSpec {
		command = append(command, quoted(path))
	}
	command = append(command, given...)
	c := p.config.Plan
	for _, address := range (participants.StageBinding{Plan: c, Stage: c.Stages[0]}).Addresses() {
		t := debug.Target{Address: address, Listen: fmt.Sprintf("127.0.0.1:%d", firstDebugPort+len(targets))}
		component := c.Component(address)
		tool, err := debug.Start{Entry: component.Entry}.Tool(t)
		if err != nil {
			continue // no user code runs in it
		}
		t.Tool = tool
		targets = append(targets, t)
		command = append(command, "--debug", fmt.Sprintf("%s=%d", address, firstDebugPort+len(targets)-1))
	}
	if len(targets) == 0 {
		return exit(run.ExitUsage, errors.New("no plugin of these episodes runs user code: there is nothing "+
			"to attach to"))
	}
	file := filepath.Join(c.Spec.Dir, ".vscode", "launch.json")
	added, kept, err := debug.WriteDebugConfig(file, targets)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	return a.show(result.LaunchOf(file, added, kept, strings.Join(append(command, "--wait"), " ")))
}

var (
	_ debug.View   = (*debugView)(nil)
	_ debug.Stops  = (*debugView)(nil)
	_ debug.Player = seeded{}
)
