package gateway

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marks between a lease's key and a percent-encoded member name. Programs with several named agents, which can
// configure only a base URL and a key, use them to identify the calling agent.
const (
	markMember    = ".member."
	markUntrained = ".untrained." // the policy answers the member and is not trained on it
)

// MemberUntrained is the prefix for members whose requests are answered but that are not trained.
const MemberUntrained = "untrained/"

// MemberServed is the prefix for members answered by a served model; it is followed by the model's name.
const MemberServed = "served/"

// mostNameRunes limits the length of a member's name.
const mostNameRunes = 64

// credential holds a request's key and the suffix of that key.
type credential struct {
	key    string // of the lease
	member string // calling part of the agent; empty: the agent itself
}

// credentialOf parses a request's key and the member in its suffix.
func credentialOf(r *http.Request) (credential, *problem) {
	text := r.Header.Get("X-Api-Key")
	if scheme, bearer, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		text = strings.TrimSpace(bearer)
	}
	for _, mark := range []string{markMember, markUntrained} {
		key, encoded, found := strings.Cut(text, mark)
		if !found {
			continue
		}
		name, err := url.PathUnescape(encoded)
		if err != nil || !isMemberName(name) {
			return credential{key: key}, &problem{status: http.StatusUnauthorized, kind: kindAuthentication,
				text: fmt.Sprintf("%q after the key is not a valid member name: write %sNAME, percent-encoded, with up to %d "+
					"printable characters and no slash", mark+shorten(encoded), mark, mostNameRunes)}
		}
		if mark == markUntrained {
			name = MemberUntrained + name
		}
		return credential{key, name}, nil
	}
	return credential{key: text}, nil
}

func isMemberName(name string) bool {
	bad := func(r rune) bool { return r == '/' || !unicode.IsPrint(r) }
	return name != "" && name != MemberAuxiliary && utf8.ValidString(name) &&
		utf8.RuneCountInString(name) <= mostNameRunes && strings.IndexFunc(name, bad) < 0
}

// modelFor returns the target of a requested model: of the longest matching pattern in ModelNames, if there is one.
// They do not apply to the policy's name and the names of served models.
func (l *Lease) modelFor(requested string) string {
	if _, served := l.Served[requested]; served || requested == "" || requested == modelName {
		return requested
	}
	longest, target := "", requested
	for pattern, to := range l.ModelNames {
		if cmp.Or(cmp.Compare(len(pattern), len(longest)), cmp.Compare(pattern, longest)) > 0 &&
			matchStars(pattern, requested) {
			longest, target = pattern, to
		}
	}
	return target
}

// matchStars reports whether a name matches a pattern in which * matches any text.
func matchStars(pattern, name string) bool {
	quoted := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `(?s:.*)`)
	return regexp.MustCompile("^(?:" + quoted + ")$").MatchString(name)
}

// routes finds the served model for a request. If there are served models, any name other than theirs and the policy's
// is rejected, because it may be misspelled.
func (a *ask) routes(l *lease, member string) *problem {
	target := l.modelFor(a.model)
	name, served := l.Served[target]
	switch {
	case served:
		a.by, a.request.Member = name, MemberServed+name
		if member != "" {
			a.request.Member += "/" + strings.TrimPrefix(member, MemberUntrained)
		}
		a.key = a.key.of(a.request.Member)
	case len(l.Served) > 0 && target != "" && target != modelName:
		return refused("model", "unknown model %q: use %s for the policy, the served model %s, or a name that model_names "+
			"maps to one of them", shorten(a.model), modelName, strings.Join(slices.Sorted(maps.Keys(l.Served)), " or "))
	}
	return nil
}

// asks assigns a request to a member. The key's member takes precedence over the headers, and auxiliary requests stay
// auxiliary.
func (a *ask) asks(l *lease, member string) *problem {
	if p := a.routes(l, member); p != nil || a.by != "" {
		return p
	}
	if member == "" || a.request.Member == MemberAuxiliary {
		return nil
	}
	if l.TrainsAll && strings.HasPrefix(member, MemberUntrained) {
		return &problem{status: http.StatusBadRequest, kind: kindInvalid, text: fmt.Sprintf(
			"%s must not be trained, but this run's trainer trains all messages of the policy (trains_all): give it a "+
				"separate model, train it too, or use another adapter", strings.TrimPrefix(member, MemberUntrained))}
	}
	a.request.Member = member
	a.key = a.key.of(member) // equal requests of two members are two calls
	return nil
}

// isTrained reports whether the policy may be trained on its answers to a member.
func isTrained(member string) bool {
	return member != MemberAuxiliary && !strings.HasPrefix(member, MemberUntrained) &&
		!strings.HasPrefix(member, MemberServed)
}
