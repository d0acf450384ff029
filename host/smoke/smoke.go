// Package smoke provides the parts that only a smoke run has: the script that replaces the policy in half of the
// episodes, and the report on the results.
//
//	script := smoke.NewScript()
//	result := run.Apply(ctx, run.Config{Plan: p, Writer: w, Script: script, …})
//	report, err := smoke.Report(ctx, smoke.Inputs{Plan: p, Run: r, Script: script})
//	fmt.Println(report.Verdict, report.Reasons)
//
// A random policy never calls a tool and is hardly ever rewarded. Therefore, half of the episodes follow the path that
// a good policy would take: through the chat template, the tool-call codec, the environment, the rewards and the
// training rows. The host writes the messages for these episodes, so it detects adapters that parse their own output
// differently.
//
// The package must not depend on how a run works, on how the adapter uses the script, or on how a report is presented.
package smoke
