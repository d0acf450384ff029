package tracking

import (
	"context"
	"os"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/tracking/tensorboard"
	"github.com/awhost/awhost/sdk/metric"
)

// The tags of histograms and texts. The tags for scalars are the metric names.
const (
	trainHistograms      = "histograms/train/"
	validationHistograms = "histograms/validation/"
	generations          = "generations/" // prefix of the task's id
)

// board writes TensorBoard event files to a directory.
type board struct {
	config Config
	dir    string
	began  time.Time
	writer *tensorboard.Writer
	begin  int // step of the session to start before the next point; -1: a session is open
	told   bool
}

func newBoard(config Config) *board {
	return &board{config: config, dir: config.Run.TensorBoardDir(), began: config.Now()}
}

// Open implements place. It continues after the existing event files.
func (b *board) Open(context.Context) (int, error) {
	done, err := tensorboard.Done(b.config.FS, b.dir)
	if err != nil {
		return 0, err
	}
	host, _ := os.Hostname() // used only as a part of a name
	b.writer, b.begin, b.told = tensorboard.Open(b.config.FS, b.dir, host, b.config.Now), done, false
	return done, nil
}

// Take implements place.
func (b *board) Take(news runstore.Update, read func(runstore.Sample) (*runstore.EpisodeRecord, error)) error {
	switch {
	case news.Row != nil:
		return b.row(news.Row, read)
	case news.Void != nil && b.begin < 0:
		b.begin = *news.Void
	case news.Void != nil:
		b.begin = min(b.begin, *news.Void)
	}
	return nil
}

func (b *board) row(row *runstore.StepRow, read func(runstore.Sample) (*runstore.EpisodeRecord, error)) error {
	if err := b.session(); err != nil {
		return err
	}
	point := tensorboard.Point{
		Step: row.Step, At: row.At, Scalars: row.Values, Histograms: map[string][]float64{}, Texts: map[string]string{},
	}
	addHistograms(point.Histograms, trainHistograms, row.Used)
	addHistograms(point.Histograms, validationHistograms, row.Validated)
	for _, s := range firstOfTasks(row.Validated, b.config.Generations) {
		episode, err := read(s)
		if err != nil {
			return err
		}
		point.Texts[generations+s.TaskID] = markdown(b.config.Run.Ref(), episode)
	}
	return b.writer.Write(point)
}

// session starts a session if one is due.
func (b *board) session() error {
	if b.begin < 0 {
		return nil
	}
	if err := b.writer.Begin(b.begin); err != nil {
		return err
	}
	b.begin = -1
	if b.told {
		return nil
	}
	b.told = true
	return b.writer.Describe(tensorboard.HParams{
		Name: b.config.Run.Ref(), Values: b.config.Settings, Began: b.began,
		Metrics: []string{metric.Reward, metric.ValidationSuccessRate},
	})
}

// Close implements place.
func (b *board) Close(outcome event.RunOutcome) error {
	if b.writer == nil {
		return nil
	}
	writer := b.writer
	b.writer = nil
	var err error
	switch {
	case !b.told: // there is nothing to finish: no file
	case outcome == event.RunCompleted:
		err = writer.Finish(tensorboard.StatusSuccess)
	case outcome == event.RunFailed:
		err = writer.Finish(tensorboard.StatusFailure)
	}
	if closing := writer.Close(); err == nil {
		err = closing
	}
	return err
}

// addHistograms adds the per-episode values.
func addHistograms(to map[string][]float64, prefix string, samples []runstore.Sample) {
	for _, s := range samples {
		if s.Reward != nil {
			to[prefix+"reward"] = append(to[prefix+"reward"], *s.Reward)
		}
		to[prefix+"output_tokens"] = append(to[prefix+"output_tokens"], float64(s.OutputTokens))
		to[prefix+"turns"] = append(to[prefix+"turns"], float64(s.NumTurns))
	}
}

// firstOfTasks returns the first samples for the first n tasks, which are the same tasks in each validation.
func firstOfTasks(samples []runstore.Sample, n int) []runstore.Sample {
	var out []runstore.Sample
	seen := map[string]bool{}
	for _, s := range samples {
		if len(out) == n {
			break
		}
		if !seen[s.TaskID] {
			seen[s.TaskID] = true
			out = append(out, s)
		}
	}
	return out
}

var _ place = (*board)(nil)
