package ledger_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge/ledger"
)

// vector is a file of testdata/ledger; its README documents the members.
type vector struct {
	Template   string           `json:"template"`
	MaxContext int              `json:"max_context"`
	Operations []operation      `json:"operations"`
	Chains     map[string]chain `json:"chains"`
	Results    []result         `json:"results"`
}

type operation struct {
	Request   json.RawMessage `json:"request"`
	Observed  *string         `json:"observed"`
	Error     string          `json:"error"`
	Prompt    string          `json:"prompt"`
	Drift     string          `json:"drift"`
	Failed    bool            `json:"failed"`
	Sampled   sampled         `json:"sampled"`
	Chain     string          `json:"chain"`
	Length    int             `json:"chain_length"`
	Remaining *int            `json:"remaining_tokens"`
}

type sampled struct {
	Text     string           `json:"text"`
	Logprobs []float32        `json:"logprobs"`
	Versions [][2]int         `json:"versions"`
	Finish   sdk.FinishReason `json:"finish"`
	Message  json.RawMessage  `json:"message"`
}

type chain struct {
	Segments []segment `json:"segments"`
	Digest   string    `json:"digest"`
}

type segment struct {
	Text     string    `json:"text"`
	Turn     *int32    `json:"turn"`
	Versions [][2]int  `json:"versions"`
	Logprobs []float32 `json:"logprobs"`
}

type result struct {
	Attempt json.RawMessage `json:"attempt"`
	Chains  json.RawMessage `json:"chains"`
	Rows    []struct {
		Chain        string `json:"chain"`
		PromptLength int    `json:"prompt_length"`
		Trained      int    `json:"trained"`
	} `json:"rows"`
	Main    *string `json:"main"`
	LeftOut int     `json:"left_out"`
	Error   bool    `json:"error"`
}

var kinds = map[string]sdk.GenerateErrorKind{"KIND_ABORTED": sdk.GenerateAborted,
	"KIND_CONTEXT_FULL": sdk.GenerateContextFull}

func TestVectors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "testdata", "ledger", "*.json"))
	if err != nil || len(files) < 23 {
		t.Fatalf("got %d vectors, %v, want at least 23", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var v vector
			if err := json.Unmarshal(text, &v); err != nil {
				t.Fatal(err)
			}
			e := &episode{T: t, vector: v, ledger: ledger.New(toy(v.Template), v.MaxContext), names: map[string]string{}}
			for i, o := range v.Operations {
				e.operate(i, o)
			}
			e.compareChains()
			for i, r := range v.Results {
				e.compareResult(i, r)
			}
		})
	}
}

// episode runs one vector.
type episode struct {
	*testing.T
	vector
	ledger *ledger.Ledger
	names  map[string]string // of chains, by their names in the file
}

func (e *episode) name(label string) string {
	if name, ok := e.names[label]; ok {
		return name
	}
	return label
}

func (e *episode) label(name string) string {
	for label, known := range e.names {
		if known == name {
			return label
		}
	}
	return name
}

func (e *episode) state() map[string]ledger.Row {
	out := map[string]ledger.Row{}
	for _, name := range e.ledger.Chains() {
		out[name], _ = e.ledger.Row(name)
	}
	return out
}

func (e *episode) operate(i int, o operation) {
	e.Helper()
	req, err := sdk.UnmarshalWire[sdk.GenerateRequest](o.Request)
	if err != nil {
		e.Fatal(err)
	}
	req.Chain = e.name(req.Chain)
	before := e.state()
	var call *ledger.Call
	if o.Observed != nil {
		call, err = e.ledger.Observe(req, idsOf(*o.Observed))
	} else {
		call, err = e.ledger.Extend(req)
	}
	if diff := gocmp.Diff(before, e.state()); diff != "" {
		e.Errorf("operation %d changed the ledger before it was sampled: %s", i, diff)
	}
	var failure *sdk.GenerateError
	switch {
	case o.Error != "":
		if !errors.As(err, &failure) || failure.Kind != kinds[o.Error] {
			e.Errorf("operation %d: got %v, want %s", i, err, o.Error)
		}
		return
	case err != nil:
		e.Fatalf("operation %d: %v", i, err)
	}
	if diff := gocmp.Diff(o.Prompt, textOf(call.Prompt())); diff != "" {
		e.Errorf("operation %d: prompt: %s", i, diff)
	}
	if call.Drift() != o.Drift {
		e.Errorf("operation %d: drift is %q, want %q", i, call.Drift(), o.Drift)
	}
	if !o.Failed {
		e.sample(i, o, call)
	}
}

