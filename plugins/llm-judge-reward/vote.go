package llmjudgereward

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/openai"
)

// vote returns the judge's nth verdict on an episode, either from memory or by requesting it.
func (r *reward) vote(ctx context.Context, asked *prompt, n int, spent *expenses) (verdict, error) {
	key := r.config.key(asked, n)
	v, known, err := r.cache.once(ctx, hex.EncodeToString(key[:]), func() (verdict, error) {
		return r.ask(ctx, asked, binary.BigEndian.Uint64(key[:]), spent)
	})
	if known {
		spent.add(map[string]float64{metricRemembered: 1})
	}
	return v, err
}

// key returns a digest of all inputs of a vote.
func (c *config) key(asked *prompt, n int) [sha256.Size]byte {
	decides, err := json.Marshal(struct {
		Version, Vote, Scale, MaxTokens int
		URL, Model, System, User, Form  string
		Temperature, TopP               *float64
		Seed                            bool
		Extra                           map[string]json.RawMessage
		Criteria                        []string
	}{
		1, n, c.Scale, c.MaxTokens, c.BaseURL, c.Name, asked.system, asked.user, c.Form, c.Temperature, c.TopP, c.Seed,
		c.Extra, c.names(),
	})
	if err != nil {
		panic(err) // made of strings, numbers and decoded JSON: never fails
	}
	return sha256.Sum256(decides)
}

// ask requests a verdict, with retries for invalid answers.
func (r *reward) ask(ctx context.Context, asked *prompt, seed uint64, spent *expenses) (verdict, error) {
	messages := []sdk.Message{{Role: sdk.RoleSystem, Content: asked.system}, {Role: sdk.RoleUser, Content: asked.user}}
	for try := 1; ; try++ {
		answer, err := r.send(ctx, messages, seed+uint64(try-1)<<33, spent)
		var v verdict
		var unreadable error
		if err == nil {
			if v, unreadable = r.read(answer, asked.id); unreadable == nil {
				return v, nil
			}
			spent.add(map[string]float64{metricUnreadable: 1})
			err = &sdk.Failure{Class: sdk.FailureReward, Retryable: true, Detail: fmt.Sprintf(
				"the judge returned no valid verdict in %d tries: last answer: %v", try, unreadable)}
		}
		if try >= r.config.Tries || ctx.Err() != nil || unreadable == nil && !isAnswerLost(err) {
			return verdict{}, requestFailure(err)
		}
		if unreadable != nil {
			messages = append(messages[:2:2],
				sdk.Message{Role: sdk.RoleAssistant, Content: truncate(verdictText(answer), maxReasonBytes)},
				sdk.Message{Role: sdk.RoleUser, Content: fmt.Sprintf("That was not what you were asked for: %v. Answer with the "+
					"JSON object and nothing else; its id is %s.", unreadable, asked.id)})
		}
	}
}

// read parses a response as a verdict.
func (r *reward) read(answer *sdk.GenerateResponse, id string) (verdict, error) {
	if answer.Finish == sdk.FinishLength {
		return verdict{}, fmt.Errorf("it was truncated after %d tokens (max_tokens)", r.config.MaxTokens)
	}
	return r.config.readVerdict(verdictText(answer), id)
}

// send sends a single request, in the first form that the server does not reject.
func (r *reward) send(
	ctx context.Context, messages []sdk.Message, seed uint64, spent *expenses,
) (*sdk.GenerateResponse, error) {
	leave, err := r.server.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	var refused error
	forms := r.forms()
	for i, form := range forms {
		answer, err := r.pay(ctx, r.config.question(form, messages, seed), spent)
		if err == nil {
			r.setForm(form, refused)
			return answer, nil
		}
		var refusal *openai.AskError
		if i == len(forms)-1 || !errors.As(err, &refusal) || !refusesForm(refusal) || isContextFull(err) {
			return nil, err
		}
		refused = err
	}
	panic("the instructions have no form") // they always have one
}

// pay sends a request if the budget allows it.
func (r *reward) pay(ctx context.Context, q openai.Question, spent *expenses) (*sdk.GenerateResponse, error) {
	most := r.config.maxCallCost(q)
	if err := r.budget.begin(ctx, most); err != nil {
		return nil, err
	}
	if r.cache != nil { // a paid verdict is stored even if its caller has left
		ctx = context.WithoutCancel(ctx)
	}
	answer, err := r.server.Ask(ctx, q)
	cost, served := most, true
	var failed *openai.AskError
	switch {
	case errors.As(err, &failed) && failed.NotSampled:
		cost, served = 0, false
	case err == nil && answer.PromptTokens+answer.OutputTokens > 0:
		cost = r.config.cost(answer.PromptTokens, answer.OutputTokens)
	}
	if wrong := r.budget.end(most, cost, served); wrong != nil {
		return nil, wrong
	}
	numbers := map[string]float64{metricCalls: 1, metricCost: cost}
	if answer != nil {
		numbers[metricPromptTokens], numbers[metricOutputTokens] = float64(answer.PromptTokens), float64(answer.OutputTokens)
	}
	if served {
		spent.add(numbers)
	}
	return answer, err
}

// maxCallCost returns the maximum cost of a call: a token has at least one byte.
func (c *config) maxCallCost(q openai.Question) float64 {
	bytes := 1024 // of the template and the separators
	for _, m := range q.Messages {
		bytes += len(m.Content)
	}
	for _, t := range q.Tools {
		bytes += len(t.Parameters)
	}
	for _, member := range q.Extra {
		bytes += len(member)
	}
	return c.cost(bytes, c.MaxTokens)
}

// isAnswerLost reports whether a response may have been lost. The endpoint itself has already retried unserved calls as
// often as allowed, at the pace that the server requested.
func isAnswerLost(err error) bool {
	var asked *openai.AskError
	return errors.As(err, &asked) && !asked.NotSampled
}

// isContextFull reports whether the episode is longer than the judge's context.
func isContextFull(err error) bool {
	var failed *sdk.GenerateError
	return errors.As(err, &failed) && failed.Kind == sdk.GenerateContextFull
}

// requestFailure converts an endpoint error to a failure. An error that the user must fix stops the run.
func requestFailure(err error) error {
	var failure *sdk.Failure
	var failed *sdk.GenerateError
	if errors.As(err, &failure) || !errors.As(err, &failed) {
		return err // about the budget, or the end of the caller
	}
	out := &sdk.Failure{Class: sdk.FailureReward, Detail: "the judge " + failed.Detail}
	var why openai.AskError
	if asked := (*openai.AskError)(nil); errors.As(err, &asked) {
		why = *asked
	}
	switch {
	case isContextFull(err):
		out.Detail += ". The episode is longer than the judge's context: set longest, and set too_long to the score " +
			"of such an " +
			"episode"
	case why.NeedsUserAction():
		out.StopRun = true
		out.Detail += ". Verdicts so far are kept: correct the key or the account and resume the run"
	case why.Status == 0 || why.Status == http.StatusOK, why.Status == http.StatusTooManyRequests,
		why.Status == http.StatusRequestTimeout, why.Status >= http.StatusInternalServerError:
		out.Retryable = true
	}
	return out
}
