package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk/python"
)

// errNoExport reports that the spec names a policy that the embedded trainer cannot train.
var errNoExport = errors.New("the embedded trainer starts with random weights, or with a directory that " +
	"`awhost export` wrote for one of its policies: remove `policy`, correct the path, or use another adapter to train " +
	"your model")

// exportedPolicy returns a policy with the weights of the model block that the spec names as policy, or nil if it names
// none.
func exportedPolicy(block json.RawMessage, model tinylm.Config, o tinylm.Options) (*tinylm.Policy, error) {
	dir, err := python.PolicyPath(block)
	if err != nil || dir == "" {
		return nil, err
	}
	policy, err := tinylm.LoadModel(dir, o)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, errNoExport)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; %w", err, errNoExport)
	}
	if policy.Config() != model {
		return nil, fmt.Errorf("the policy in %s is %+v, but preset and context specify %+v: use the ones that it was "+
			"trained with", dir, policy.Config(), model)
	}
	return policy, nil
}
