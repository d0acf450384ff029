package python

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/doctor/internal/child"
)

// Torch is what torch says of the devices that it can use.
type Torch struct {
	Version  string   `json:"version"`
	BuiltFor string   `json:"built_for,omitempty"` // "CUDA 12.8", "ROCm 6.3"; empty: the CPU only
	CUDA     bool     `json:"cuda_available"`      // of ROCm as well, which torch calls cuda
	Devices  []string `json:"devices,omitempty"`   // their names, as CUDA_VISIBLE_DEVICES leaves them
}

// TorchCommand is what AskTorch runs, for people.
const TorchCommand = "python -I -B -c 'import torch; …'"

// askTorch is given the directory that torch lies in: isolated Python does not search the user's own. Lines that something
// else prints come before the last.
const askTorch = `import json, sys
if sys.argv[1] not in sys.path:
    sys.path.append(sys.argv[1])
import torch
hip = getattr(torch.version, "hip", None)
cuda = torch.cuda.is_available()
print()
print(json.dumps({
    "version": str(torch.__version__),
    "built_for": "CUDA " + torch.version.cuda if torch.version.cuda else "ROCm " + hip if hip else "",
    "cuda_available": cuda,
    "devices": [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())] if cuda else [],
}))
`

// passed are the variables that decide whether Python finds its libraries and torch its devices. Nothing else, secrets
// above all, is handed to code that somebody installed.
var passed = []string{
	"PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",
	"NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ROCM_PATH",
}

// AskTorch starts the environment's Python and imports torch there. That executes what is installed in the environment,
// and nothing else: -I keeps the working directory, PYTHONPATH and the like out, -B keeps Python from writing caches.
func AskTorch(ctx context.Context, e *Environment, environ []string) (Torch, error) {
	torch, ok := e.Package("torch")
	if !ok {
		return Torch{}, fmt.Errorf("%s holds no torch", e.Prefix)
	}
	out, err := child.Output(ctx, child.Command{Path: e.Python, Args: []string{"-I", "-B", "-c", askTorch, torch.Dir}, Env: only(environ, passed)})
	if err != nil {
		return Torch{}, err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var answer Torch
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &answer); err != nil {
		return Torch{}, fmt.Errorf("%s answered %.80q instead of JSON", e.Python, lines[len(lines)-1])
	}
	return answer, nil
}

// only are the variables with these names.
func only(environ, names []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return !slices.Contains(names, name)
	})
}
