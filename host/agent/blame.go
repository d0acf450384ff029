package agent

import (
	"errors"
	"fmt"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// These endpoint metrics show that a program has reached the endpoint.
const (
	askedCalls   = "calls"
	askedRefused = "refused"
)

// mostContacted limits the listed addresses that a program contacted instead of the policy.
const mostContacted = 8

// unreached explains why an episode made no request to the policy, although a program was given its address.
func (s *pluginEpisode) unreached(
	request sdk.AgentRequest, asked map[string]float64, response *sdk.AgentResponse, err error,
) error {
	endpoint, served := request.Models[sdk.ModelPolicy]
	var failure *sdk.Failure
	switch {
	case err == nil && len(s.conversations) == 0 && s.unserved != nil:
		return s.unserved // the agent treated the refusal as an answer
	case !served || len(s.conversations) > 0 || s.full != nil || s.fatal != nil:
		return err
	case asked[askedCalls] == 0 && s.refusal != "" && (err == nil || errors.As(err, &failure)):
		return s.allRefused(failure)
	case asked[askedCalls] > 0 || asked[askedRefused] > 0: // requests arrived, but got no answer
		return err
	case err == nil && s.episode.Member: // a rule-based member
		return nil
	case err == nil:
		failure = &sdk.Failure{Class: sdk.FailureAgent, Detail: "the agent ended without asking the policy for anything"}
	case errors.As(err, &failure) && failure.Class == sdk.FailureAgent:
		failure = &sdk.Failure{
			Class: sdk.FailureAgent, Retryable: failure.Retryable,
			Detail: failure.Detail + "; it has not asked the policy for anything",
		}
	default:
		return err
	}
	failure.Detail += fmt.Sprintf(": it was given %s, and a key; ", endpoint.BaseURL) + instead(response)
	return failure
}

// allRefused explains an episode whose requests to the policy were all refused. failure is the agent's own, or nil.
func (s *pluginEpisode) allRefused(failure *sdk.Failure) error {
	out := &sdk.Failure{Class: sdk.FailureAgent, Detail: "all of the agent's requests were refused: " + s.refusal}
	if failure != nil {
		out.Class, out.Retryable = failure.Class, failure.Retryable
		out.Detail = failure.Detail + "; " + out.Detail
	}
	return out
}

// instead describes the addresses that a program contacted instead of the policy, if known.
func instead(response *sdk.AgentResponse) string {
	if response == nil || len(response.Contacted) == 0 {
		return "a program with a base URL of its own, in its settings or in its code, asks somebody else"
	}
	places := response.Contacted[:min(len(response.Contacted), mostContacted)]
	return "it probably asked " + strings.Join(places, ", ") + " instead, which it has connected to"
}

func isInfrastructure(err error) bool {
	var failure *sdk.Failure
	return errors.As(err, &failure) && failure.Class == sdk.FailureInfrastructure
}

// isAgents reports whether a plugin classified a failure as its own.
func isAgents(err error) bool {
	var failure *sdk.Failure
	return errors.As(err, &failure) && failure.Class == sdk.FailureAgent
}

// blame attributes failures reported by the plugin to the agent, except for infrastructure failures.
func blame(err error) error {
	var failure *sdk.Failure
	if !errors.As(err, &failure) || isInfrastructure(err) {
		return err
	}
	return &sdk.Failure{Class: sdk.FailureAgent, Detail: failure.Detail, Retryable: failure.Retryable}
}
