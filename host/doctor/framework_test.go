package doctor

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/awhost/awhost/internal/testlevel/property"
)

var gymnast = Framework{Name: "Gymnast", Package: "gymnast", Engines: []string{"fast-engine", "slow-engine"},
	Support: []Range{
		{From: "0.10", Tier: Untested, Why: "newer than what was tested"},
		{From: "0.7.1", Tier: FirstClass},
		{From: "0.6", Below: "0.7.1", Tier: BestEffort, Remedy: "upgrade"},
		{Below: "0.6", Tier: Refused, Why: "its loop has no reward", Remedy: "pip install 'gymnast>=0.7.1'"},
	}}

func TestRate_FollowsTheRanges(t *testing.T) {
	for version, want := range map[string]Tier{
		"0.5.0": Refused, "0.5.0.post2": Refused, "0.5.0.dev0": Refused, "0.6.0": BestEffort, "0.6.1": BestEffort,
		"0.7.0": BestEffort, "0.7": BestEffort,
		"0.7.1": FirstClass, "0.8.0": FirstClass, "0.9.1": FirstClass, "0.9.1+cu128": FirstClass, "0.9.1.post1": FirstClass,
		"v0.9":     FirstClass,
		"0.8.0rc1": Untested, "0.9.0.dev0": Untested, "0.10.0.dev0": Untested, "0.10.0": Untested, "1.0": Untested,
		"1!0.8.0": Untested,
		"":        Untested, "unknown": Untested, "main": Untested,
	} {
		if got := gymnast.rate(version); got.Tier != want {
			t.Errorf("%q: %s (%s), want %s", version, got.Tier, got.Why, want)
		}
	}
	if got := (Framework{}).rate("1.0"); got.Tier != Untested {
		t.Errorf("a framework of which nothing is known: %+v", got)
	}
}

// The order of releases depends on their numbers only, not on suffixes.
func TestVersion_OrdersByNumbers(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.IntRange(0, 30), 1, 4)
		suffix := rapid.SampledFrom([]string{"", "rc1", ".dev3", "+cpu", ".post1", "a2"})
		a, b := numbers.Draw(t, "a"), numbers.Draw(t, "b")
		va, errA := parseRelease(dotted(a) + suffix.Draw(t, "behind a"))
		vb, errB := parseRelease(dotted(b) + suffix.Draw(t, "behind b"))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		for len(a) < 4 {
			a = append(a, 0)
		}
		for len(b) < 4 {
			b = append(b, 0)
		}
		if got, want := sign(va.compare(vb)), slices.Compare(a, b); got != want {
			t.Errorf("%v against %v: %d, want %d", a, b, got, want)
		}
	})
}

func dotted(numbers []int) string {
	var parts []string
	for _, n := range numbers {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ".")
}

func sign(n int) int { return max(-1, min(1, n)) }

// FuzzParseRelease tests versions from untrusted metadata.
func FuzzParseRelease(f *testing.F) {
	for _, seed := range []string{"0.9.1", "1!2.0rc1", "99999999999999999999", "1..2", ".", "2.8.0+cu128", "1.0.dev"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := parseRelease(text)
		if err == nil && (len(v.release) == 0 || v.compare(v) != 0) {
			t.Errorf("%q: %+v", text, v)
		}
		if got := gymnast.rate(text); got.Tier == "" {
			t.Errorf("%q has no tier", text)
		}
	})
}