func (e *episode) sample(i int, o operation, call *ledger.Call) {
	e.Helper()
	// A message has the format of a GenerateResponse's message.
	wrapped, err := sdk.UnmarshalWire[sdk.GenerateResponse]([]byte(`{"message":` + string(o.Sampled.Message) + `}`))
	if err != nil {
		e.Fatal(err)
	}
	ids := idsOf(o.Sampled.Text)
	got, err := call.Sampled(ledger.Sample{
		IDs: ids, Logprobs: o.Sampled.Logprobs, Versions: spans(o.Sampled.Versions), Finish: o.Sampled.Finish,
		Message: wrapped.Message,
	})
	if err != nil {
		e.Fatalf("operation %d: %v", i, err)
	}
	if _, known := e.names[o.Chain]; !known {
		e.names[o.Chain] = got.Chain
	}
	row, _ := e.ledger.Row(got.Chain)
	if diff := gocmp.Diff(o.Prompt+o.Sampled.Text, textOf(row.IDs)); diff != "" {
		e.Errorf("operation %d: the chain: %s", i, diff)
	}
	finish := o.Sampled.Finish
	if len(wrapped.Message.ToolCalls) > 0 {
		finish = sdk.FinishToolCalls
	}
	want := &sdk.GenerateResponse{
		Message: wrapped.Message, Finish: finish, PromptTokens: len(idsOf(o.Prompt)), OutputTokens: len(ids),
		Versions: spans(o.Sampled.Versions), Chain: e.names[o.Chain], ChainLength: o.Length, ChainDigest: row.Digest,
		Drift: o.Drift,
	}
	if o.Remaining != nil {
		want.RemainingTokens = *o.Remaining
	} else {
		want.RemainingTokens = got.RemainingTokens
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		e.Errorf("operation %d: %s", i, diff)
	}
}

func spans(runs [][2]int) (out []sdk.VersionSpan) {
	for _, run := range runs {
		out = append(out, sdk.VersionSpan{Version: int64(run[0]), Tokens: run[1]})
	}
	return out
}

// spread converts a segmented chain to lists with an entry for each id.
func spread(segments []segment) (out sdk.TokenRow) {
	out.PromptLength = -1
	for _, s := range segments {
		ids := idsOf(s.Text)
		turn, runs := int32(-1), []sdk.VersionSpan{{Version: -1, Tokens: len(ids)}}
		if s.Turn != nil {
			turn, runs = *s.Turn, spans(s.Versions)
			if out.PromptLength < 0 && len(ids) > 0 {
				out.PromptLength = len(out.IDs)
			}
		}
		for _, run := range runs {
			if last := len(out.Versions) - 1; last >= 0 && out.Versions[last].Version == run.Version {
				out.Versions[last].Tokens += run.Tokens
			} else {
				out.Versions = append(out.Versions, run)
			}
		}
		for i := range ids {
			logprob := float32(0)
			if s.Logprobs != nil {
				logprob = s.Logprobs[i]
			}
			out.LossMask, out.Logprobs, out.TurnIDs = append(out.LossMask, s.Logprobs != nil), append(out.Logprobs, logprob),
				append(out.TurnIDs, turn)
		}
		out.IDs = append(out.IDs, ids...)
	}
	return out
}

func (e *episode) compareChains() {
	e.Helper()
	var want []string
	for label, c := range e.Chains {
		want = append(want, e.name(label))
		row, ok := e.ledger.Row(e.name(label))
		if !ok {
			e.Errorf("unknown chain %s", label)
			continue
		}
		expected := spread(c.Segments)
		expected.Chain = e.name(label)
		if diff := gocmp.Diff(expected, row.TokenRow); diff != "" {
			e.Errorf("chain %s: %s", label, diff)
		}
		if row.Digest != c.Digest {
			e.Errorf("chain %s has digest %s, want %s", label, row.Digest, c.Digest)
		}
	}
	slices.Sort(want)
	if diff := gocmp.Diff(want, e.ledger.Chains()); diff != "" {
		e.Error(diff)
	}
}

func (e *episode) compareResult(i int, want result) {
	e.Helper()
	r, err := sdk.UnmarshalWire[sdk.EpisodeResult]([]byte(`{"attempt":` + string(want.Attempt) + `,"chains":` +
		string(want.Chains) + `}`))
	if err != nil {
		e.Fatal(err)
	}
	for c := range r.Chains {
		r.Chains[c].Chain = e.name(r.Chains[c].Chain)
	}
	rows, err := e.ledger.Rows(&r)
	if (err != nil) != want.Error || len(rows) != len(want.Rows) {
		e.Fatalf("result %d: got %d rows, %v, want %d, error: %t", i, len(rows), err, len(want.Rows), want.Error)
	}
	for k, row := range rows {
		w := want.Rows[k]
		if e.label(row.Chain) != w.Chain || row.PromptLength != w.PromptLength || row.Trained != w.Trained {
			e.Errorf("result %d, row %d: got %s with prompt %d and %d trained, want %+v", i, k, e.label(row.Chain),
				row.PromptLength, row.Trained, w)
		}
	}
	main, leftOut := ledger.Main(rows)
	got := ""
	if main != nil {
		got = e.label(main.Chain)
	}
	wanted := ""
	if want.Main != nil {
		wanted = *want.Main
	}
	if cmp.Or(got, "none") != cmp.Or(wanted, "none") || leftOut != want.LeftOut {
		e.Errorf("result %d: the main row is %q and leaves out %d, want %q and %d", i, got, leftOut, wanted, want.LeftOut)
	}
}
