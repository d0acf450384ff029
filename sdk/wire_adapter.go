package sdk

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

func knobsToWire(k Knobs) (*awhostv1.Knobs, error) {
	b, err := json.Marshal(k)
	if err != nil {
		return nil, fmt.Errorf("encode training knobs: %w", err)
	}
	return &awhostv1.Knobs{Json: b}, nil
}

// knobsFromWire rejects a knob that is unknown to this SDK, because ignoring it would change what is trained.
func knobsFromWire(k *awhostv1.Knobs) (Knobs, error) {
	var out Knobs
	if err := DecodeConfig(k.GetJson(), &out); err != nil {
		return out, fmt.Errorf("training knobs: %w (is the plugin older than the host? rebuild it with the host's SDK)", err)
	}
	return out, nil
}

func planRequestToWire(r PlanRequest) (*awhostv1.PlanRequest, error) {
	out := &awhostv1.PlanRequest{
		ConfigJson: r.Config, PolicyJson: r.Policy, GroupReward: r.GroupReward, RunDir: r.RunDir, Smoke: r.Smoke,
		Elsewhere: r.Elsewhere,
		Agent: &awhostv1.AgentSummary{
			Type: r.Agent.Type, MaxTurns: int64(r.Agent.MaxTurns), HasTools: r.Agent.HasTools, Members: int64(r.Agent.Members),
			ChatTemplateKwargsJson: r.Agent.ChatTemplateKwargs, DecodingConstraints: r.Agent.DecodingConstraints,
		},
		Data: &awhostv1.DataSummary{TrainTasks: int64(r.Data.TrainTasks), ValidationTasks: int64(r.Data.ValidationTasks)},
	}
	for _, stage := range r.Stages {
		knobs, err := knobsToWire(stage.Knobs)
		if err != nil {
			return nil, err
		}
		out.Stages = append(out.Stages, &awhostv1.StagePlan{
			Name: stage.Name, Knobs: knobs,
			Data: &awhostv1.DataSummary{TrainTasks: int64(stage.Data.TrainTasks),
				ValidationTasks: int64(stage.Data.ValidationTasks)},
		})
	}
	for _, class := range sortedClasses(r.Actions) {
		out.OnFailure = append(out.OnFailure, &awhostv1.FailurePreference{
			Class:   failureClasses.toWire[class],
			Actions: mapSlice(r.Actions[class], func(a FailureAction) string { return string(a) }),
		})
	}
	return out, nil
}

func sortedClasses(m map[FailureClass][]FailureAction) []FailureClass {
	byName := make(map[string]bool, len(m))
	for class := range m {
		byName[string(class)] = true
	}
	return mapSlice(slices.Sorted(maps.Keys(byName)), func(name string) FailureClass { return FailureClass(name) })
}

func planRequestFromWire(r *awhostv1.PlanRequest) (PlanRequest, error) {
	out := PlanRequest{
		Config: r.GetConfigJson(), Policy: r.GetPolicyJson(), GroupReward: r.GetGroupReward(), RunDir: r.GetRunDir(),
		Smoke: r.GetSmoke(), Elsewhere: r.GetElsewhere(),
		Agent: AgentSummary{
			Type: r.GetAgent().GetType(), MaxTurns: int(r.GetAgent().GetMaxTurns()),
			HasTools: r.GetAgent().GetHasTools(), Members: int(r.GetAgent().GetMembers()),
			ChatTemplateKwargs:  r.GetAgent().GetChatTemplateKwargsJson(),
			DecodingConstraints: r.GetAgent().GetDecodingConstraints(),
		},
		Data: DataSummary{TrainTasks: int(r.GetData().GetTrainTasks()),
			ValidationTasks: int(r.GetData().GetValidationTasks())},
	}
	for _, stage := range r.GetStages() {
		knobs, err := knobsFromWire(stage.GetKnobs())
		if err != nil {
			return out, err
		}
		out.Stages = append(out.Stages, StagePlan{
			Name: stage.GetName(), Knobs: knobs,
			Data: DataSummary{TrainTasks: int(stage.GetData().GetTrainTasks()),
				ValidationTasks: int(stage.GetData().GetValidationTasks())},
		})
	}
	for _, p := range r.GetOnFailure() {
		if out.Actions == nil {
			out.Actions = map[FailureClass][]FailureAction{}
		}
		out.Actions[failureClasses.toGo[p.GetClass()]] = mapSlice(p.GetActions(),
			func(a string) FailureAction { return FailureAction(a) })
	}
	return out, nil
}

