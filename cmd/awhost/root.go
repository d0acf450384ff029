package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// app holds the shared state of commands.
type app struct {
	in       io.Reader
	out, err *text.Output // for people; programs read out.Data()
	environ  []string
	line     *text.Status // see status
	json     bool
	plain    bool               // results have no color and no line breaks
	events   bool               // --json prints events: apply and resume
	early    []event.Diagnostic // found before the run existed
	recorded view.View          // the file of --events, or nil
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "awhost",
		Short: "Train LLM agents with any trainer, environment, and reward, declared in one file",
		Long: `awhost trains LLM agents by reinforcement learning. A spec declares agent, environment, reward, data, and
trainer: "awhost new spec demo" writes one, and "awhost apply demo" trains it, without a GPU, in a minute. Trainers,
environments, and rewards are plugins in separate processes.

"awhost docs" lists the pages of the documentation, "awhost docs start/quick-start" prints the first one.`,
		Version:       sdk.Version,
		Args:          cobra.ArbitraryArgs, // runGroup reports wrong arguments
		RunE:          runGroup,
		SilenceUsage:  true,
		SilenceErrors: true,
		CompletionOptions: cobra.CompletionOptions{
			HiddenDefaultCmd: true,
		},
	}
	root.SetIn(a.in)
	root.SetFlagErrorFunc(explainFlag)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.PersistentFlags().BoolVar(&a.json, "json", false,
		"print JSON, one object per line (docs/reference/json-events.md)")
	for _, g := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"spec", "Write and check a spec:", []*cobra.Command{
			newNew(a), newInit(a), newImport(a), newValidate(a), newFmt(a), newData(a), newPlan(a), newSchema(a),
		}},
		{"train", "Train:", []*cobra.Command{
			newApply(a), newSweep(a), newResume(a), newStop(a), newAttach(a), newStuck(a), newTop(a),
		}},
		{"measure", "Measure and try:", []*cobra.Command{newEval(a), newAsk(a), newPlay(a), newDebug(a), newScore(a)}},
		{"runs", "Inspect runs:", []*cobra.Command{
			newRuns(a), newShow(a), newScan(a), newUI(a), newCompare(a), newLogs(a), newWhere(a), newCheckpoints(a),
			newExport(a),
		}},
		{"tools", "Plugins and this machine:", []*cobra.Command{
			newPlugin(a), newDoctor(a), newDocs(a), newCompletion(a), newVersion(a),
		}},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, cmd := range g.commands {
			cmd.GroupID = g.id
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommandGroupID("tools")
	root.AddCommand(newGuard())
	a.addCompleters(root)
	addExamples(root, "")
	return root
}
