package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk/client"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// A transcript consists of JSON lines: a header followed by each call with its response. It contains only reproducible
// responses: from environments that are deterministic for a given seed, and from rewards that do not call a model.

// transcriptHeader is the first line.
type transcriptHeader struct {
	Transcript int    `json:"transcript"` // version of the format: 1
	Plugin     string `json:"plugin"`
	Version    string `json:"version"`
}

const transcriptVersion = 1

// Call is a call to a component together with its response.
type Call struct {
	Component string          `json:"component"` // "reward.exact"
	Method    string          `json:"method"`    // "Score"; "Configure" starts a component in a new process
	Request   json.RawMessage `json:"request"`   // in protobuf's JSON mapping
	Response  json.RawMessage `json:"response,omitempty"`
	Status    string          `json:"status,omitempty"` // "NOT_FOUND: unknown episode"; empty: success
}

// Change is a call whose response has changed.
type Change struct {
	Line int // of the transcript
	Call Call
	Got  Call
}

// methods lists the methods that a transcript may contain.
var methods = map[string]struct {
	full     string
	request  func() proto.Message
	response func() proto.Message
	instance func(proto.Message) *string // the instance id in a request; nil: none
}{
	"ValidateConfig": {
		full:     awhostv1.PluginService_ValidateConfig_FullMethodName,
		request:  func() proto.Message { return &awhostv1.ValidateConfigRequest{} },
		response: func() proto.Message { return &awhostv1.ValidateConfigResponse{} },
	},
	"Open": {
		full:     awhostv1.EnvironmentService_Open_FullMethodName,
		request:  func() proto.Message { return &awhostv1.OpenRequest{} },
		response: func() proto.Message { return &awhostv1.OpenResponse{} },
	},
	"Step": {
		full:     awhostv1.EnvironmentService_Step_FullMethodName,
		request:  func() proto.Message { return &awhostv1.StepRequest{} },
		response: func() proto.Message { return &awhostv1.StepResponse{} },
		instance: func(m proto.Message) *string { return &m.(*awhostv1.StepRequest).InstanceId },
	},
	"Snapshot": {
		full:     awhostv1.EnvironmentService_Snapshot_FullMethodName,
		request:  func() proto.Message { return &awhostv1.SnapshotRequest{} },
		response: func() proto.Message { return &awhostv1.SnapshotResponse{} },
	},
	"Close": {
		full:     awhostv1.EnvironmentService_Close_FullMethodName,
		request:  func() proto.Message { return &awhostv1.CloseRequest{} },
		response: func() proto.Message { return &awhostv1.CloseResponse{} },
		instance: func(m proto.Message) *string { return &m.(*awhostv1.CloseRequest).InstanceId },
	},
	"Score": {
		full: awhostv1.RewardService_Score_FullMethodName, request: func() proto.Message { return &awhostv1.ScoreRequest{} },
		response: func() proto.Message { return &awhostv1.ScoreResponse{} },
	},
}

// recordedEpisodes is the maximum number of an environment's episodes in a transcript.
const recordedEpisodes = 8

// Record runs the fixtures, and calls that need no fixtures, and writes the calls with their responses. The strings
// explain what could not be recorded. If Config.Components is set, only these components are recorded.
func Record(ctx context.Context, c Config, w io.Writer) (left []string, err error) {
	err = c.open(ctx, func(s *suite) error {
		out := json.NewEncoder(w)
		if err := out.Encode(transcriptHeader{transcriptVersion, s.described.GetName(),
			s.described.GetVersion()}); err != nil {
			return err
		}
		for _, target := range s.components {
			why := recordable(target)
			if why != "" {
				left = append(left, target.address()+": "+why)
				continue
			}
			if err := s.record(ctx, target, out); err != nil {
				return fmt.Errorf("record %s: %w", target.address(), err)
			}
		}
		return nil
	})
	return left, err
}

// recordable returns the reason why a component cannot be recorded, or "" if it can.
func recordable(c *component) string {
	switch {
	case c.problem != nil:
		return fmt.Sprintf("no configuration is available: %v. Provide one in the fixtures", c.problem)
	case c.kind == "environment" && !c.has(NeedDeterminism):
		return "it does not declare the capability " + string(NeedDeterminism) + ": the next response may differ"
	case c.kind == "reward" && !c.has(NeedPurity):
		return "it calls a model: the next response may differ"
	case c.kind != "environment" && c.kind != "reward":
		return "transcripts support only environments and rewards"
	}
	return ""
}

// open creates a suite for a plugin whose description is available.
func (c Config) open(ctx context.Context, use func(*suite) error) error {
	s, err := newSuiteOf(&c)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.describe(ctx); err != nil {
		return fmt.Errorf("the plugin cannot be described: %w", err)
	}
	if err := s.fixtures.checkComponents(s.known); err != nil {
		return err
	}
	return use(s)
}

// recorder writes the calls that it makes.
type recorder struct {
	t   *T
	p   *client.Plugin
	out *json.Encoder
}

