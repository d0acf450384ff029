package llmjudgereward

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Ways to combine several votes.
const (
	combineMean     = "mean"
	combineMedian   = "median"
	combineMajority = "majority"
)

// combine computes a score from votes.
func (c *config) combine(votes []verdict, private json.RawMessage) sdk.Scored {
	shares := map[string]float64{}
	for _, name := range c.names() {
		var points []int
		for _, v := range votes {
			points = append(points, v.Points[name])
		}
		shares[name] = combined(c.Combine, points) / float64(c.Scale)
	}
	out := sdk.Scored{Score: c.weightedMean(shares), Components: shares, Notes: c.notes(votes, private)}
	shares[componentVotes], shares[componentSpread] = float64(len(votes)), c.scoreRange(votes)
	if c.Success != nil {
		success := out.Score >= *c.Success
		out.IsSuccess = &success
	}
	return out
}

// combined reduces several point values to one number.
func combined(how string, points []int) float64 {
	slices.Sort(points)
	switch n := len(points); how {
	case combineMedian:
		return float64(points[(n-1)/2]+points[n/2]) / 2
	case combineMajority:
		return float64(mostFrequent(points))
	}
	sum := 0
	for _, p := range points {
		sum += p
	}
	return float64(sum) / float64(len(points))
}

// mostFrequent returns the most frequent number in a sorted list, or the lowest such number if there is a tie.
func mostFrequent(sorted []int) int {
	best, times := 0, 0
	for i := 0; i < len(sorted); {
		n := i
		for n < len(sorted) && sorted[n] == sorted[i] {
			n++
		}
		if n-i > times {
			best, times = sorted[i], n-i
		}
		i = n
	}
	return best
}

// weightedMean returns the weighted mean over the criteria.
func (c *config) weightedMean(shares map[string]float64) float64 {
	sum, total := 0.0, 0.0
	for _, name := range c.names() {
		sum += c.Criteria[name].Weight * shares[name]
		total += c.Criteria[name].Weight
	}
	return sum / total
}

// scoreRange returns the difference between the highest and lowest scores among the votes.
func (c *config) scoreRange(votes []verdict) float64 {
	var scores []float64
	for _, v := range votes {
		shares := map[string]float64{}
		for name, points := range v.Points {
			shares[name] = float64(points) / float64(c.Scale)
		}
		scores = append(scores, c.weightedMean(shares))
	}
	return slices.Max(scores) - slices.Min(scores)
}

// notes returns the judge's reasons without the private part, which the judge may quote if it was shown that part.
func (c *config) notes(votes []verdict, private json.RawMessage) map[string]string {
	hide := func(text string) string { return text }
	if c.ShowTruth {
		hide = newRedactor(private)
	}
	if len(votes) == 1 {
		return map[string]string{"reason": hide(votes[0].Reason)}
	}
	out := map[string]string{}
	for i, v := range votes {
		var points []string
		for _, name := range c.names() {
			points = append(points, fmt.Sprintf("%s %d", name, v.Points[name]))
		}
		out[fmt.Sprintf("vote_%02d", i+1)] = fmt.Sprintf("%s of %d: %s", strings.Join(points, ", "), c.Scale, hide(v.Reason))
	}
	return out
}

// newRedactor returns a function that removes the strings and numbers of a JSON value from a text.
func newRedactor(private json.RawMessage) func(string) string {
	var value any
	decoder := json.NewDecoder(strings.NewReader(string(private)))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return func(string) string { return "" }
	}
	secrets := leaves(value, nil)
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // whole texts before parts of them
	return func(text string) string {
		for _, secret := range secrets {
			text = wordPattern(secret).ReplaceAllLiteralString(text, "[private]")
		}
		return text
	}
}

// leaves returns the strings and numbers in a value.
func leaves(value any, out []string) []string {
	switch v := value.(type) {
	case string:
		out = append(out, strings.TrimSpace(v))
	case json.Number:
		out = append(out, v.String())
	case []any:
		for _, each := range v {
			out = leaves(each, out)
		}
	case map[string]any:
		for _, each := range v {
			out = leaves(each, out)
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// wordPattern returns a pattern that matches a string except inside a word.
func wordPattern(text string) *regexp.Regexp {
	const word = `^[0-9A-Za-z_]$`
	pattern := regexp.QuoteMeta(text)
	if ok, _ := regexp.MatchString(word, text[:1]); ok {
		pattern = `\b` + pattern
	}
	if ok, _ := regexp.MatchString(word, text[len(text)-1:]); ok {
		pattern += `\b`
	}
	return regexp.MustCompile("(?i)" + pattern)
}