func planResponseToWire(r *PlanResponse) *awhostv1.PlanResponse {
	return &awhostv1.PlanResponse{
		Files: mapSlice(r.Files, func(f PlannedFile) *awhostv1.PlannedFile {
			return &awhostv1.PlannedFile{Path: f.Path, Content: f.Content}
		}),
		Commands: mapSlice(r.Commands, func(c PlannedCommand) *awhostv1.PlannedCommand {
			return &awhostv1.PlannedCommand{Argv: c.Argv, Env: c.Env}
		}),
		Effective: mapSlice(r.Effective, func(e EffectiveKey) *awhostv1.EffectiveKey {
			return &awhostv1.EffectiveKey{Key: e.Key, ValueJson: e.ValueJSON, Origin: e.Origin}
		}),
		Knobs: mapSlice(r.Knobs, func(k KnobMapping) *awhostv1.KnobMapping {
			return &awhostv1.KnobMapping{Knob: k.Knob, Key: k.Key, Refused: k.Refused}
		}),
		Requirements: mapSlice(r.Requirements, func(q Requirement) *awhostv1.Requirement {
			return &awhostv1.Requirement{Kind: q.Kind, Detail: q.Detail, Met: q.Met}
		}),
		Diagnostics: diagnosticsToWire(r.Diagnostics), Capabilities: adapterCapabilitiesToWire(r.Capabilities),
		Notes: r.Notes,
	}
}

func planResponseFromWire(r *awhostv1.PlanResponse) *PlanResponse {
	return &PlanResponse{
		Files: mapSlice(r.GetFiles(), func(f *awhostv1.PlannedFile) PlannedFile {
			return PlannedFile{Path: f.GetPath(), Content: f.GetContent()}
		}),
		Commands: mapSlice(r.GetCommands(), func(c *awhostv1.PlannedCommand) PlannedCommand {
			return PlannedCommand{Argv: c.GetArgv(), Env: c.GetEnv()}
		}),
		Effective: mapSlice(r.GetEffective(), func(e *awhostv1.EffectiveKey) EffectiveKey {
			return EffectiveKey{Key: e.GetKey(), ValueJSON: e.GetValueJson(), Origin: e.GetOrigin()}
		}),
		Knobs: mapSlice(r.GetKnobs(), func(k *awhostv1.KnobMapping) KnobMapping {
			return KnobMapping{Knob: k.GetKnob(), Key: k.GetKey(), Refused: k.GetRefused()}
		}),
		Requirements: mapSlice(r.GetRequirements(), func(q *awhostv1.Requirement) Requirement {
			return Requirement{Kind: q.GetKind(), Detail: q.GetDetail(), Met: q.GetMet()}
		}),
		Diagnostics: diagnosticsFromWire(r.GetDiagnostics()), Capabilities: adapterCapabilitiesFromWire(r.GetCapabilities()),
		Notes: r.GetNotes(),
	}
}

func trainRequestToWire(r TrainRequest) (*awhostv1.TrainRequest, error) {
	knobs, err := knobsToWire(r.Knobs)
	if err != nil {
		return nil, err
	}
	return &awhostv1.TrainRequest{
		LaunchId: r.LaunchID, Stage: r.Stage, StageIndex: int64(r.StageIndex), ConfigJson: r.Config, Knobs: knobs,
		FirstStep: int64(r.FirstStep), FromCheckpoint: r.FromCheckpoint, CheckpointDir: r.CheckpointDir,
		CarryOptimizer: r.CarryOptimizer, Incarnation: int64(r.Incarnation), StepsDone: int64(r.StepsDone),
		Resumed: r.Resumed, PolicyJson: r.Policy, Smoke: r.Smoke,
		Data: &awhostv1.DataSummary{TrainTasks: int64(r.TrainTasks), ValidationTasks: int64(r.ValidationTasks)},
	}, nil
}

func trainRequestFromWire(r *awhostv1.TrainRequest) (TrainRequest, error) {
	knobs, err := knobsFromWire(r.GetKnobs())
	return TrainRequest{
		LaunchID: r.GetLaunchId(), Stage: r.GetStage(), StageIndex: int(r.GetStageIndex()), Config: r.GetConfigJson(),
		Knobs:     knobs,
		FirstStep: int(r.GetFirstStep()), FromCheckpoint: r.GetFromCheckpoint(), CheckpointDir: r.GetCheckpointDir(),
		CarryOptimizer: r.GetCarryOptimizer(), Incarnation: int(r.GetIncarnation()), StepsDone: int(r.GetStepsDone()),
		Resumed: r.GetResumed(), Policy: r.GetPolicyJson(), Smoke: r.GetSmoke(),
		TrainTasks: int(r.GetData().GetTrainTasks()), ValidationTasks: int(r.GetData().GetValidationTasks()),
	}, err
}

