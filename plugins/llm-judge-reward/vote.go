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
	"github.com/awhost/awhost/sdk/endpoint"
)

// vote is the judge's nth verdict on an episode, from memory or asked for.
func (r *reward) vote(ctx context.Context, asked *prompt, n int, spent *tally) (verdict, error) {
	key := r.config.key(asked, n)
	v, known, err := r.memory.once(ctx, hex.EncodeToString(key[:]), func() (verdict, error) {
		return r.ask(ctx, asked, binary.BigEndian.Uint64(key[:]), spent)
	})
	if known {
		spent.add(map[string]float64{metricRemembered: 1})
	}
	return v, err
}

// key is a digest of everything that decides a vote.
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
		panic(err) // it is made of texts, numbers, and JSON that was decoded
	}
	return sha256.Sum256(decides)
}

// ask asks for a verdict, again where there is none.
func (r *reward) ask(ctx context.Context, asked *prompt, seed uint64, spent *tally) (verdict, error) {
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
				"the judge gave no verdict in %d tries: of the last answer, %v", try, unreadable)}
		}
		if try >= r.config.Tries || ctx.Err() != nil || unreadable == nil && !lost(err) {
			return verdict{}, failureToAsk(err)
		}
		if unreadable != nil {
			messages = append(messages[:2:2],
				sdk.Message{Role: sdk.RoleAssistant, Content: cut(said(answer), longestReason)},
				sdk.Message{Role: sdk.RoleUser, Content: fmt.Sprintf("That was not what you were asked for: %v. Answer with the "+
					"JSON object and nothing else; its id is %s.", unreadable, asked.id)})
		}
	}
}

// read reads an answer as a verdict.
func (r *reward) read(answer *sdk.GenerateResponse, id string) (verdict, error) {
	if answer.Finish == sdk.FinishLength {
		return verdict{}, fmt.Errorf("it was cut after %d tokens (max_tokens)", r.config.MaxTokens)
	}
	return r.config.readVerdict(said(answer), id)
}

// send asks once, in the first form that the server does not refuse.
func (r *reward) send(
	ctx context.Context, messages []sdk.Message, seed uint64, spent *tally,
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
			r.took(form, refused)
			return answer, nil
		}
		var refusal *endpoint.AskError
		if i == len(forms)-1 || !errors.As(err, &refusal) || !refusesForm(refusal) || full(err) {
			return nil, err
		}
		refused = err
	}
	panic("there is no form") // forms are never none
}

// pay asks within the budget.
func (r *reward) pay(ctx context.Context, q endpoint.Question, spent *tally) (*sdk.GenerateResponse, error) {
	most := r.config.most(q)
	if err := r.purse.begin(ctx, most); err != nil {
		return nil, err
	}
	if r.memory != nil { // what is paid for is kept, also where nobody waits for it any more
		ctx = context.WithoutCancel(ctx)
	}
	answer, err := r.server.Ask(ctx, q)
	cost, served := most, true
	var failed *endpoint.AskError
	switch {
	case errors.As(err, &failed) && failed.Unserved:
		cost, served = 0, false
	case err == nil && answer.PromptTokens+answer.OutputTokens > 0:
		cost = r.config.cost(answer.PromptTokens, answer.OutputTokens)
	}
	if wrong := r.purse.end(most, cost, served); wrong != nil {
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

// most is what a call can cost at most: a token has at least a byte.
func (c *config) most(q endpoint.Question) float64 {
	bytes := 1024 // of the template, and of what holds the parts together
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

// lost reports whether an answer may have been on its way. What was not served the endpoint has sent again itself, as
// often as it may and not before the server wants it.
func lost(err error) bool {
	var asked *endpoint.AskError
	return errors.As(err, &asked) && !asked.Unserved
}

// full reports whether the episode is longer than the judge's context.
func full(err error) bool {
	var failed *sdk.GenerateError
	return errors.As(err, &failed) && failed.Kind == sdk.GenerateContextFull
}

// failureToAsk makes a failure of an error of the endpoint. What a person has to change stops the run.
func failureToAsk(err error) error {
	var failure *sdk.Failure
	var failed *sdk.GenerateError
	if errors.As(err, &failure) || !errors.As(err, &failed) {
		return err // of the budget, or the caller's end
	}
	out := failf("the judge %s", failed.Detail)
	var why endpoint.AskError
	if asked := (*endpoint.AskError)(nil); errors.As(err, &asked) {
		why = *asked
	}
	switch {
	case full(err):
		out.Detail += ". The episode is longer than the judge's context: set longest and too_long to say what such an " +
			"episode is worth"
	case why.NeedsPerson():
		out.StopRun = true
		out.Detail += ". Verdicts so far are kept: mend the key or the account and resume the run"
	case why.Status == 0 || why.Status == http.StatusOK, why.Status == http.StatusTooManyRequests,
		why.Status == http.StatusRequestTimeout, why.Status >= http.StatusInternalServerError:
		out.Retryable = true
	}
	return out
}
