// Package smoke is what a smoke run has beside an ordinary one: the script that speaks for the policy in half of its
// episodes, and the report on what happened.
//
//	script := smoke.NewScript()
//	result := run.Apply(ctx, run.Config{Plan: p, Writer: w, Script: script, …})
//	report, err := smoke.Report(ctx, smoke.Inputs{Plan: p, Run: r, Script: script})
//	fmt.Println(report.Verdict, report.Reasons)
//
// A random policy never calls a tool, and is hardly ever rewarded. So half of the episodes go the way that a good one
// would go: through the chat template, the parser of tool calls, the environment, the rewards and the training rows. The
// host writes what is said there, so that it can tell when an adapter reads its own writing differently.
//
// The package must not know how a run goes, what an adapter does with the script, or how a report is shown.
package smoke
