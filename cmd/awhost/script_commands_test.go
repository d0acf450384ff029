//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/awhost/awhost/docs"
)

// scriptCommands are the commands of scripts in addition to the standard commands of testscript.
var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){
	"exits":        exits,        // exits CODE COMMAND...: run it to its end
	"start":        start,        // start NAME COMMAND...: run it in the background, with output in NAME.out and NAME.err
	"signal":       signalTo,     // signal NAME INT|TERM|KILL: to the started program
	"signalhost":   signalHost,   // signalhost RUN STOP|CONT|KILL: to the process that owns a run
	"ended":        ended,        // ended NAME CODE: wait for its end
	"await":        await,        // await NAME FILE [REGEXP]: wait for the file of a program, and a matching line
	"killplugin":   killPlugin,   // killplugin ADDRESS: kill -9 the process of a block
	"fulldisk":     fullDisk,     // fulldisk NAME|ADDRESS FILE: limit the files of a program or block to that size
	"noprocesses":  noProcesses,  // no process started by this script is running
	"nosockets":    noSockets,    // no socket directory is left
	"validschema":  validSchema,  // validschema events|commands FILE: every line is as documented
	"collector":    collector,    // collector start|has|whole|forget|end: an OpenTelemetry collector, at $COLLECTOR
	"observers":    observe,      // observers start|lint|sees|collects|traces|end: a Prometheus and a real collector
	"hub":          hub,          // hub DIR OWNER/NAME [TOKEN]: a hub with a dataset of these files, in HF_ENDPOINT
	"world":        world,        // world start|tasks|released|uncalled|end: AgentJet's environment service, at $WORLD
	"field":        field,        // field FILE TYPE NAME REGEXP: a member of the last line of a type
	"samedigest":   sameDigest,   // [!] samedigest FILE...: the runs of these events ended with the same weights
	"samesteps":    sameSteps,    // samesteps EVENTS EVENTS...: the steps of the first had the others' episodes
	"replace":      replace,      // replace FILE OLD NEW: exactly once; \n represents the end of a line
	"gomodule":     goModule,     // gomodule DIR: make it a module that finds this one
	"userfiles":    userFiles,    // userfiles SHAPE: a file in AWorld's form, the same in awhost's form, demonstrations
	"modelserver":  modelServer,  // modelserver KIND: an OpenAI-style server at $MODEL_URL
	"samesuccess":  sameSuccess,  // samesuccess EVENTS EVALUATION: a run's validation and the result of eval
	"breakat":      breakAt,      // breakat FILE PLACE NAME=VALUE: a debugger's client, see breakAt
	"typeto":       typeTo,       // typeto FILE LINE...: input for a debugger, see typeTo
	"learned":      learned,      // learned FILE: the reward of these events has risen
	"browse":       browse,       // [!] browse LINKS PATH FILE: send a page's request to a viewer whose link is in a file
	"playedas":     playedAs,     // playedas ANSWER SHOWN N: a viewer's data about the Nth episode of debug equals debug's
	"spansaddup":   spansAddUp,   // spansaddup SHOWN: the spans of episodes add up to their timings, in order
	"sameepisodes": sameEpisodes, // sameepisodes ANSWER SHOWN: a viewer lists the same episodes as show
}

// poll is the polling interval of waits.
const poll = 5 * time.Millisecond

// until waits for a condition.
func until(ts *testscript.TestScript, what string, condition func() bool) {
	untilRight(ts, func() string {
		if condition() {
			return ""
		}
		return what
	})
}

// untilRight waits until problem returns an empty string.
func untilRight(ts *testscript.TestScript, problem func() string) {
	end := time.Now().Add(patience)
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for wrong := problem(); wrong != ""; wrong = problem() {
		if time.Now().After(end) {
			ts.Fatalf("%s: not within %s", wrong, patience)
		}
		<-tick.C
	}
}

// want checks the usage of a command.
func want(ts *testscript.TestScript, ok bool, usage string) {
	if !ok {
		ts.Fatalf("usage: %s", usage)
	}
}

func number(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) > 1, "exits CODE COMMAND...")
	err := ts.Exec(args[1], args[2:]...)
	checkCode(ts, args[1:], err, number(ts, args[0]))
}

func checkCode(ts *testscript.TestScript, command []string, err error, wanted int) {
	code := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%s: %v", strings.Join(command, " "), err)
	}
	if code != wanted {
		ts.Fatalf("%s: exit code %d, want %d (%v)", strings.Join(command, " "), code, wanted, err)
	}
}