func trainEventToWire(e TrainEvent) (*awhostv1.TrainEvent, error) {
	out := &awhostv1.TrainEvent{Seq: e.Seq}
	switch {
	case e.Phase != nil:
		out.Event = &awhostv1.TrainEvent_Phase{Phase: &awhostv1.PhaseEvent{
			Name: e.Phase.Name, Step: int64(e.Phase.Step), Done: int64(e.Phase.Done), Total: int64(e.Phase.Total),
			Ended: e.Phase.Ended,
		}}
	case e.Metrics != nil:
		metrics, err := metricsToWire(e.Metrics)
		if err != nil {
			return nil, err
		}
		out.Event = &awhostv1.TrainEvent_Metrics{Metrics: metrics}
	case e.Consumed != nil:
		out.Event = &awhostv1.TrainEvent_Consumed{Consumed: &awhostv1.ConsumedEvent{
			Step: int64(e.Consumed.Step), VersionAfter: e.Consumed.VersionAfter,
			Episodes: mapSlice(e.Consumed.Episodes, func(c ConsumedEpisode) *awhostv1.ConsumedEpisode {
				return &awhostv1.ConsumedEpisode{EpisodeId: c.EpisodeID, Use: consumptions.toWire[c.Use]}
			}),
		}}
	case e.Checkpoint != nil:
		out.Event = &awhostv1.TrainEvent_Checkpoint{Checkpoint: &awhostv1.CheckpointEvent{
			Step: int64(e.Checkpoint.Step), Path: e.Checkpoint.Path, Digest: e.Checkpoint.Digest,
		}}
	case e.Log != nil:
		out.Event = &awhostv1.TrainEvent_Log{Log: &awhostv1.LogEvent{Level: e.Log.Level, Message: e.Log.Message,
			Fields: e.Log.Fields}}
	case e.Handle != nil:
		out.Event = &awhostv1.TrainEvent_Handle{Handle: &awhostv1.HandleEvent{Handle: e.Handle.Handle}}
	case e.Tokens != nil:
		out.Event = &awhostv1.TrainEvent_Tokens{Tokens: &awhostv1.TokensEvent{
			Step: int64(e.Tokens.Step), Rows: mapSlice(e.Tokens.Rows, tokensRowToWire),
		}}
	case e.Finished != nil:
		out.Event = &awhostv1.TrainEvent_Finished{Finished: &awhostv1.FinishedEvent{
			Outcome: finishedOutcomes.toWire[e.Finished.Outcome], Reason: validUTF8(e.Finished.Reason),
			Step: int64(e.Finished.Step),
		}}
	default:
		return nil, fmt.Errorf("emit train event: the event is empty; set exactly one of its pointers")
	}
	return out, nil
}

// metricsToWire moves metrics that are not finite from the values to their names.
func metricsToWire(m *MetricsEvent) (*awhostv1.MetricsEvent, error) {
	out := &awhostv1.MetricsEvent{Step: int64(m.Step), Values: make(map[string]float64, len(m.Values))}
	for _, name := range slices.Sorted(maps.Keys(m.Values)) {
		if v := m.Values[name]; v-v == 0 {
			out.Values[name] = v
		} else {
			out.NotFinite = append(out.NotFinite, name)
		}
	}
	if g := m.PolicyGap; g != nil {
		out.PolicyGap = &awhostv1.PolicyGap{Mean: g.Mean, P99: g.P99, Max: g.Max, Bias: g.Bias, EpisodeId: g.EpisodeID,
			Token: int64(g.Token)}
		return out, checkFinite("policy gap", map[string]float64{"mean": g.Mean, "p99": g.P99, "max": g.Max, "bias": g.Bias})
	}
	return out, nil
}

func metricsFromWire(m *awhostv1.MetricsEvent) *MetricsEvent {
	out := &MetricsEvent{Step: int(m.GetStep()), Values: m.GetValues()}
	for _, name := range m.GetNotFinite() {
		if out.Values == nil {
			out.Values = map[string]float64{}
		}
		out.Values[name] = math.NaN()
	}
	if g := m.GetPolicyGap(); g != nil {
		out.PolicyGap = &PolicyGap{Mean: g.GetMean(), P99: g.GetP99(), Max: g.GetMax(), Bias: g.GetBias(),
			EpisodeID: g.GetEpisodeId(), Token: int(g.GetToken())}
	}
	return out
}

