package sdk

import (
	"fmt"
	"math"
	"sort"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// The wire_*.go files convert between the Go types in this package and the protocol's messages, in both directions. No
// data is lost unless the target has no field for it, in which case this is documented at the conversion.

func mapValues[K comparable, A, B any](in map[K]A, convert func(A) B) map[K]B {
	if len(in) == 0 {
		return nil
	}
	out := make(map[K]B, len(in))
	for k, v := range in {
		out[k] = convert(v)
	}
	return out
}

func mapSlice[A, B any](in []A, convert func(A) B) []B {
	if len(in) == 0 {
		return nil
	}
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = convert(v)
	}
	return out
}

// enum converts between a Go string type and a protocol enum. Unknown Go values become the zero enum value, and unknown
// enum values become "".
type enum[G ~string, P ~int32] struct {
	toWire map[G]P
	toGo   map[P]G
}

func newEnum[G ~string, P ~int32](pairs map[G]P) enum[G, P] {
	e := enum[G, P]{toWire: pairs, toGo: make(map[P]G, len(pairs))}
	for g, p := range pairs {
		e.toGo[p] = g
	}
	return e
}

var (
	roles = newEnum(map[Role]awhostv1.Role{
		RoleSystem: awhostv1.Role_ROLE_SYSTEM, RoleUser: awhostv1.Role_ROLE_USER,
		RoleAssistant: awhostv1.Role_ROLE_ASSISTANT, RoleTool: awhostv1.Role_ROLE_TOOL,
	})
	attachmentKinds = newEnum(map[AttachmentKind]awhostv1.AttachmentKind{
		AttachmentImage:      awhostv1.AttachmentKind_ATTACHMENT_KIND_IMAGE,
		AttachmentAudio:      awhostv1.AttachmentKind_ATTACHMENT_KIND_AUDIO,
		AttachmentResource:   awhostv1.AttachmentKind_ATTACHMENT_KIND_RESOURCE,
		AttachmentLink:       awhostv1.AttachmentKind_ATTACHMENT_KIND_RESOURCE_LINK,
		AttachmentStructured: awhostv1.AttachmentKind_ATTACHMENT_KIND_STRUCTURED,
	})
	splits = newEnum(map[Split]awhostv1.Split{
		SplitTrain: awhostv1.Split_SPLIT_TRAIN, SplitValidation: awhostv1.Split_SPLIT_VALIDATION,
	})
	failureClasses = newEnum(map[FailureClass]awhostv1.FailureClass{
		FailurePolicy:         awhostv1.FailureClass_FAILURE_CLASS_POLICY,
		FailureModel:          awhostv1.FailureClass_FAILURE_CLASS_MODEL,
		FailureEnvironment:    awhostv1.FailureClass_FAILURE_CLASS_ENVIRONMENT,
		FailureReward:         awhostv1.FailureClass_FAILURE_CLASS_REWARD,
		FailureAgent:          awhostv1.FailureClass_FAILURE_CLASS_AGENT,
		FailureInfrastructure: awhostv1.FailureClass_FAILURE_CLASS_INFRASTRUCTURE,
		FailureTimeout:        awhostv1.FailureClass_FAILURE_CLASS_TIMEOUT,
	})
	outcomes = newEnum(map[Outcome]awhostv1.EpisodeOutcome{
		OutcomeScored:    awhostv1.EpisodeOutcome_EPISODE_OUTCOME_SCORED,
		OutcomeTruncated: awhostv1.EpisodeOutcome_EPISODE_OUTCOME_TRUNCATED,
		OutcomeFailed:    awhostv1.EpisodeOutcome_EPISODE_OUTCOME_FAILED,
		OutcomeDropped:   awhostv1.EpisodeOutcome_EPISODE_OUTCOME_DROPPED,
		OutcomeCancelled: awhostv1.EpisodeOutcome_EPISODE_OUTCOME_CANCELLED,
	})
	finishReasons = newEnum(map[FinishReason]awhostv1.FinishReason{
		FinishStop:      awhostv1.FinishReason_FINISH_REASON_STOP,
		FinishLength:    awhostv1.FinishReason_FINISH_REASON_LENGTH,
		FinishToolCalls: awhostv1.FinishReason_FINISH_REASON_TOOL_CALLS,
	})
	drifts = newEnum(map[string]awhostv1.Drift{
		"CLEAN": awhostv1.Drift_DRIFT_CLEAN, "REALIGN": awhostv1.Drift_DRIFT_REALIGN, "FORK": awhostv1.Drift_DRIFT_FORK,
	})
	generateErrorKinds = newEnum(map[GenerateErrorKind]awhostv1.GenerateError_Kind{
		GenerateContextFull: awhostv1.GenerateError_KIND_CONTEXT_FULL,
		GenerateAborted:     awhostv1.GenerateError_KIND_ABORTED,
		GenerateEngine:      awhostv1.GenerateError_KIND_ENGINE,
		GeneratePaused:      awhostv1.GenerateError_KIND_PAUSED,
		GenerateRefused:     awhostv1.GenerateError_KIND_REFUSED,
	})
	consumptions = newEnum(map[Consumption]awhostv1.ConsumedEpisode_Use{
		ConsumedTrained:  awhostv1.ConsumedEpisode_USE_TRAINED,
		ConsumedMasked:   awhostv1.ConsumedEpisode_USE_MASKED,
		ConsumedFiltered: awhostv1.ConsumedEpisode_USE_FILTERED,
		ConsumedStale:    awhostv1.ConsumedEpisode_USE_STALE,
		ConsumedLost:     awhostv1.ConsumedEpisode_USE_LOST,
	})
	finishedOutcomes = newEnum(map[FinishedOutcome]awhostv1.FinishedEvent_Outcome{
		FinishedCompleted: awhostv1.FinishedEvent_OUTCOME_COMPLETED,
		FinishedStopped:   awhostv1.FinishedEvent_OUTCOME_STOPPED,
		FinishedFailed:    awhostv1.FinishedEvent_OUTCOME_FAILED,
		FinishedHalted:    awhostv1.FinishedEvent_OUTCOME_HALTED,
	})
	controlActions = newEnum(map[ControlAction]awhostv1.ControlRequest_Action{
		ControlPause:         awhostv1.ControlRequest_ACTION_PAUSE,
		ControlResume:        awhostv1.ControlRequest_ACTION_RESUME,
		ControlDrain:         awhostv1.ControlRequest_ACTION_DRAIN,
		ControlCheckpointNow: awhostv1.ControlRequest_ACTION_CHECKPOINT_NOW,
		ControlAbort:         awhostv1.ControlRequest_ACTION_ABORT,
	})
	directives = newEnum(map[Directive]awhostv1.StepBoundaryResponse_Directive{
		DirectiveContinue:    awhostv1.StepBoundaryResponse_DIRECTIVE_CONTINUE,
		DirectiveFinishStage: awhostv1.StepBoundaryResponse_DIRECTIVE_FINISH_STAGE,
		DirectiveStop:        awhostv1.StepBoundaryResponse_DIRECTIVE_STOP,
		DirectiveAbort:       awhostv1.StepBoundaryResponse_DIRECTIVE_ABORT,
	})
	probes = newEnum(map[Probe]awhostv1.ValidateConfigRequest_Probe{
		ProbeAsk: awhostv1.ValidateConfigRequest_PROBE_ASK, ProbeStart: awhostv1.ValidateConfigRequest_PROBE_START,
	})
	severities = newEnum(map[Severity]awhostv1.Diagnostic_Severity{
		SeverityError: awhostv1.Diagnostic_SEVERITY_ERROR, SeverityWarning: awhostv1.Diagnostic_SEVERITY_WARNING,
		SeverityNote: awhostv1.Diagnostic_SEVERITY_NOTE,
	})
)

// durationToWire writes zero as absent, because every duration in the protocol treats absent as "none" or "the
// default".
func durationToWire(d time.Duration) *durationpb.Duration {
	if d == 0 {
		return nil
	}
	return durationpb.New(d)
}

func durationFromWire(d *durationpb.Duration) time.Duration { return d.AsDuration() }

// checkFinite returns an error for the first number that is NaN or infinite. The protocol has no such numbers.
func checkFinite(what string, values map[string]float64) error {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if err := checkNumber(what+" "+name, values[name]); err != nil {
			return err
		}
	}
	return nil
}

func checkNumber(what string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s is %v: a number of the protocol must be finite", what, v)
	}
	return nil
}
