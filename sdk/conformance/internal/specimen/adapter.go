package specimen

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk/metric"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// lastingType is the type of adapter whose trainer outlasts it, because its state is kept in files.
const lastingType = "specimen_lasting"

// outlivesAdapter reports whether the trainer outlasts the adapter; isAsync reports whether it is asynchronous.
func (s *specimen) outlivesAdapter() bool {
	return s.configured.GetType() == lastingType || s.configured.GetType() == asyncLasting
}

func (s *specimen) isAsync() bool {
	return s.configured.GetType() == async || s.configured.GetType() == asyncLasting
}

// launch is a training run.
type launch struct {
	drain  bool
	over   bool
	cancel context.CancelCauseFunc
}

var errAborted = errors.New("aborted")

// trainerKnobs lists the knobs that the specimen uses.
type trainerKnobs struct {
	Set   []string `json:"set"`
	Steps int64    `json:"steps"`
	Batch struct {
		Prompts   int64 `json:"prompts"`
		GroupSize int64 `json:"group_size"`
	} `json:"batch"`
}

func adapterCapabilities(typ string) *awhostv1.AdapterCapabilities {
	out := &awhostv1.AdapterCapabilities{
		TokenCustody: "trainer", RowsPerEpisode: "one", Unscorable: "exact", GroupSemantics: true, GroupOfOne: "zero",
		Credit: []string{"episode"}, MaxContext: 1000, Smoke: true,
		Resume: true, StepBarrier: true, Serve: true, ExportFormats: []string{"hf"}, Recover: typ == lastingType ||
			typ == asyncLasting, Scale: []string{"process"}, RemoteCheckpoints: true,
	}
	if typ == async || typ == asyncLasting {
		out.Unscorable, out.Interruptible = "group_lost", true
	}
	return out
}

// Plan implements AdapterService.
func (s *specimen) Plan(_ context.Context, req *awhostv1.PlanRequest) (*awhostv1.PlanResponse, error) {
	if err := s.ready(); err != nil {
		return nil, err
	}
	var k trainerKnobs
	if len(req.GetStages()) > 0 {
		if err := json.Unmarshal(req.GetStages()[0].GetKnobs().GetJson(), &k); err != nil {
			return nil, status.Error(codes.InvalidArgument, err.Error())
		}
	}
	out := &awhostv1.PlanResponse{
		Capabilities: adapterCapabilities(s.configured.GetType()),
		Effective:    []*awhostv1.EffectiveKey{{Key: "optimizer", ValueJson: []byte(`"none"`), Origin: "default"}},
	}
	for _, path := range k.Set {
		m := &awhostv1.KnobMapping{Knob: path, Key: "specimen." + path}
		if path != "steps" && path != "batch.prompts" && path != "batch.group_size" && !s.breaks("ADP-PLAN-03") &&
			!s.breaks("ADP-PLAN-07") {
			m.Key, m.Refused = "", "a counter does not support this"
		}
		out.Knobs = append(out.Knobs, m)
	}
	switch s.mutant {
	case "ADP-PLAN-01":
		return out, os.WriteFile(filepath.Join(req.GetRunDir(), "plan.yaml"), nil, 0o600)
	case "ADP-PLAN-01/directory":
		return out, os.WriteFile(filepath.Join(s.configured.GetDirectory(), "plan.yaml"), nil, 0o600)
	case "ADP-PLAN-02":
		out.Knobs[0].Key = ""
	case "ADP-PLAN-04":
		out.Effective[0].ValueJson = []byte("none")
	case "ADP-PLAN-05":
		out.Capabilities.Evaluate = true
	case "ADP-PLAN-05/list":
		out.Capabilities.Modalities = []string{"image"}
	case "ADP-PLAN-07":
		out.Diagnostics = []*awhostv1.Diagnostic{{Severity: awhostv1.Diagnostic_SEVERITY_ERROR, Summary: "No framework",
			Detail: "Install it."}}
	case "ADP-PLAN-06":
		out.Requirements = []*awhostv1.Requirement{{Kind: "gpu", Detail: "1 GPU", Met: true}}
	case "ADP-EPISODE-04/waits":
		out.Capabilities.GroupOfOne = "raw" // and asks for one sample at a time
	case "ADP-PLAN-05/rows":
		out.Capabilities.RowsPerEpisode = "many"
	}
	return out, nil
}

