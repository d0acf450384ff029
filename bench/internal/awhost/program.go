package awhost

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// IsPlugin reports whether a host started the benchmark as a plugin of its spec.
func IsPlugin(args []string) bool {
	return os.Getenv(sdk.Handshake.MagicCookieKey) != "" || len(args) == 2 && args[1] == "describe"
}

// Numbers parses a flag that holds distinct positive numbers, separated by commas.
func Numbers(list string) (out []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		if n < 1 || slices.Contains(out, n) {
			return nil, errors.New("has to have positive numbers, each once")
		}
		out = append(out, n)
	}
	return out, nil
}
