package event

import "github.com/awhost/awhost/sdk"

// StageStarted opens a stage.
type StageStarted struct {
	Name      string `json:"name"`       // label of the stage block
	Index     int    `json:"index"`      // from 0
	Total     int    `json:"total"`      // number of stages
	FirstStep int    `json:"first_step"` // counted over all stages, from 1
	Steps     int    `json:"steps"`      // of this stage, at most
}

// PhaseName says what the trainer does.
type PhaseName string

// The phases that every adapter knows; it may report others.
const (
	PhaseWarmStart  PhaseName = "warm_start"
	PhaseRollout    PhaseName = "rollout"
	PhaseUpdate     PhaseName = "update"
	PhaseValidation PhaseName = "validation"
)

// Phase is progress within a step. It is the one event of which a reader may miss some: while a later one of the
// same phase waits behind it, only the later one is delivered.
type Phase struct {
	Stage string    `json:"stage"`           // name of the stage
	Name  PhaseName `json:"name"`            // what the trainer does
	Step  int       `json:"step"`            // the step that it is part of; 0: before the first
	Done  int       `json:"done"`            // episodes, updates or warm-start steps so far
	Total int       `json:"total"`           // 0 when it is not known
	Ended bool      `json:"ended,omitempty"` // the phase is over
}

// StepFinished reports an optimiser step that is committed or about to be.
type StepFinished struct {
	Stage    string                   `json:"stage"`              // name of the stage
	Step     int                      `json:"step"`               // counted over all stages, from 1
	Total    int                      `json:"total"`              // of all stages, at most
	Reward   Value                    `json:"reward"`             // mean over the scored episodes of the step
	Success  Value                    `json:"success"`            // fraction of its training episodes that succeeded
	Episodes int                      `json:"episodes"`           // that ended in this step, whatever their outcome
	Seconds  Seconds                  `json:"seconds"`            // from the end of the step before
	Rates    Rates                    `json:"rates"`              // how fast it was
	Outcomes map[sdk.Outcome]int      `json:"outcomes,omitempty"` // final outcomes of its episodes
	Failures map[sdk.FailureClass]int `json:"failures,omitempty"` // of FAILED and DROPPED episodes, by class
	Retries  int                      `json:"retries"`            // attempts beyond the first
	Metrics  Metrics                  `json:"metrics"`            // "train/loss", "train/entropy", …
}

// Rates say how fast a step was.
type Rates struct {
	EpisodesPerSecond Value `json:"episodes_per_second"`
	TokensPerSecond   Value `json:"tokens_per_second"` // sampled tokens
}

// ValidationFinished reports a pass over the held-out tasks.
type ValidationFinished struct {
	Stage       string                   `json:"stage"`              // name of the stage
	Step        int                      `json:"step"`               // steps finished before it; 0: before training
	SuccessRate Value                    `json:"success_rate"`       // failed episodes are in the denominator
	Reward      Value                    `json:"reward"`             // mean over the scored episodes
	Episodes    int                      `json:"episodes"`           // tasks times samples
	Failed      int                      `json:"failed"`             // of them, without a score
	Failures    map[sdk.FailureClass]int `json:"failures,omitempty"` // the same, by class
	IsBest      bool                     `json:"best"`               // of its stage so far, by the spec's best_by, and after training
	Seconds     Seconds                  `json:"seconds"`            // that the pass took
	Metrics     Metrics                  `json:"metrics"`            // "validation/success_rate", …
}

// EpisodeFinished reports one episode. It is published in verbose mode only; the journal has them all.
type EpisodeFinished struct {
	Episode string           `json:"episode"`           // id of the episode
	Task    string           `json:"task"`              // id of its task
	Split   sdk.Split        `json:"split"`             // what it is for
	Step    int              `json:"step"`              // that it is for; validation: steps finished so far
	Attempt int              `json:"attempt"`           // the last one, from 1
	Outcome sdk.Outcome      `json:"outcome"`           // FAILED and DROPPED have no reward
	Failure sdk.FailureClass `json:"failure,omitempty"` // when it has no reward
	Reward  Value            `json:"reward"`            // as the spec composes it
	Success *bool            `json:"success,omitempty"` // as the spec defines it
	Turns   int              `json:"turns"`             // assistant messages
	Tokens  int              `json:"tokens"`            // sampled
	Seconds Seconds          `json:"seconds"`           // from its start, queueing excluded
}

// CheckpointCommitted reports a checkpoint that survives a crash.
type CheckpointCommitted struct {
	Stage  string `json:"stage"`  // name of the stage
	Step   int    `json:"step"`   // steps that it contains; 0: the warm start
	Path   string `json:"path"`   // its directory
	Digest string `json:"digest"` // over tensors, the optimiser's state and its step
	IsKept bool   `json:"kept"`   // by the spec's checkpoint block; others are pruned as the run goes on
}

// Kind implements Payload.
func (StageStarted) Kind() Kind { return KindStageStarted }

// Kind implements Payload.
func (Phase) Kind() Kind { return KindPhase }

// Kind implements Payload.
func (StepFinished) Kind() Kind { return KindStepFinished }

// Kind implements Payload.
func (ValidationFinished) Kind() Kind { return KindValidationFinished }

// Kind implements Payload.
func (EpisodeFinished) Kind() Kind { return KindEpisodeFinished }

// Kind implements Payload.
func (CheckpointCommitted) Kind() Kind { return KindCheckpointCommitted }

var (
	_ Payload = StageStarted{}
	_ Payload = Phase{}
	_ Payload = StepFinished{}
	_ Payload = ValidationFinished{}
	_ Payload = EpisodeFinished{}
	_ Payload = CheckpointCommitted{}
)