// Train implements AdapterService.
func (s *specimen) Train(req *awhostv1.TrainRequest, stream awhostv1.AdapterService_TrainServer) error {
	s.mu.Lock()
	known, loaded := s.launches[req.GetLaunchId()] != nil, s.loaded
	s.mu.Unlock()
	if loaded && !s.breaks("ADP-SERVE-03") {
		return status.Error(codes.FailedPrecondition, "it serves")
	}
	if known && !s.breaks("ADP-TRAIN-06") {
		return status.Error(codes.AlreadyExists, "trained already")
	}
	if s.outlivesAdapter() {
		if err := errors.Join(os.WriteFile(s.statePath(), []byte(protojson.Format(req)), 0o600),
			os.WriteFile(s.eventsPath(), nil, 0o600)); err != nil {
			return err
		}
	}
	return s.train(stream.Context(), req, nil, func(e *awhostv1.TrainEvent) error { return stream.Send(&awhostv1.TrainResponse{Event: e}) })
}

func (s *specimen) statePath() string {
	return filepath.Join(s.configured.GetDirectory(), "launch.json")
}

// Recover implements AdapterService. The work that the trainer would have done since the break is done now, which looks
// the same from the outside.
func (s *specimen) Recover(req *awhostv1.RecoverRequest, stream awhostv1.AdapterService_RecoverServer) error {
	if s.breaks("ADP-RECOVER-01") {
		return status.Error(codes.Internal, "no such launch")
	}
	if !s.outlivesAdapter() {
		return status.Error(codes.Unimplemented, "the trainer ends with the adapter")
	}
	var launched awhostv1.TrainRequest
	text, err := os.ReadFile(s.statePath())
	if err == nil {
		err = protojson.Unmarshal(text, &launched)
	}
	if err != nil || launched.GetLaunchId() != req.GetLaunchId() {
		return status.Error(codes.NotFound, "no such trainer")
	}
	return s.train(stream.Context(), &launched, req, func(e *awhostv1.TrainEvent) error {
		if s.breaks("ADP-RECOVER-02") && e.GetConsumed() != nil {
			e.GetConsumed().Step = 1
		}
		return stream.Send(&awhostv1.RecoverResponse{Event: e})
	})
}

// train trains a stage. A recovered launch sends the events that follow a given seq.
func (s *specimen) train(ctx context.Context, req *awhostv1.TrainRequest, recovered *awhostv1.RecoverRequest,
	send func(*awhostv1.TrainEvent) error) error {
	var k trainerKnobs
	if err := json.Unmarshal(req.GetKnobs().GetJson(), &k); err != nil {
		return status.Error(codes.InvalidArgument, err.Error())
	}
	if s.breaks("ADP-CHAOS-01") {
		lock := filepath.Join(s.configured.GetDirectory(), "lock")
		if _, err := os.Stat(lock); err == nil {
			return status.Error(codes.FailedPrecondition, "another process is training")
		}
		if err := os.WriteFile(lock, nil, 0o600); err != nil {
			return err
		}
		defer os.Remove(lock)
	}
	conn, err := s.dialHost()
	if err != nil {
		return err
	}
	defer conn.Close()
	if s.breaks("ADP-TRAIN-10") {
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l := &launch{cancel: cancel}
	s.mu.Lock()
	s.launches[req.GetLaunchId()] = l
	s.training++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.training--
		l.over = true
		s.mu.Unlock()
	}()
	if s.breaks(WithTrainer) {
		end, err := startTrainer()
		if err != nil {
			return err
		}
		defer end()
	}
	if from := req.GetFromCheckpoint(); from != "" {
		if _, err := os.Stat(from + remoteSuffix); err != nil {
			return status.Error(codes.Unknown, "read the checkpoint: "+err.Error())
		}
	}
	run := &run{specimen: s, rewards: map[string][]float64{}, launch: l, request: req, knobs: k,
		host: awhostv1.NewHostServiceClient(conn), recovered: recovered != nil, after: recovered.GetAfterSeq(), send: send}
	if s.breaks("ADP-TRAIN-02") {
		run.seq++
	}
	steps := run.steps
	if s.isAsync() {
		steps = run.stepsAhead
	}
	outcome, reason, step, err := steps(ctx)
	if context.Cause(ctx) == errAborted {
		outcome, reason, err = awhostv1.FinishedEvent_OUTCOME_FAILED, "aborted", nil
	}
	if err != nil {
		return err
	}
	if s.breaks("ADP-TRAIN-01") {
		step = 0
	}
	err = run.emit(&awhostv1.TrainEvent{Event: &awhostv1.TrainEvent_Finished{Finished: &awhostv1.FinishedEvent{Outcome: outcome, Reason: reason, Step: step}}})
	if err == nil && s.outlivesAdapter() {
		err = os.Remove(s.statePath()) // the trainer has ended
	}
	return err
}

