package sdk

import (
	"cmp"
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// WireJSON lists the types in the framework bridge (docs/reference/bridge.md). Each is a message in sdk/proto/awhost/v1
// in protobuf's JSON mapping, with the field names from the .proto files.
type WireJSON interface {
	EpisodeRequest | EpisodeCancel | EpisodeResult | GenerateRequest | GenerateResponse | GenerateError |
		TrainRequest | TrainEvent | StepBoundaryRequest | StepBoundaryResponse | ControlRequest
}

// EpisodeCancel ends an episode that is no longer needed.
type EpisodeCancel struct {
	EpisodeID string
	Reason    string
}

// MarshalWire writes v as JSON on a single line. A number that is NaN or infinite is an error.
func MarshalWire[T WireJSON](v T) ([]byte, error) {
	message, err := messageOf(v)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return text, nil
}

// UnmarshalWire reads the output of MarshalWire or of another implementation of the mapping. Unknown members are
// ignored, and names in lowerCamelCase are accepted.
func UnmarshalWire[T WireJSON](text []byte) (T, error) {
	var out T
	if err := readMessage(text, &out); err != nil {
		return out, fmt.Errorf("decode %T: %w", out, err)
	}
	return out, nil
}

func messageOf(v any) (proto.Message, error) {
	switch v := v.(type) {
	case EpisodeRequest:
		return episodeRequestToWire(v), nil
	case EpisodeCancel:
		return &awhostv1.CancelEpisodeRequest{EpisodeId: v.EpisodeID, Reason: validUTF8(v.Reason)}, nil
	case EpisodeResult:
		return episodeResultToWire(&v), checkResult(v)
	case GenerateRequest:
		return generateRequestToWire(v), nil
	case GenerateResponse:
		return generateResponseToWire(&v), nil
	case GenerateError:
		return &awhostv1.GenerateError{Kind: generateErrorKinds.toWire[v.Kind], Detail: validUTF8(v.Detail)}, nil
	case TrainRequest:
		return trainRequestToWire(v)
	case TrainEvent:
		return trainEventToWire(v)
	case StepBoundaryRequest:
		return &awhostv1.StepBoundaryRequest{
			LaunchId: v.LaunchID, Stage: v.Stage, Step: int64(v.Step), Validated: v.Validated, AfterSeq: v.AfterSeq,
		}, nil
	case StepBoundaryResponse:
		return &awhostv1.StepBoundaryResponse{Directive: directives.toWire[v.Directive], Reason: validUTF8(v.Reason)}, nil
	case ControlRequest:
		return &awhostv1.ControlRequest{LaunchId: v.LaunchID, Action: controlActions.toWire[v.Action],
			Reason: validUTF8(v.Reason)}, nil
	}
	return nil, errors.New("it has no wire format")
}

func checkResult(r EpisodeResult) error {
	if r.Reward != nil {
		if err := checkNumber("the reward", *r.Reward); err != nil {
			return err
		}
	}
	for _, t := range r.TurnRewards {
		if err := checkNumber("the reward of turn "+t.CallID, t.Reward); err != nil {
			return err
		}
	}
	if err := checkFinite("component", r.Components); err != nil {
		return err
	}
	return checkFinite("metric", r.Metrics)
}

// readMessage fills into, which is a pointer to a type listed in WireJSON.
func readMessage(text []byte, into any) error {
	switch into := into.(type) {
	case *EpisodeRequest:
		return readInto(text, &awhostv1.RunEpisodeRequest{}, into, episodeRequestFromWire)
	case *EpisodeCancel:
		return readInto(text, &awhostv1.CancelEpisodeRequest{}, into, func(r *awhostv1.CancelEpisodeRequest) EpisodeCancel {
			return EpisodeCancel{EpisodeID: r.GetEpisodeId(), Reason: r.GetReason()}
		})
	case *EpisodeResult:
		if err := readInto(text, &awhostv1.EpisodeResult{}, into, dereferenced(episodeResultFromWire)); err != nil {
			return err
		}
		return checkResult(*into)
	case *GenerateRequest:
		return readInto(text, &awhostv1.GenerateRequest{}, into, generateRequestFromWire)
	case *GenerateResponse:
		return readInto(text, &awhostv1.GenerateResponse{}, into, dereferenced(generateResponseFromWire))
	case *GenerateError:
		return readInto(text, &awhostv1.GenerateError{}, into, func(e *awhostv1.GenerateError) GenerateError {
			return GenerateError{Kind: generateErrorKinds.toGo[e.GetKind()], Detail: e.GetDetail()}
		})
	case *TrainRequest:
		message := &awhostv1.TrainRequest{}
		err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(text, message)
		if err == nil {
			*into, err = trainRequestFromWire(message)
		}
		return err
	case *TrainEvent:
		return readEvent(text, into)
	case *StepBoundaryRequest:
		return readInto(text, &awhostv1.StepBoundaryRequest{}, into,
			func(r *awhostv1.StepBoundaryRequest) StepBoundaryRequest {
				return StepBoundaryRequest{
					LaunchID: r.GetLaunchId(), Stage: r.GetStage(), Step: int(r.GetStep()), Validated: r.GetValidated(),
					AfterSeq: r.GetAfterSeq(),
				}
			})
	case *StepBoundaryResponse:
		return readInto(text, &awhostv1.StepBoundaryResponse{}, into,
			func(r *awhostv1.StepBoundaryResponse) StepBoundaryResponse {
				return StepBoundaryResponse{Directive: directives.toGo[r.GetDirective()], Reason: r.GetReason()}
			})
	case *ControlRequest:
		return readInto(text, &awhostv1.ControlRequest{}, into, func(r *awhostv1.ControlRequest) ControlRequest {
			return ControlRequest{LaunchID: r.GetLaunchId(), Action: controlActions.toGo[r.GetAction()], Reason: r.GetReason()}
		})
	}
	return errors.New("it has no wire format")
}

func readInto[M proto.Message, T any](text []byte, message M, into *T, convert func(M) T) error {
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(text, message); err != nil {
		return err
	}
	*into = convert(message)
	return nil
}

func dereferenced[M, T any](convert func(M) *T) func(M) T { return func(m M) T { return *convert(m) } }

// readEvent rejects an event without contents, and numbers that are not finite, which protobuf's mapping allows.
func readEvent(text []byte, into *TrainEvent) error {
	var wrong error
	err := readInto(text, &awhostv1.TrainEvent{}, into, func(e *awhostv1.TrainEvent) TrainEvent {
		wrong = checkFinite("metric", e.GetMetrics().GetValues()) // not_finite names such metrics
		return trainEventFromWire(e)
	})
	if err := cmp.Or(err, wrong); err != nil {
		return err
	}
	_, err = trainEventToWire(*into)
	return err
}
