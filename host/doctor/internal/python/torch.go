package python

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/internal/child"
)

// Torch is torch's report on the devices that it can use.
type Torch struct {
	Version  string   `json:"version"`
	BuiltFor string   `json:"built_for,omitempty"` // "CUDA 12.8", "ROCm 6.3"; empty: CPU only
	CUDA     bool     `json:"cuda_available"`      // also true for ROCm, which torch calls cuda
	Devices  []string `json:"devices,omitempty"`   // device names, limited by CUDA_VISIBLE_DEVICES
}

// TorchCommand describes the command that AskTorch runs, for display to users.
const TorchCommand = "python -I -B -c 'import torch; …'"

// askTorch receives the directory that contains torch, because an isolated Python interpreter does not search the
// user's own packages. Its result is the last line; other code may print lines before it.
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

// passed lists the variables that Python needs to find its libraries and that torch needs to find its devices. Other
// variables, especially secrets, are not passed to installed code.
var passed = []string{
	"PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",
	"NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ROCM_PATH",
}

// AskTorch starts the environment's Python interpreter and imports torch. This executes only code that is installed in
// the environment: -I excludes the working directory, PYTHONPATH and similar sources, and -B prevents Python from
// writing caches.
func AskTorch(ctx context.Context, e *Environment, environ []string) (Torch, error) {
	torch, ok := e.Package("torch")
	if !ok {
		return Torch{}, fmt.Errorf("%s holds no torch", e.Prefix)
	}
	out, err := child.Output(ctx, child.Command{Path: e.Python, Args: []string{"-I", "-B", "-c", askTorch, torch.Dir},
		Env: only(environ, passed)})
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

// only returns the variables with the given names.
func only(environ, names []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return !slices.Contains(names, name)
	})
}
