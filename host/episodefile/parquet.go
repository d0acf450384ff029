// Package episodefile writes the episodes of a run in the formats of other programs: Parquet, and Harbor's ATIF. Only
// this user can read the files, because they contain conversations.
package episodefile

import (
	"encoding/json"
	"io"
	"iter"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/awhost/awhost/host/internal/wholefile"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// temporary is the pattern of the names of files that are being written.
const temporary = ".awhost-episodes-*"

// rowGroup is the number of rows that are kept in memory.
const rowGroup = 10_000

// row is an episode in a Parquet file. docs/reference/cli/show.md describes the columns.
type row struct {
	Run           string             `parquet:"run,dict"`
	Episode       string             `parquet:"episode_id"`
	Task          string             `parquet:"task_id,dict"`
	Split         string             `parquet:"split,dict"`
	Stage         string             `parquet:"stage,dict"`
	Step          int64              `parquet:"step"`
	Group         string             `parquet:"group,dict"`
	Sample        int64              `parquet:"sample"`
	Attempt       int64              `parquet:"attempt"`
	Standing      string             `parquet:"standing,dict"`
	Outcome       string             `parquet:"outcome,dict"`
	Reward        *float64           `parquet:"reward,optional"`
	Success       *bool              `parquet:"is_success,optional"`
	Components    map[string]float64 `parquet:"components"`
	Metrics       map[string]float64 `parquet:"metrics"`
	FinalAnswer   string             `parquet:"final_answer,zstd"`
	Turns         int64              `parquet:"num_turns"`
	PromptTokens  int64              `parquet:"prompt_tokens"`
	OutputTokens  int64              `parquet:"output_tokens"`
	PolicyVersion int64              `parquet:"policy_version"`
	FailureClass  *string            `parquet:"failure_class,optional,dict"`
	Failure       *string            `parquet:"failure,optional"`
	Limit         *string            `parquet:"limit,optional,dict"`
	Masked        bool               `parquet:"masked"`
	Malformed     int64              `parquet:"malformed_calls"`
	Refused       int64              `parquet:"refused_calls"`
	Started       time.Time          `parquet:"started,timestamp(microsecond)"`
	Ended         time.Time          `parquet:"ended,timestamp(microsecond)"`
	Messages      string             `parquet:"messages,zstd"`
}

func rowOf(run string, e runstore.Episode) (row, error) {
	messages := []sdk.Message{}
	for _, part := range e.Transcripts {
		messages = append(messages, part.Messages...)
	}
	text, err := json.Marshal(messages)
	if err != nil {
		return row{}, err
	}
	r := row{
		Run: run, Episode: e.EpisodeID, Task: e.TaskID, Split: string(e.Slot.Split), Stage: e.Slot.Stage,
		Step: int64(e.Slot.Step), Group: e.Slot.Group, Sample: int64(e.Slot.Sample), Attempt: int64(e.Attempt),
		Standing: string(e.Standing), Outcome: string(e.Outcome), Reward: e.Reward, Success: e.IsSuccess,
		Components: e.Components, Metrics: e.Metrics, FinalAnswer: e.FinalAnswer, Turns: int64(e.NumTurns),
		PromptTokens: int64(e.PromptTokens), OutputTokens: int64(e.OutputTokens), PolicyVersion: e.PolicyVersion,
		Masked: e.Masked, Malformed: int64(e.Malformed), Refused: int64(e.Refused), Started: e.Started, Ended: e.At,
		Messages: string(text),
	}
	if e.Failure != nil {
		class := string(e.Failure.Class)
		r.FailureClass, r.Failure = &class, &e.Failure.Detail
	}
	if e.Limit != nil {
		r.Limit = &e.Limit.Name
	}
	return r, nil
}

// WriteParquet writes a file with a row for each episode, and returns their number. The column messages is the
// conversation as JSON in OpenAI's form. After an error, the path is as it was.
func WriteParquet(path, run string, episodes iter.Seq2[runstore.Episode, error]) (rows int, err error) {
	err = wholefile.Write(path, temporary, ownerfile.File, func(w io.Writer) error {
		out := parquet.NewGenericWriter[row](w, parquet.MaxRowsPerRowGroup(rowGroup))
		for e, err := range episodes {
			if err != nil {
				return err
			}
			r, err := rowOf(run, e)
			if err != nil {
				return err
			}
			if _, err := out.Write([]row{r}); err != nil {
				return err
			}
			rows++
		}
		return out.Close()
	})
	return rows, err
}
