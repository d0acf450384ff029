package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/event"
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
	events   bool               // --json prints events: apply and resume
	early    []event.Diagnostic // found before the run existed
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "awhost",
		Short: "Train LLM agents with any trainer, environment, and reward, declared in one file",
		Long: `awhost trains LLM agents by reinforcement learning. A spec declares agent, environment, reward, data, and
trainer; "awhost apply train.hcl" runs it. Trainers, environments, and rewards are plugins in separate processes.

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
	root.AddCommand(
		newNew(a), newInit(a), newImport(a), newValidate(a), newFmt(a), newPlan(a), newApply(a), newEval(a), newAsk(a),
		newDebug(a), newScore(a), newPlay(a), newRuns(a), newShow(a), newCheckpoints(a), newCompare(a), newExport(a),
		newLogs(a), newWhere(a), newUI(a), newAttach(a), newStuck(a), newTop(a), newStop(a), newResume(a),
		newPlugin(a), newDoctor(a), newSchema(a), newDocs(a), newCompletion(a), newVersion(a), newGuard(),
	)
	a.addCompleters(root)
	addExamples(root, "")
	return root
}