func trainEventFromWire(e *awhostv1.TrainEvent) TrainEvent {
	out := TrainEvent{Seq: e.GetSeq()}
	switch v := e.GetEvent().(type) {
	case *awhostv1.TrainEvent_Phase:
		p := v.Phase
		out.Phase = &PhaseEvent{Name: p.GetName(), Step: int(p.GetStep()), Done: int(p.GetDone()), Total: int(p.GetTotal()),
			Ended: p.GetEnded()}
	case *awhostv1.TrainEvent_Metrics:
		out.Metrics = metricsFromWire(v.Metrics)
	case *awhostv1.TrainEvent_Consumed:
		out.Consumed = &ConsumedEvent{
			Step: int(v.Consumed.GetStep()), VersionAfter: v.Consumed.GetVersionAfter(),
			Episodes: mapSlice(v.Consumed.GetEpisodes(), func(c *awhostv1.ConsumedEpisode) ConsumedEpisode {
				return ConsumedEpisode{EpisodeID: c.GetEpisodeId(), Use: consumptions.toGo[c.GetUse()]}
			}),
		}
	case *awhostv1.TrainEvent_Checkpoint:
		out.Checkpoint = &CheckpointEvent{Step: int(v.Checkpoint.GetStep()), Path: v.Checkpoint.GetPath(),
			Digest: v.Checkpoint.GetDigest()}
	case *awhostv1.TrainEvent_Log:
		out.Log = &LogEvent{Level: v.Log.GetLevel(), Message: v.Log.GetMessage(), Fields: v.Log.GetFields()}
	case *awhostv1.TrainEvent_Handle:
		out.Handle = &HandleEvent{Handle: v.Handle.GetHandle()}
	case *awhostv1.TrainEvent_Tokens:
		out.Tokens = &TokensEvent{Step: int(v.Tokens.GetStep()), Rows: mapSlice(v.Tokens.GetRows(), tokensRowFromWire)}
	case *awhostv1.TrainEvent_Finished:
		out.Finished = &FinishedEvent{
			Outcome: finishedOutcomes.toGo[v.Finished.GetOutcome()], Reason: v.Finished.GetReason(),
			Step: int(v.Finished.GetStep()),
		}
	}
	return out
}

func tokensRowToWire(r TokensRow) *awhostv1.TokensRow {
	return &awhostv1.TokensRow{
		EpisodeId: r.EpisodeID, Chain: r.Chain, Ids: r.IDs, Texts: mapSlice(r.Texts, validUTF8), Trained: r.Trained,
		SamplerLogprobs: r.SamplerLogprobs, TrainerLogprobs: r.TrainerLogprobs, Advantages: r.Advantages,
		Total: int64(r.Total),
	}
}

func tokensRowFromWire(r *awhostv1.TokensRow) TokensRow {
	return TokensRow{
		EpisodeID: r.GetEpisodeId(), Chain: r.GetChain(), IDs: r.GetIds(), Texts: r.GetTexts(), Trained: r.GetTrained(),
		SamplerLogprobs: r.GetSamplerLogprobs(), TrainerLogprobs: r.GetTrainerLogprobs(), Advantages: r.GetAdvantages(),
		Total: int(r.GetTotal()),
	}
}

func generateRequestToWire(r GenerateRequest) *awhostv1.GenerateRequest {
	out := &awhostv1.GenerateRequest{
		EpisodeId: r.EpisodeID, Attempt: int64(r.Attempt), CallId: r.CallID, Agent: r.Agent, Chain: r.Chain,
		Base:     int64(r.Base),
		Messages: messagesToWire(r.Messages), Tools: toolsToWire(r.Tools), Sampling: samplingToWire(r.Sampling),
		Trainable: r.Trainable, Seed: r.Seed, Deadline: durationToWire(r.Deadline), Validation: r.Validation,
		ChatTemplateKwargsJson: r.ChatTemplateKwargs, Constraints: constraintsToWire(r.Constraints),
	}
	if r.Scripted != nil {
		out.Scripted = messageToWire(*r.Scripted)
	}
	return out
}

