package event

import "github.com/awhost/awhost/sdk"

// StageStarted reports the start of a stage.
type StageStarted struct {
	Name      string `json:"name"`       // label of the stage block
	Index     int    `json:"index"`      // from 0
	Total     int    `json:"total"`      // number of stages
	FirstStep int    `json:"first_step"` // first step of the stage, counted over all stages, from 1
	Steps     int    `json:"steps"`      // maximum steps of this stage
}

// PhaseName names the current activity of the trainer.
type PhaseName string

// The phases that every adapter reports. An adapter may report additional phases.
const (
	PhaseWarmStart  PhaseName = "warm_start"
	PhaseRollout    PhaseName = "rollout"
	PhaseUpdate     PhaseName = "update"
	PhaseValidation PhaseName = "validation"
)

// Phase reports progress within a step. A queued event may be replaced by a later one of the same phase.
type Phase struct {
	Stage string    `json:"stage"`           // name of the stage
	Name  PhaseName `json:"name"`            // current activity of the trainer
	Step  int       `json:"step"`            // step that the phase belongs to; 0: before the first
	Done  int       `json:"done"`            // finished episodes, updates or warm-start steps
	Total int       `json:"total"`           // expected number; 0 if unknown
	Ended bool      `json:"ended,omitempty"` // the phase has ended
}

// StepFinished reports an optimizer step that is committed or about to be.
type StepFinished struct {
	Stage    string                   `json:"stage"`              // name of the stage
	Step     int                      `json:"step"`               // counted over all stages, from 1
	Total    int                      `json:"total"`              // maximum steps of all stages
	Reward   Value                    `json:"reward"`             // mean over the scored episodes of the step
	Success  Value                    `json:"success"`            // fraction of its training episodes that succeeded
	Episodes int                      `json:"episodes"`           // episodes that ended in this step
	Seconds  Seconds                  `json:"seconds"`            // time since the end of the previous step
	Rates    Rates                    `json:"rates"`              // throughput of the step
	Outcomes map[sdk.Outcome]int      `json:"outcomes,omitempty"` // final outcomes of its episodes
	Failures map[sdk.FailureClass]int `json:"failures,omitempty"` // FAILED and DROPPED episodes, by class
	Retries  int                      `json:"retries"`            // attempts after the first
	Metrics  Metrics                  `json:"metrics"`            // "train/loss", "train/entropy", …
}

// Rates holds the throughput values for a step.
type Rates struct {
	EpisodesPerSecond Value `json:"episodes_per_second"`
	TokensPerSecond   Value `json:"tokens_per_second"` // sampled tokens per second
}

// ValidationFinished reports a pass over the held-out tasks.
type ValidationFinished struct {
	Stage       string                   `json:"stage"`              // name of the stage
	Step        int                      `json:"step"`               // finished steps; 0: before training
	SuccessRate Value                    `json:"success_rate"`       // failed episodes are in the denominator
	Reward      Value                    `json:"reward"`             // mean over the scored episodes
	Episodes    int                      `json:"episodes"`           // tasks times samples
	Failed      int                      `json:"failed"`             // episodes without a score
	Failures    map[sdk.FailureClass]int `json:"failures,omitempty"` // failed episodes, by class
	IsBest      bool                     `json:"best"`               // best of its stage so far, by best_by of the spec, and after training
	Seconds     Seconds                  `json:"seconds"`            // duration of the validation
	Metrics     Metrics                  `json:"metrics"`            // "validation/success_rate", …
}

// EpisodeFinished reports one episode. It is published in verbose mode only. The journal contains all episodes.
type EpisodeFinished struct {
	Episode string           `json:"episode"`           // id of the episode
	Task    string           `json:"task"`              // id of its task
	Split   sdk.Split        `json:"split"`             // split of the task
	Step    int              `json:"step"`              // step of the episode; for a validation: finished steps
	Attempt int              `json:"attempt"`           // number of the last attempt, from 1
	Outcome sdk.Outcome      `json:"outcome"`           // FAILED and DROPPED have no reward
	Failure sdk.FailureClass `json:"failure,omitempty"` // set if the episode has no reward
	Reward  Value            `json:"reward"`            // reward as composed by the spec
	Success *bool            `json:"success,omitempty"` // success as defined by the spec
	Turns   int              `json:"turns"`             // assistant messages
	Tokens  int              `json:"tokens"`            // sampled tokens
	Seconds Seconds          `json:"seconds"`           // duration without queueing
}

// CheckpointCommitted reports a durable checkpoint.
type CheckpointCommitted struct {
	Stage  string `json:"stage"`  // name of the stage
	Step   int    `json:"step"`   // steps that it contains; 0: the warm start
	Path   string `json:"path"`   // directory of the checkpoint
	Digest string `json:"digest"` // digest of tensors, the optimizer's state and its step
	IsKept bool   `json:"kept"`   // kept by the spec's checkpoint block; other checkpoints are pruned during the run
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
