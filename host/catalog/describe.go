package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/internal/child"
	"github.com/awhost/awhost/sdk"
)

const (
	defaultDescribeTimeout = 30 * time.Second

	// maxDescriptionBytes limits the output of `PROGRAM describe`.
	maxDescriptionBytes = 8 << 20
)

// notOurs ends the messages about programs that do not behave like plugins.
const notOurs = "is it an awhost plugin? its main function must call sdk.Serve, or awhost.serve in Python"

// runDescribe runs `PROGRAM describe` and returns the JSON that it prints on standard output.
func runDescribe(ctx context.Context, command []string, limit time.Duration) (json.RawMessage, error) {
	program := strings.Join(command, " ")
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], append(slices.Clone(command[1:]), "describe")...)
	cmd.Env = append(describeEnv(os.Environ()), noBytecode+"=1")
	stdout, stderr := &child.Head{Limit: maxDescriptionBytes, Strict: true}, &child.Head{Limit: child.MaxMessageBytes}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := child.Run(cmd)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("`%s describe` did not respond within %s: %s, before any slow "+
			"operation%s", program, limit, notOurs, child.Said(stderr))
	case ctx.Err() != nil:
		return nil, fmt.Errorf("run `%s describe`: %w", program, ctx.Err())
	case stdout.Full:
		return nil, fmt.Errorf("`%s describe` printed more than %d bytes: %s", program, maxDescriptionBytes, notOurs)
	case err != nil:
		return nil, fmt.Errorf("run `%s describe`: %w: %s%s", program, err, notOurs, child.Said(stderr))
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, withoutNoise(stdout.Text)); err != nil {
		return nil, fmt.Errorf("`%s describe` did not print a description (%s), but %q: "+
			"%s%s", program, err, child.FirstBytes(stdout.Text), notOurs, child.Said(stderr))
	}
	return compact.Bytes(), nil
}

// withoutNoise removes what libraries print before the description when they are loaded.
func withoutNoise(text []byte) []byte {
	if start := bytes.LastIndex(text, []byte("\n{")); start >= 0 && !json.Valid(text) {
		return text[start:]
	}
	return text
}

// describeEnv keeps the variables that a program needs to start, the same as for a plugin in a run. They contain no
// secrets.
func describeEnv(host []string) []string {
	inherited := []string{"PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "USER", "LOGNAME", "GOCOVERDIR", "GORACE"}
	return slices.DeleteFunc(slices.Clone(host), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return !slices.Contains(inherited, name) && !strings.HasPrefix(name, "LC_")
	})
}

// checkFeatures returns an error if this host lacks a feature that the plugin requires.
func checkFeatures(d *sdk.Description) error {
	if len(d.RequiredFeatures) > 0 { // this version of the host has no optional features
		return fmt.Errorf("it requires host features that awhost %s lacks: %s: use a newer "+
			"awhost", sdk.Version, strings.Join(d.RequiredFeatures, ", "))
	}
	if d.MaxMessageBytes > sdk.MaxMessageBytes {
		return fmt.Errorf("it declares messages of up to %d bytes (max_message_bytes), which exceeds the maximum of "+
			"%d (1 GiB): its author must lower the limit",
			d.MaxMessageBytes, sdk.MaxMessageBytes)
	}
	return nil
}