// record plays a component. The check helpers end a T with a panic, which is returned as an error here.
func (s *suite) record(ctx context.Context, target *component, out *json.Encoder) error {
	t := &T{suite: s, ctx: ctx, component: target}
	what, reason := t.play(&Check{run: func(t *T) {
		p := t.fresh()
		config := mustJSON(t, &awhostv1.ConfigureRequest{Kind: target.GetKind(), Type: target.GetType(),
			Config: &awhostv1.Value{Json: target.config}})
		t.need(out.Encode(Call{Component: target.address(), Method: "Configure", Request: config}), "write the transcript")
		r := &recorder{t: t, p: p, out: out}
		r.call("ValidateConfig", &awhostv1.ValidateConfigRequest{Kind: target.GetKind(), Type: target.GetType(),
			Config: &awhostv1.Value{Json: target.config}})
		for _, wrong := range target.fixture.Invalid {
			r.call("ValidateConfig", &awhostv1.ValidateConfigRequest{Kind: target.GetKind(), Type: target.GetType(),
				Config: &awhostv1.Value{Json: wrong.Config}})
		}
		if target.kind == "reward" {
			r.rewards()
		} else {
			r.episodes()
		}
	}})
	if what != Passed {
		return errors.New(reason)
	}
	return nil
}

func (r *recorder) rewards() {
	for _, i := range r.t.items() {
		r.call("Score", &awhostv1.ScoreRequest{Items: []*awhostv1.ScoreItem{i.ScoreItem}})
	}
	wrong := r.t.items()[0]
	for _, f := range forgedAnswers("something else") {
		i := proto.Clone(wrong.ScoreItem).(*awhostv1.ScoreItem)
		i.FinalAnswer = f.text
		i.Messages = []*awhostv1.Message{assistant(i.GetFinalAnswer())}
		r.call("Score", &awhostv1.ScoreRequest{Items: []*awhostv1.ScoreItem{i}})
	}
}

func (r *recorder) episodes() {
	seen := map[string]bool{}
	for n := range recordedEpisodes {
		e := &episode{t: r.t, p: r.p, id: fmt.Sprintf("conformance/recorded/%d", n)}
		e.fixture, e.scripted = r.t.playable(r.p, n)
		key := fmt.Sprint(e.fixture)
		if seen[key] {
			return // no more tasks
		}
		seen[key] = true
		opened := r.call("Open", e.request())
		if opened == nil {
			continue
		}
		e.opened = opened.(*awhostv1.OpenResponse)
		for e.steps < maxSteps {
			req := &awhostv1.StepRequest{EpisodeId: e.id, InstanceId: e.opened.GetInstanceId(), StepId: fmt.Sprint(e.steps + 1),
				Message: e.next()}
			e.steps++
			out := r.call("Step", req)
			if out == nil || out.(*awhostv1.StepResponse).GetDone() {
				break
			}
		}
		if r.t.component.has(NeedSnapshot) {
			r.call("Snapshot", &awhostv1.SnapshotRequest{EpisodeId: e.id})
		}
		r.call("Close", &awhostv1.CloseRequest{EpisodeId: e.id, InstanceId: e.opened.GetInstanceId(), Reason: "done"})
	}
}

// call makes a call and writes it. The response is nil if the call failed.
func (r *recorder) call(method string, req proto.Message) proto.Message {
	r.t.suite.config.calling(r.t.component.address(), method)
	made, response := invoke(r.t.call(), r.p, r.t.component.address(), method, req)
	if size := len(made.Request) + len(made.Response); size > maxLineBytes {
		r.t.fatalf("%s: request and response have %d MiB, but a line of a transcript is limited to %d: use smaller "+
			"fixtures", method, size>>20, maxLineBytes>>20)
	}
	r.t.need(r.out.Encode(made), "write the transcript")
	return response
}

func (c *Config) calling(component, method string) {
	if c.OnCall != nil {
		c.OnCall(component, method)
	}
}

// invoke makes a call. The response is nil if the call failed.
func invoke(ctx context.Context, p *client.Plugin, component, method string, req proto.Message) (Call, proto.Message) {
	out := methods[method].response()
	made := Call{Component: component, Method: method}
	made.Request, _ = canonical(req) // it was made from a message
	if err := p.Conn().Invoke(ctx, methods[method].full, req, out); err != nil {
		made.Status = name(status.Code(err)) + ": " + status.Convert(err).Message()
		return made, nil
	}
	made.Response, _ = canonical(out)
	return made, out
}

// canonical returns a message as JSON that is identical for equal messages. The spacing in protojson's output varies.
func canonical(m proto.Message) (json.RawMessage, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = json.Compact(&b, text)
	return b.Bytes(), err
}

func mustJSON(t *T, m proto.Message) json.RawMessage {
	text, err := canonical(m)
	t.need(err, "write a message as JSON")
	return text
}

// maxLineBytes limits the length of a line in a transcript.
const maxLineBytes = 128 << 20

