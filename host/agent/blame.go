package agent

import (
	"errors"
	"fmt"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// The numbers of an endpoint that say that a program has found it.
const (
	askedCalls   = "calls"
	askedRefused = "refused"
)

// mostContacted bounds how many of those are named whom a program has asked instead of the policy.
const mostContacted = 8

// unreached explains an episode in which nobody asked the policy, although a program was told where it is.
func (s *scene) unreached(
	request sdk.AgentRequest, asked map[string]float64, response *sdk.AgentResponse, err error,
) error {
	endpoint, served := request.Models[sdk.ModelPolicy]
	var failure *sdk.Failure
	switch {
	case err == nil && len(s.lines) == 0 && s.unserved != nil:
		return s.unserved // the agent took the refusal for an answer
	case !served || len(s.lines) > 0 || s.full != nil || s.fatal != nil:
		return err
	case asked[askedCalls] > 0 || asked[askedRefused] > 0: // it did, and got no answer
		return err
	case err == nil && s.episode.Member: // by rules
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

// instead says whom a program has asked that did not ask the policy, as far as anybody knows.
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

// isAgents reports whether a plugin took a failure for one of its own.
func isAgents(err error) bool {
	var failure *sdk.Failure
	return errors.As(err, &failure) && failure.Class == sdk.FailureAgent
}

// blame makes failures that the plugin reports its own, unless it has lost what it works with.
func blame(err error) error {
	var failure *sdk.Failure
	if !errors.As(err, &failure) || isInfrastructure(err) {
		return err
	}
	return &sdk.Failure{Class: sdk.FailureAgent, Detail: failure.Detail, Retryable: failure.Retryable}
}
