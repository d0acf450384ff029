package event

import "github.com/awhost/awhost/sdk"

// StageStarted opens a stage.
type StageStarted struct {
	Name      string `json:"name"`
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
	Stage string    `json:"stage"`
	Name  PhaseName `json:"name"`
	Step  int       `json:"step"`
	Done  int       `json:"done"`
	Total int       `json:"total"` // 0 when it is not known
	Ended bool      `json:"ended,omitempty"`
}

// StepFinished reports an optimiser step that is committed or about to be.
type StepFinished struct {
	Stage    string                   `json:"stage"`
	Step     int                      `json:"step"`    // counted over all stages, from 1
	Total    int                      `json:"total"`   // of all stages, at most
	Reward   Value                    `json:"reward"`  // mean over the scored episodes of the step
	Success  Value                    `json:"success"` // fraction of its training episodes that succeeded
	Episodes int                      `json:"episodes"`
	Seconds  Seconds                  `json:"seconds"`
	Rates    Rates                    `json:"rates"`
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
	Stage       string                   `json:"stage"`
	Step        int                      `json:"step"`         // steps finished before it; 0: before training
	SuccessRate Value                    `json:"success_rate"` // failed episodes are in the denominator
	Reward      Value                    `json:"reward"`
	Episodes    int                      `json:"episodes"`
	Failed      int                      `json:"failed"` // of them, without a score
	Failures    map[sdk.FailureClass]int `json:"failures,omitempty"`
	IsBest      bool                     `json:"best"` // by the spec's best_by, so far
	Seconds     Seconds                  `json:"seconds"`
	Metrics     Metrics                  `json:"metrics"`
}

// EpisodeFinished reports one episode. It is published for a sample of them, or for all in verbose mode; the
// journal has them all.
type EpisodeFinished struct {
	Episode string           `json:"episode"`
	Task    string           `json:"task"`
	Split   sdk.Split        `json:"split"`
	Step    int              `json:"step"`
	Attempt int              `json:"attempt"`
	Outcome sdk.Outcome      `json:"outcome"`
	Failure sdk.FailureClass `json:"failure,omitempty"`
	Reward  Value            `json:"reward"`
	Success *bool            `json:"success,omitempty"`
	Turns   int              `json:"turns"`
	Tokens  int              `json:"tokens"` // sampled
	Seconds Seconds          `json:"seconds"`
}

// CheckpointCommitted reports a checkpoint that survives a crash.
type CheckpointCommitted struct {
	Stage  string `json:"stage"`
	Step   int    `json:"step"`
	Path   string `json:"path"`
	Digest string `json:"digest"`
	IsKept bool   `json:"kept"` // by the spec's checkpoint block; others are pruned as the run goes on
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