// Replay repeats the calls in a transcript and returns the responses that have changed. checked is the number of calls
// made.
func Replay(ctx context.Context, c Config, transcript io.Reader) (changes []Change, checked int, err error) {
	lines := bufio.NewScanner(transcript)
	lines.Buffer(nil, maxLineBytes+1<<20) // plus names and braces
	if !lines.Scan() {
		if err := lines.Err(); err != nil {
			return nil, 0, fmt.Errorf("read the transcript: line 1: %w", err)
		}
		return nil, 0, errors.New("read the transcript: empty file: record another with --record")
	}
	if err := checkHeader(lines.Bytes()); err != nil {
		return nil, 0, fmt.Errorf("read the transcript: line 1: %w", err)
	}
	err = c.open(ctx, func(s *suite) error {
		r := &replayer{suite: s, instances: map[string]string{}}
		defer r.end()
		for n := 2; lines.Scan(); n++ {
			var call Call
			if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
				return fmt.Errorf("read the transcript: line %d: %w", n, err)
			}
			got, made, err := r.play(ctx, call)
			if err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
			if made {
				checked++
			}
			if made && !sameAnswer(call, got) {
				changes = append(changes, Change{Line: n, Call: call, Got: got})
			}
		}
		if err := lines.Err(); err != nil {
			return fmt.Errorf("read the transcript after %s: %w", plural(int64(checked), "call"), err)
		}
		return nil
	})
	return changes, checked, err
}

// checkHeader checks that a line is the header of a readable transcript.
func checkHeader(line []byte) error {
	var header transcriptHeader
	switch err := json.Unmarshal(line, &header); {
	case err != nil:
		return fmt.Errorf("not a transcript written by --record: %w", err)
	case header.Transcript == 0:
		return errors.New("not a transcript written by --record: no member \"transcript\"")
	case header.Transcript != transcriptVersion:
		return fmt.Errorf("unsupported transcript version %d: this awhost reads version %d: replay it with the "+
			"awhost that recorded it, or record another",
			header.Transcript, transcriptVersion)
	}
	return nil
}

// replayer runs the lines in a transcript.
type replayer struct {
	suite     *suite
	running   *client.Plugin
	instances map[string]string // the transcript's instance ids, with their current ids
}

func (r *replayer) end() {
	if r.running != nil {
		r.running.Kill()
	}
	r.running = nil
}

// play makes a call. For Configure it makes no call, but starts another component.
func (r *replayer) play(ctx context.Context, call Call) (got Call, made bool, err error) {
	if call.Method == "Configure" {
		return got, false, r.configure(ctx, call)
	}
	known, ok := methods[call.Method]
	if !ok || r.running == nil {
		return got, false, fmt.Errorf("unexpected %q in a transcript", call.Method)
	}
	req := known.request()
	if err := protojson.Unmarshal(call.Request, req); err != nil {
		return got, false, fmt.Errorf("the request of %s: %w", call.Method, err)
	}
	if known.instance != nil {
		instance := known.instance(req)
		if now, ok := r.instances[*instance]; ok {
			*instance = now
		}
	}
	ctx, cancel := context.WithTimeout(ctx, r.suite.config.CallTimeout)
	defer cancel()
	r.suite.config.calling(call.Component, call.Method)
	got, response := invoke(ctx, r.running, call.Component, call.Method, req)
	if opened, ok := response.(*awhostv1.OpenResponse); ok {
		var before awhostv1.OpenResponse
		if err := protojson.Unmarshal(call.Response, &before); err == nil {
			r.instances[before.GetInstanceId()] = opened.GetInstanceId()
			opened.InstanceId = before.GetInstanceId() // instance ids may change
			got.Response, _ = canonical(opened)
		}
	}
	return got, true, nil
}

func (r *replayer) configure(ctx context.Context, call Call) error {
	r.end()
	var req awhostv1.ConfigureRequest
	if err := protojson.Unmarshal(call.Request, &req); err != nil {
		return fmt.Errorf("the Configure request: %w", err)
	}
	for _, c := range r.suite.components {
		if c.address() != call.Component {
			continue
		}
		p, err := r.suite.start(ctx)
		if err != nil {
			return err
		}
		r.running = p
		recorded := *c
		recorded.config = req.GetConfig().GetJson()
		return r.suite.configure(ctx, p, &recorded)
	}
	return fmt.Errorf("the plugin no longer has the component %s", call.Component)
}

// sameAnswer reports whether a call has the same response as before. A failed call must fail again with the same
// status. Its text may change.
func sameAnswer(before, now Call) bool {
	code := func(c Call) string { name, _, _ := strings.Cut(c.Status, ":"); return name }
	if code(before) != code(now) {
		return false
	}
	if before.Status != "" {
		return true
	}
	var a, b any
	if json.Unmarshal(before.Response, &a) != nil || json.Unmarshal(now.Response, &b) != nil {
		return false
	}
	if before.Method == "Step" || before.Method == "Close" { // metrics may be durations
		for _, v := range []any{a, b} {
			if object, ok := v.(map[string]any); ok {
				delete(object, "metrics")
			}
		}
	}
	return reflect.DeepEqual(a, b)
}