func replace(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 3, "replace FILE OLD NEW")
	text, old, fresh := ts.ReadFile(args[0]), strings.ReplaceAll(args[1], `\n`, "\n"),
		strings.ReplaceAll(args[2], `\n`, "\n")
	if n := strings.Count(text, old); n != 1 {
		ts.Fatalf("%s has %q %d times", args[0], old, n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, old, fresh, 1)), 0o644))
}

// lineSchemas holds the documented schemas of lines, by document.
var lineSchemas = map[string]func() (*jsonschema.Schema, error){
	"events":   sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema("events.schema.json") }),
	"commands": sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema("commands.schema.json") }),
}

func compileSchema(name string) (*jsonschema.Schema, error) {
	const base = "https://github.com/awhost/awhost/docs/"
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	for name, text := range map[string]string{"events.schema.json": docs.EventSchema,
		"commands.schema.json": docs.CommandSchema} {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return nil, err
		}
		if err := compiler.AddResource(base+name, document); err != nil {
			return nil, err
		}
	}
	return compiler.Compile(base + name)
}

func validSchema(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 2 && lineSchemas[args[0]] != nil, "validschema events|commands FILE")
	schema, err := lineSchemas[args[0]]()
	ts.Check(err)
	all := lines(ts.ReadFile(args[1]))
	if len(all) == 0 {
		ts.Fatalf("%s is empty", args[1])
	}
	for i, line := range all {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			ts.Fatalf("%s:%d: %v\n%s", args[1], i+1, err, line)
		}
	}
}

// lastOf returns the members of the last line of a type.
func lastOf(ts *testscript.TestScript, file, typ string) map[string]json.RawMessage {
	var found map[string]json.RawMessage
	for i, line := range lines(ts.ReadFile(file)) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &members); err != nil {
			ts.Fatalf("%s:%d: %v", file, i+1, err)
		}
		if string(members["type"]) == strconv.Quote(typ) {
			found = members
		}
	}
	if found == nil {
		ts.Fatalf("%s has no line of type %s", file, typ)
	}
	return found
}

func field(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, len(args) == 4, "field FILE TYPE NAME REGEXP")
	value := string(lastOf(ts, args[0], args[1])[args[2]])
	pattern, err := regexp.Compile(args[3])
	ts.Check(err)
	if pattern.MatchString(value) == neg {
		ts.Fatalf("%s of %s is %s", args[2], args[1], value)
	}
}

// sameDigest compares steps and digests. A digest alone does not identify the step, because a step without updates
// leaves it unchanged.
func sameDigest(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, len(args) > 1, "samedigest FILE FILE...")
	first := digestOf(ts, args[0])
	ts.Logf("%s", first)
	for _, file := range args[1:] {
		if other := digestOf(ts, file); (other == first) == neg {
			ts.Fatalf("%s: %s\n%s: %s", args[0], first, file, other)
		}
	}
}

// sameSteps compares the metrics of each step that depend on its episodes. A digest does not depend on episodes
// without an effect on the policy.
func sameSteps(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) > 1, "samesteps EVENTS EVENTS...")
	first, others := map[float64]map[string]float64{}, map[float64]map[string]float64{}
	stepsOf(ts, args[0], first)
	for _, file := range args[1:] {
		stepsOf(ts, file, others)
	}
	if len(first) == 0 {
		ts.Fatalf("%s has no steps", args[0])
	}
	if diff := cmp.Diff(first, others); diff != "" {
		ts.Fatalf("%v: %s", args, diff)
	}
}

func stepsOf(ts *testscript.TestScript, file string, into map[float64]map[string]float64) {
	for i, line := range lines(ts.ReadFile(file)) {
		var step struct {
			Type    string
			Step    float64
			Metrics map[string]float64
		}
		if err := json.Unmarshal([]byte(line), &step); err != nil {
			ts.Fatalf("%s:%d: %v", file, i+1, err)
		}
		if step.Type != "step_finished" {
			continue
		}
		maps.DeleteFunc(step.Metrics, func(name string, _ float64) bool {
			return !strings.HasPrefix(name, "train/") || strings.HasSuffix(name, "_seconds") ||
				strings.HasSuffix(name, "_per_second") || name == "train/retries"
		})
		into[step.Step] = step.Metrics
	}
}

func digestOf(ts *testscript.TestScript, file string) string {
	end := lastOf(ts, file, "run_finished")
	digest := string(end["digest"])
	if len(digest) < 20 {
		ts.Fatalf("%s has no digest: %s", file, digest)
	}
	return fmt.Sprintf("step %s, digest %s", end["step"], digest)
}