func generateRequestFromWire(r *awhostv1.GenerateRequest) GenerateRequest {
	out := GenerateRequest{
		EpisodeID: r.GetEpisodeId(), Attempt: int(r.GetAttempt()), CallID: r.GetCallId(), Agent: r.GetAgent(),
		Chain: r.GetChain(),
		Base:  int(r.GetBase()), Messages: messagesFromWire(r.GetMessages()), Tools: toolsFromWire(r.GetTools()),
		Sampling: samplingFromWire(r.GetSampling()), Trainable: r.GetTrainable(), Seed: r.GetSeed(),
		Deadline: durationFromWire(r.GetDeadline()), Validation: r.GetValidation(),
		ChatTemplateKwargs: r.GetChatTemplateKwargsJson(), Constraints: constraintsFromWire(r.GetConstraints()),
	}
	if m := r.GetScripted(); m != nil {
		scripted := messageFromWire(m)
		out.Scripted = &scripted
	}
	return out
}

func constraintsToWire(c *DecodingConstraints) *awhostv1.DecodingConstraints {
	if c == nil {
		return nil
	}
	return &awhostv1.DecodingConstraints{
		ToolRequired: c.ToolRequired, Tool: c.Tool, SingleCall: c.SingleCall, FormatJson: c.Format,
	}
}

func constraintsFromWire(c *awhostv1.DecodingConstraints) *DecodingConstraints {
	if c == nil {
		return nil
	}
	return &DecodingConstraints{
		ToolRequired: c.GetToolRequired(), Tool: c.GetTool(), SingleCall: c.GetSingleCall(), Format: c.GetFormatJson(),
	}
}

func generateResponseToWire(r *GenerateResponse) *awhostv1.GenerateResponse {
	out := &awhostv1.GenerateResponse{
		Message: messageToWire(r.Message), FinishReason: finishReasons.toWire[r.Finish],
		Usage:           &awhostv1.Usage{PromptTokens: int64(r.PromptTokens), OutputTokens: int64(r.OutputTokens)},
		RemainingTokens: int64(r.RemainingTokens), Versions: spansToWire(r.Versions), Chain: r.Chain,
		ChainLength: int64(r.ChainLength), ChainDigest: r.ChainDigest, Drift: drifts.toWire[r.Drift],
		Codec: r.Codec, CodecDigest: r.CodecDigest,
	}
	if r.TokenIDs != nil {
		out.Tokens = &awhostv1.Tokens{Ids: r.TokenIDs, Logprobs: r.Logprobs}
	}
	return out
}

func generateResponseFromWire(r *awhostv1.GenerateResponse) *GenerateResponse {
	return &GenerateResponse{
		Message: messageFromWire(r.GetMessage()), Finish: finishReasons.toGo[r.GetFinishReason()],
		PromptTokens: int(r.GetUsage().GetPromptTokens()), OutputTokens: int(r.GetUsage().GetOutputTokens()),
		RemainingTokens: int(r.GetRemainingTokens()), Versions: spansFromWire(r.GetVersions()), Chain: r.GetChain(),
		ChainLength: int(r.GetChainLength()), ChainDigest: r.GetChainDigest(), Drift: drifts.toGo[r.GetDrift()],
		TokenIDs: r.GetTokens().GetIds(), Logprobs: r.GetTokens().GetLogprobs(),
		Codec: r.GetCodec(), CodecDigest: r.GetCodecDigest(),
	}
}

func loadResponseToWire(r *LoadResponse) *awhostv1.LoadResponse {
	return &awhostv1.LoadResponse{
		Policy: r.Policy, Step: int64(r.Step), MaxContext: int64(r.MaxContext), PolicyVersion: r.PolicyVersion,
		Digest: r.Digest,
	}
}

func loadResponseFromWire(r *awhostv1.LoadResponse) *LoadResponse {
	return &LoadResponse{
		Policy: r.GetPolicy(), Step: int(r.GetStep()), MaxContext: int(r.GetMaxContext()),
		PolicyVersion: r.GetPolicyVersion(), Digest: r.GetDigest(),
	}
}

func exportResponseToWire(r *ExportResponse) *awhostv1.ExportResponse {
	return &awhostv1.ExportResponse{Notes: r.Notes, Files: mapSlice(r.Files, func(f ExportedFile) *awhostv1.ExportedFile {
		return &awhostv1.ExportedFile{Name: f.Name, Bytes: f.Bytes}
	})}
}

func exportResponseFromWire(r *awhostv1.ExportResponse) *ExportResponse {
	return &ExportResponse{Notes: r.GetNotes(), Files: mapSlice(r.GetFiles(), func(f *awhostv1.ExportedFile) ExportedFile {
		return ExportedFile{Name: f.GetName(), Bytes: f.GetBytes()}
	})}
}
