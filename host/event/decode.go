package event

import (
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// UnknownKindError reports that an event has a kind that this version does not support. Readers skip such events.
type UnknownKindError struct{ Kind Kind }

// Error implements error.
func (e *UnknownKindError) Error() string { return fmt.Sprintf("unknown kind of event %q", e.Kind) }

// UnmarshalJSON implements json.Unmarshaler. It is the inverse of MarshalJSON, with two exceptions: non-finite numbers
// become NaN, and fields that are missing in the JSON form are lost. Unknown members are ignored. For an unknown kind,
// it returns an UnknownKindError.
func (e *Event) UnmarshalJSON(data []byte) error {
	var head header
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("decode the header of an event: %w", err)
	}
	decode, known := payloads[head.Type]
	if !known {
		return &UnknownKindError{head.Type}
	}
	at, err := time.Parse(time.RFC3339Nano, head.Time)
	if err != nil {
		return fmt.Errorf("decode the time of a %s event: %w", head.Type, err)
	}
	payload, err := decode(data)
	if err != nil {
		return fmt.Errorf("decode a %s event: %w", head.Type, err)
	}
	*e = Event{Time: at, Run: head.Run, Incarnation: head.Incarnation, Seq: head.Seq, Payload: payload}
	return nil
}

// payloads maps each kind to its decoder.
var payloads = map[Kind]func([]byte) (Payload, error){
	KindRunStarted:          decodeAs[RunStarted],
	KindDiagnostics:         decodeAs[Diagnostics],
	KindPluginState:         decodeAs[PluginState],
	KindStageStarted:        decodeAs[StageStarted],
	KindPhase:               decodeAs[Phase],
	KindEpisodeFinished:     decodeAs[EpisodeFinished],
	KindStepFinished:        decodeAs[StepFinished],
	KindValidationFinished:  decodeAs[ValidationFinished],
	KindCheckpointCommitted: decodeAs[CheckpointCommitted],
	KindLog:                 decodeAs[Log],
	KindWarning:             decodeAs[Warning],
	KindFinding:             decodeAs[Finding],
	KindInterrupted:         decodeAs[Interrupted],
	KindSmokeReport:         decodeAs[SmokeReport],
	KindRunFinished:         decodeAs[RunFinished],
}

func decodeAs[P Payload](data []byte) (Payload, error) {
	var p P
	err := json.Unmarshal(data, &p)
	return p, err
}

// UnmarshalJSON implements json.Unmarshaler. null represents a missing number.
func (v *Value) UnmarshalJSON(data []byte) error {
	var number *float64
	if err := json.Unmarshal(data, &number); err != nil {
		return err
	}
	*v = Optional(number)
	return nil
}

// UnmarshalJSON implements json.Unmarshaler. null represents a non-finite number.
func (m *Metrics) UnmarshalJSON(data []byte) error {
	var values map[string]*float64
	if err := json.Unmarshal(data, &values); err != nil {
		return err
	}
	*m = make(Metrics, len(values))
	for name, number := range values {
		(*m)[name] = orNaN(number)
	}
	return nil
}

// UnmarshalJSON implements json.Unmarshaler. null represents a non-finite duration.
func (s *Seconds) UnmarshalJSON(data []byte) error {
	var number *float64
	if err := json.Unmarshal(data, &number); err != nil {
		return err
	}
	*s = Seconds(orNaN(number))
	return nil
}

func orNaN(number *float64) float64 {
	if number == nil {
		return math.NaN()
	}
	return *number
}

var (
	_ json.Unmarshaler = (*Event)(nil)
	_ json.Unmarshaler = (*Value)(nil)
	_ json.Unmarshaler = (*Metrics)(nil)
	_ json.Unmarshaler = (*Seconds)(nil)
	_ error            = (*UnknownKindError)(nil)
)