// WithTrainer is a specimen whose adapters have a trainer, which is a process in a separate session, and do not violate
// any rule. It writes its trainers' PIDs, one per line, to the file Trainers in its working directory.
const (
	WithTrainer = "trainer"
	Trainers    = "trainers"
)

// run is a stage that is being trained.
type run struct {
	*specimen
	launch  *launch
	request *awhostv1.TrainRequest
	knobs   trainerKnobs
	host    awhostv1.HostServiceClient
	seq     uint64
	send    func(*awhostv1.TrainEvent) error

	rewards map[string][]float64 // of a mutant that trains groups of one, by group

	finishCheckpoint func() error // writes the rest of a mutant's checkpoint; nil: complete

	recovered bool
	after     uint64 // the seq of the host's last event
}

// emit numbers and sends events.
func (r *run) emit(events ...*awhostv1.TrainEvent) error {
	for i, e := range events {
		e.Seq = r.seq + uint64(i) + 1
	}
	if r.outlivesAdapter() && r.isAsync() {
		if err := r.record(events); err != nil {
			return err
		}
	}
	for _, e := range events {
		if err := r.report(e); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) report(e *awhostv1.TrainEvent) error {
	r.seq = e.GetSeq()
	if r.seq <= r.after {
		return nil
	}
	return r.send(e)
}

func (r *run) steps(ctx context.Context) (outcome awhostv1.FinishedEvent_Outcome, reason string, last int64,
	err error) {
	first := r.request.GetFirstStep()
	if r.breaks("ADP-RESUME-01") {
		first = 1
	}
	last = first - 1
	for step := first; step <= r.knobs.Steps; step++ {
		if err := r.step(ctx, step); err != nil {
			return 0, "", last, err
		}
		last = step
		answer, err := r.host.StepBoundary(ctx, &awhostv1.StepBoundaryRequest{LaunchId: r.request.GetLaunchId(),
			Stage: r.request.GetStage(), Step: step, AfterSeq: r.seq})
		if err == nil && r.finishCheckpoint != nil {
			err = r.finishCheckpoint()
		}
		if err != nil {
			return 0, "", last, err
		}
		r.mu.Lock()
		drained := r.launch.drain
		r.mu.Unlock()
		if answer.GetDirective() == awhostv1.StepBoundaryResponse_DIRECTIVE_STOP && !r.breaks("ADP-TRAIN-07") || drained &&
			!r.breaks("ADP-TRAIN-08") {
			return awhostv1.FinishedEvent_OUTCOME_STOPPED, answer.GetReason(), last, nil
		}
	}
	return awhostv1.FinishedEvent_OUTCOME_COMPLETED, "", last, nil
}

// launchNumber returns a number that is derived from a name and differs for each launch.
func launchNumber(name string) *int64 {
	sum := fnv.New32a()
	sum.Write([]byte(name))
	number := int64(sum.Sum32())
	return &number
}

func (r *run) step(ctx context.Context, step int64) error {
	consumed := &awhostv1.ConsumedEvent{Step: step, VersionAfter: step}
	r.mu.Lock()
	if !r.breaks("ADP-GEN-05") {
		r.version = step - 1
	}
	r.mu.Unlock()
	for group := range r.knobs.Batch.Prompts {
		for sample := range r.knobs.Batch.GroupSize {
			req := &awhostv1.RunEpisodeRequest{
				EpisodeId: fmt.Sprintf("%s/%d/%d/%d", r.request.GetLaunchId(), step, group, sample),
				GroupId:   fmt.Sprintf("%s/%d/%d", r.request.GetLaunchId(), step, group),
				GroupSize: r.knobs.Batch.GroupSize, SampleIndex: &sample,
				Source: &awhostv1.RunEpisodeRequest_DatasetIndex{DatasetIndex: group},
				Stage:  r.request.GetStage(), Split: awhostv1.Split_SPLIT_TRAIN, Step: &step, PolicyVersion: step - 1,
			}
			if r.breaks("ADP-EPISODE-01") {
				req.Stage = ""
			}
			if r.breaks("ADP-EPISODE-03") {
				req.GroupIndex = launchNumber(req.GetGroupId())
			}
			if r.breaks("ADP-EPISODE-03/samples") {
				req.GroupIndex = &sample
			}
			use, err := r.episode(ctx, req)
			if err != nil {
				return err
			}
			consumed.Episodes = append(consumed.Episodes, &awhostv1.ConsumedEpisode{EpisodeId: req.GetEpisodeId(), Use: use})
		}
	}
	if r.breaks("ADP-TRAIN-03") {
		consumed.Episodes = append(consumed.Episodes, consumed.GetEpisodes()[0])
	}
	loss := 1 / float64(step)
	if r.breaks("ADP-TRAIN-04") {
		loss = math.NaN()
	}
	if err := r.emit(&awhostv1.TrainEvent{Event: &awhostv1.TrainEvent_Metrics{Metrics: &awhostv1.MetricsEvent{Step: step,
		Values: map[string]float64{metric.Loss: loss}}}}); err != nil {
		return err
	}
	if err := r.emit(&awhostv1.TrainEvent{Event: &awhostv1.TrainEvent_Tokens{Tokens: r.tokens(consumed)}},
		&awhostv1.TrainEvent{Event: &awhostv1.TrainEvent_Consumed{Consumed: consumed}}); err != nil {
		return err
	}
	checkpoint, err := r.save(step)
	if err != nil {
		return err
	}
	return r.emit(&awhostv1.TrainEvent{Event: &awhostv1.TrainEvent_Checkpoint{Checkpoint: checkpoint}})
}

// tokens returns the rows of a step. Each message of the policy consists of two tokens.
func (r *run) tokens(consumed *awhostv1.ConsumedEvent) *awhostv1.TokensEvent {
	out := &awhostv1.TokensEvent{Step: consumed.GetStep()}
	for _, e := range consumed.GetEpisodes() {
		row := &awhostv1.TokensRow{EpisodeId: e.GetEpisodeId()}
		trainer, trains := float32(-consumed.GetStep()), e.GetUse() == awhostv1.ConsumedEpisode_USE_TRAINED
		sampler := trainer
		if r.breaks("ADP-WEIGHTS-01") {
			sampler = -1
		}
		for range r.messages(e.GetEpisodeId()) {
			row.Ids, row.Texts = append(row.Ids, 0, 1, 2), append(row.Texts, "Go on.", "in", "deed")
			row.SamplerLogprobs = append(row.SamplerLogprobs, 0, sampler, sampler)
			row.TrainerLogprobs = append(row.TrainerLogprobs, 0, trainer, trainer)
			switch {
			case r.breaks("ADP-MASK-01"):
				row.Trained = append(row.Trained, trains, trains, false)
			case r.breaks("ADP-MASK-01/later"):
				row.Trained = append(row.Trained, len(row.GetTrained()) > 0 && trains, false, trains)
			default:
				row.Trained = append(row.Trained, r.breaks("ADP-MASK-01/prompt") && trains, trains, trains)
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// messages returns the number of messages that the policy wrote in an episode.
func (s *specimen) messages(episode string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.generated {
		if strings.HasPrefix(key, episode+" ") {
			n++
		}
	}
	return n
}

// episode requests one episode. The mutant for ADP-TRAIN-10 never stops asking.
func (r *run) episode(ctx context.Context, req *awhostv1.RunEpisodeRequest) (awhostv1.ConsumedEpisode_Use, error) {
	for n := 0; ; n++ {
		use, err := r.requestEpisode(ctx, req)
		if err == nil || !r.breaks("ADP-TRAIN-10") || status.Code(err) != codes.FailedPrecondition {
			return use, err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (r *run) requestEpisode(ctx context.Context,
	req *awhostv1.RunEpisodeRequest) (awhostv1.ConsumedEpisode_Use, error) {
	stream, err := r.host.RunEpisode(ctx, req)
	if err != nil {
		return 0, err
	}
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
		result := m.GetResult()
		if result.GetReward() != 0 && r.breaks("ADP-EPISODE-04") {
			r.mu.Lock()
			r.rewards[req.GetGroupId()] = append(r.rewards[req.GetGroupId()], result.GetReward())
			r.mu.Unlock()
		}
		switch {
		case result == nil:
			continue
		case result.Reward == nil && !r.breaks("ADP-EPISODE-02"),
			result.GetMasked() && result.Reward != nil && !r.breaks("ADP-EPISODE-02/masked"):
			return awhostv1.ConsumedEpisode_USE_MASKED, nil
		}
		return awhostv1.ConsumedEpisode_USE_TRAINED, nil
	}
}

// loneRewards returns a mutant's signal: the rewards of samples that are alone in their groups.
func (r *run) loneRewards() (sum float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rewards := range r.rewards {
		if len(rewards) == 1 {
			sum += rewards[0]
		}
	}
	return sum
}

func (r *run) save(step int64) (*awhostv1.CheckpointEvent, error) {
	path := filepath.Join(r.request.GetCheckpointDir(), fmt.Sprintf("step-%d", step))
	text := fmt.Appendf(nil, "step %d, %g", step, r.loneRewards())
	if r.breaks("ADP-RESUME-02") && r.request.GetCarryOptimizer() {
		text = append(text, " without momentum"...)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	weights := filepath.Join(path, "weights")
	if err := os.WriteFile(path+remoteSuffix, nil, 0o600); err != nil {
		return nil, err
	}
	if r.breaks("ADP-TRAIN-05/early") { // the rest is written after the boundary
		r.finishCheckpoint = func() error { return os.WriteFile(weights, text, 0o600) }
		return checkpoint(step, path, text), os.WriteFile(weights, nil, 0o600)
	}
	if err := os.WriteFile(weights, text, 0o600); err != nil {
		return nil, err
	}
	if r.breaks("ADP-TRAIN-05") {
		path += "-soon"
	}
	return checkpoint(step, path, text), nil
}

func checkpoint(step int64, path string, text []byte) *awhostv1.CheckpointEvent {
	return &awhostv1.CheckpointEvent{Step: step, Path: path, Digest: fmt.Sprintf("sha256:%x", sha256.Sum256(text))}
}

// Control implements AdapterService.
func (s *specimen) Control(_ context.Context, req *awhostv1.ControlRequest) (*awhostv1.ControlResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.launches[req.GetLaunchId()]
	switch {
	case l == nil && s.breaks("ADP-CONTROL-01"):
		return nil, status.Error(codes.Unknown, "no trainer is running")
	case l == nil, l.over && !s.breaks("ADP-CONTROL-01/over"):
		return nil, status.Error(codes.NotFound, "no trainer is running")
	}
	switch req.GetAction() {
	case awhostv1.ControlRequest_ACTION_DRAIN:
		l.drain = true
	case awhostv1.ControlRequest_ACTION_ABORT:
		if !s.breaks("ADP-TRAIN-09") {
			l.cancel(errAborted)
		}
	}
	return &awhostv1.ControlResponse{}, nil
}

// contextChars limits the number of characters in a message.
const contextChars = 100_000

// Generate implements AdapterService. It counts chains, and the policy responds with one word.
func (s *specimen) Generate(ctx context.Context, req *awhostv1.GenerateRequest) (*awhostv1.GenerateResponse, error) {
	s.mu.Lock()
	trains := s.isAsync() && !s.loaded
	s.mu.Unlock()
	if trains {
		if err := s.admit(ctx, req); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.training == 0 && !s.loaded {
		return nil, status.Error(codes.FailedPrecondition, "no policy is loaded")
	}
	key := keyOf(req)
	if known := s.generated[key]; known != nil && !s.breaks("ADP-GEN-01") {
		return known, nil
	}
	for _, m := range req.GetMessages() {
		if len(text(m)) > contextChars {
			if s.breaks("ADP-GEN-04") {
				return nil, refused(awhostv1.GenerateError_KIND_ENGINE, "out of memory")
			}
			return nil, refused(awhostv1.GenerateError_KIND_CONTEXT_FULL, "the context is full")
		}
	}
	chain, drift := req.GetChain(), awhostv1.Drift_DRIFT_CLEAN
	length := req.GetBase() + int64(len(req.GetMessages())) + 1
	if chain == "" || s.chains[chain] != req.GetBase() {
		if chain != "" && !s.breaks("ADP-GEN-03") {
			drift = awhostv1.Drift_DRIFT_FORK
		}
		s.calls++
		chain, length = fmt.Sprintf("chain-%d", s.calls), int64(len(req.GetMessages()))+1
	}
	if s.breaks("ADP-GEN-02") {
		length++
	}
	s.chains[chain] = length
	out := &awhostv1.GenerateResponse{
		Message: content(awhostv1.Role_ROLE_ASSISTANT, "indeed"), FinishReason: awhostv1.FinishReason_FINISH_REASON_STOP,
		Chain: chain, ChainLength: length,
		ChainDigest: fmt.Sprint(chain, length), Drift: drift,
		Usage: &awhostv1.Usage{PromptTokens: length/2*3 - 2, OutputTokens: 2},
	}
	if !s.isAsync() {
		out.Versions = []*awhostv1.VersionSpan{{Version: s.version, Tokens: 2}}
	}
	s.generated[key] = out
	return out, nil
}

func keyOf(req *awhostv1.GenerateRequest) string { return req.GetEpisodeId() + " " + req.GetCallId() }

// refused returns the error for a call that sampled nothing.
func refused(kind awhostv1.GenerateError_Kind, text string) error {
	st, err := status.New(codes.Aborted, text).WithDetails(&awhostv1.GenerateError{Kind: kind, Detail: text})
	if err != nil {
		return err
	}
	return st.Err()
}

// Load implements AdapterService.
func (s *specimen) Load(_ context.Context, req *awhostv1.LoadRequest) (*awhostv1.LoadResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if dir := req.GetCheckpoint(); dir != "" {
		if _, err := os.Stat(filepath.Join(dir, "weights")); err != nil {
			s.loaded = s.loaded && !s.breaks("ADP-SERVE-02")
			return nil, status.Error(codes.Unknown, "read the checkpoint: "+err.Error())
		}
	}
	s.loaded = true
	return &awhostv1.LoadResponse{Policy: "a counter"}, nil
}

// Release implements AdapterService.
func (s *specimen) Release(_ context.Context, req *awhostv1.ReleaseRequest) (*awhostv1.ReleaseResponse, error) {
	if s.breaks("ADP-SERVE-01") {
		return nil, status.Error(codes.NotFound, "unknown episode "+req.GetEpisodeId())
	}
	return &awhostv1.ReleaseResponse{}, nil
}

// Export implements AdapterService.
func (s *specimen) Export(_ context.Context, req *awhostv1.ExportRequest) (*awhostv1.ExportResponse, error) {
	if req.GetFormat() != "hf" {
		if s.breaks("ADP-EXPORT-02") {
			return nil, forgotten(req.GetTarget())
		}
		return nil, status.Error(codes.Unknown, "unknown export format")
	}
	text, err := os.ReadFile(filepath.Join(req.GetCheckpoint(), "weights"))
	if err != nil {
		return nil, status.Error(codes.Unknown, "read the checkpoint: "+err.Error())
	}
	if _, err := os.Stat(req.GetTarget()); err == nil && !s.breaks("ADP-EXPORT-01") {
		return nil, status.Error(codes.AlreadyExists, "the target exists")
	}
	if err := os.MkdirAll(req.GetTarget(), 0o700); err != nil {
		return nil, err
	}
	if s.breaks("ADP-EXPORT-01/nothing") {
		return &awhostv1.ExportResponse{}, nil
	}
	if err := os.WriteFile(filepath.Join(req.GetTarget(), "weights"), text, 0o600); err != nil {
		return nil, err
	}
	return &awhostv1.ExportResponse{Files: []*awhostv1.ExportedFile{{Name: "weights", Bytes: int64(len(text))}}}, nil
}

// remoteSuffix is the suffix of the file with a checkpoint's remote data.
const remoteSuffix = ".remote"

// DeleteCheckpoint implements AdapterService.
func (s *specimen) DeleteCheckpoint(_ context.Context,
	req *awhostv1.DeleteCheckpointRequest) (*awhostv1.DeleteCheckpointResponse, error) {
	dir := req.GetCheckpoint()
	data := []string{dir + remoteSuffix}
	switch s.mutant {
	case "ADP-REMOTE-01/others":
		data, _ = filepath.Glob(filepath.Join(filepath.Dir(dir), "*"+remoteSuffix))
	case "ADP-REMOTE-01/directory":
		data = append(data, filepath.Join(dir, "weights"))
	}
	for _, file := range data {
		err := os.Remove(file)
		if errors.Is(err, os.ErrNotExist) && !s.breaks("ADP-REMOTE-01") {
			err = nil
		}
		if err != nil {
			return nil, status.Error(codes.Unknown, err.Error())
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "weights")); err != nil && s.breaks("ADP-REMOTE-01/incomplete") {
		return nil, status.Error(codes.Unknown, err.Error())
	}
	return &awhostv1.DeleteCheckpointResponse{}, nil
}

// adapterState is the adapter's state.
type adapterState struct {
	launches  map[string]*launch
	training  int // launches in training
	loaded    bool
	version   int64            // of the policy
	chains    map[string]int64 // lengths
	generated map[string]*awhostv1.GenerateResponse
	opened    map[string]*open // of an asynchronous trainer, by episode
	learning  bool             // new weights are being loaded
}

func newAdapterState() adapterState {
	return adapterState{
		launches: map[string]*launch{}, chains: map[string]int64{}, generated: map[string]*awhostv1.GenerateResponse{},
		opened: map[string]*open{},
	}
}

// adapterComponents describes the adapters.
func adapterComponents(schema *awhostv1.Schema) []*awhostv1.Component {
	made := func(typ string) *awhostv1.Component {
		return &awhostv1.Component{
			Kind: awhostv1.ComponentKind_COMPONENT_KIND_ADAPTER, Type: typ, Description: "Implements the protocol " +
				"without training.",
			Schema:       proto.Clone(schema).(*awhostv1.Schema),
			Capabilities: &awhostv1.Component_Adapter{Adapter: adapterCapabilities(typ)},
		}
	}
	return []*awhostv1.Component{made("specimen"), made(lastingType), made(async), made(asyncLasting)}
}

// forgotten fails after creating the directory.
func forgotten(target string) error {
	if err := os.MkdirAll(target, 0o700); err != nil {
		return err
	}
	return status.Error(codes.Unknown, "unknown export format")
}
