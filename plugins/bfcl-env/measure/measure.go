// Package measure runs the environment's components in the current process, each on all of BFCL's ground truth, for the
// benchmarks in bench/bfcl.
//
//	data, err := measure.Open("bfcl_eval-2026.3.23-py3-none-any.whl", "v4")
//	calls, err := data.Calls()   // executes every call once, on instances made for it
//
// It contains the work, and the messages of a model that always answers correctly. It does not measure times or report
// any numbers.
package measure

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/backend"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/check"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/data"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/fit"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/tuning"
	"github.com/awhost/awhost/sdk/process/heap"
)

// Data is the data that the benchmarks run.
type Data struct {
	profile api.Profile
	entries []*entry.Entry
	tables  *api.Tables
	said    map[string][]string // by entry: the messages of a perfect model in EnvTuning's dialogue
}

// Open reads the data for a version, v4 or v3. Version 3 is run with EnvTuning's functions.
func Open(source, version string) (*Data, error) {
	heap.Pace(data.HeapHeadroom) // like the plugin
	set, err := data.Open(source, data.Options{Version: version})
	if err != nil {
		return nil, err
	}
	d := &Data{entries: set.Entries, tables: set.Tables, said: map[string][]string{}}
	if version == "v3" {
		d.profile = api.EnvTuning
	}
	if r := fit.Judge(set, d.profile); len(r.Documents) > 0 || len(r.Raised) > 0 {
		return nil, fmt.Errorf("%s does not fit: %v, %v; %s gets data that do", source, r.Documents, r.Raised,
			data.Download(version))
	}
	for _, one := range d.entries {
		for _, truth := range one.Truth {
			said, err := d.messages(truth)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", one.ID, err)
			}
			d.said[one.ID] = append(d.said[one.ID], said...)
		}
	}
	return d, nil
}

// Entries returns the number of entries.
func (d *Data) Entries() int { return len(d.entries) }

// Messages returns a perfect model's messages for an entry in EnvTuning's dialogue.
func (d *Data) Messages(id string) []string { return d.said[id] }

func (d *Data) setup(one *entry.Entry) check.Setup {
	world := &api.World{Profile: d.profile, LongContext: one.LongContext(), Tables: d.tables}
	return check.Setup{World: world, ID: one.ID, Classes: one.Classes, Config: one.Config, Player: "bench"}
}

// Calls executes the ground truth and returns the number of calls.
func (d *Data) Calls() (int, error) {
	done := 0
	for _, one := range d.entries {
		s := d.setup(one)
		player, err := backend.New(s.World, s.Classes, s.Config, backend.Names(s.Player, s.ID, s.World.Profile))
		if err != nil {
			return done, fmt.Errorf("%s: %w", one.ID, err)
		}
		for _, turn := range one.Truth {
			for _, call := range turn {
				player.Execute(call)
				done++
			}
		}
	}
	return done, nil
}

// Checks checks the ground truth against itself and returns the number of entries.
func (d *Data) Checks() (int, error) {
	for i, one := range d.entries {
		model := make([][][]string, len(one.Truth))
		for turn, calls := range one.Truth {
			if len(calls) > 0 {
				model[turn] = [][]string{calls}
			}
		}
		verdict, err := check.Entry(d.setup(one), one.Truth, model)
		if err == nil && !verdict.Valid {
			err = fmt.Errorf("the ground truth is judged wrong: %s", verdict.Message)
		}
		if err != nil {
			return i, fmt.Errorf("%s: %w", one.ID, err)
		}
	}
	return len(d.entries), nil
}

// Dialogues runs EnvTuning's dialogue and returns the number of model messages.
func (d *Data) Dialogues() (int, error) {
	done := 0
	for _, one := range d.entries {
		dialogue, err := tuning.New(tuning.Setup{Entry: d.setup(one), Truth: one.Truth, Questions: one.Later()})
		if err != nil {
			return done, fmt.Errorf("%s: %w", one.ID, err)
		}
		for _, message := range d.said[one.ID] {
			dialogue.Respond(message)
			done++
		}
	}
	return done, nil
}

// WriteDialogues writes the workload of Dialogues as JSON, one line per entry, for another program that performs the
// same work: the configuration of EnvTuning's interaction, and the model's messages to it.
func (d *Data) WriteDialogues(to io.Writer) error {
	for _, one := range d.entries {
		config, err := py.JSON(one.Config)
		if err != nil {
			return fmt.Errorf("%s: %w", one.ID, err)
		}
		line, err := json.Marshal(map[string]any{
			"start": map[string]any{
				"id": one.ID, "initial_config": config, "involved_classes": one.Classes, "ground_truth": one.Truth,
				"processed_question": one.Later(), "question": one.Questions,
			},
			"messages": d.said[one.ID],
		})
		if err == nil {
			_, err = to.Write(append(line, '\n'))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", one.ID, err)
		}
	}
	return nil
}

// messages returns a turn's messages: its calls, if there are any, and the answer.
func (d *Data) messages(truth []string) ([]string, error) {
	const answer = "<think>The request is done.</think><answer>Done.</answer>"
	if len(truth) == 0 {
		return []string{answer}, nil
	}
	calls := py.NewList()
	for _, text := range truth {
		var call *py.Call
		_, err := expr.Evaluate(text, func(c *py.Call) (py.Value, error) { call = c; return nil, nil })
		if err != nil {
			return nil, err
		}
		arguments := py.NewDict()
		for i, v := range call.Args {
			arguments.Set(d.parameter(call.Name, i), v)
		}
		for i, name := range call.Names {
			arguments.Set(name, call.Named[i])
		}
		calls.Append(py.NewDict("name", call.Name, "arguments", arguments))
	}
	body, err := py.JSON(calls)
	return []string{"<think>These calls do it.</think><tool_call>" + body + "</tool_call>", answer}, err
}

// parameter returns the name of a method parameter by position.
func (d *Data) parameter(method string, place int) string {
	for _, class := range api.Classes {
		if m := class.Method(method, d.profile); m != nil && place < len(m.Parameters()) {
			return m.Parameters()[place]
		}
	}
	return ""
}
