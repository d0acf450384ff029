package codeenv

import (
	"fmt"
	"testing"
)

// writeFakeModules writes a module under every name of the standard library, and under the names that Python imports at
// its start. If a server imports it, the module answers instead of the server: it claims that the server can be reused,
// and serves every later episode.
const writeFakeModules = `
import os, sys
module = '''
import sys
sys.path[:] = [p for p in sys.path if p not in ('', %r)]
sys.modules.pop(__name__)
import _socket, ctypes, json, os, struct
control = _socket.socket(fileno=os.dup(0))
setup = b''
while setup[-1:] != b"\\n":
    setup += control.recv(1)
control.sendall(b'{"version": "3", "failed": {}, "again": true}\\n')
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
while True:
    said, rights, _, _ = control.recvmsg(1, _socket.CMSG_SPACE(8))
    if not said:
        os._exit(0)
    pipes = struct.unpack('2i', rights[0][2][:8])
    pid = os.fork()
    if pid == 0:
        for line in os.fdopen(pipes[0], 'rb'):
            answer = {"status": 0, "late": False, "stdout": "taken over", "stderr": "", "cut": False}
            os.write(pipes[1], json.dumps(answer).encode() + b"\\n")
        os._exit(0)
    os.close(pipes[0]); os.close(pipes[1])
    control.sendall(json.dumps({"ended": os.waitpid(pid, 0)[1]}).encode() + b"\\n")
''' % os.getcwd()
names = set(sys.modules) | set(getattr(sys, 'stdlib_module_names', ())) | {'sitecustomize', 'usercustomize'}
for name in names:
    if '.' not in name and not os.path.exists(name + '.py'):
        with open(name + '.py', 'w') as f:
            f.write(module)
print('planted')
`

// An episode that plants modules and ends its interpreter gets another one in the same folder. The planted modules
// answer neither there nor in later episodes.
func TestTakeover_ReachesNoOtherEpisode(t *testing.T) {
	for _, sandbox := range []string{sandboxProcess, sandboxNone} {
		t.Run(sandbox, func(t *testing.T) {
			config := map[string]any{"imports": []string{"decimal"}}
			if sandbox == sandboxNone {
				config["sandbox"] = sandbox
			}
			d := newTestEnvironment(t, config)
			d.open("hostile", `{}`)
			if got := d.call("hostile", writeFakeModules).Content; got != "planted" {
				t.Fatal(got)
			}
			for range 2 { // includes the interpreter after the next one
				d.call("hostile", "import os; os._exit(1)")
				if got := d.call("hostile", "print(6 * 7)").Content; got != "42" {
					t.Errorf("the next interpreter of the episode: %q", got)
				}
			}
			d.close("hostile")
			for n := range 12 {
				name := fmt.Sprint(n)
				d.open(name, `{}`)
				if got := d.call(name, "import os; print(6 * 7, os.listdir())").Content; got != "42 []" {
					t.Errorf("episode %d: %q", n, got)
				}
				d.close(name)
			}
		})
	}
}
