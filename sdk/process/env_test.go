package process

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnvironment(t *testing.T) {
	host := []string{
		"PATH=/bin", "LC_ALL=C", "LANG=de", "HOME=/home/x", "PYTHONPATH=/bad", "HF_TOKEN=secret", "PLUGIN_CLIENT_CERT=outer",
		"PLUGIN_MIN_PORT=1", EnvCookie + "=outer", EnvInstance + "=outer", "AWHOST_VAR_x=1", EnvMark + "=whose",
		"VIRTUAL_ENV=/venv",
	}
	goPlugin := append(host[:len(host):len(host)], // as if SkipHostEnv was not set
		EnvCookie+"=inner", "PLUGIN_MIN_PORT=10000", "PLUGIN_MAX_PORT=25000", "PLUGIN_PROTOCOL_VERSIONS=1",
		"PLUGIN_UNIX_SOCKET_DIR=/tmp/d")
	for _, test := range []struct {
		name     string
		config   Config
		goPlugin []string
		want     []string
	}{
		{"without go-plugin", Config{}, nil, []string{EnvMark + "=whose", "HOME=/home/x", "LANG=de", "LC_ALL=C", "PATH=/bin",
			"VIRTUAL_ENV=/venv"}},
		{"of a guard, which marks it", Config{Guard: &Guard{}}, nil,
			[]string{"HOME=/home/x", "LANG=de", "LC_ALL=C", "PATH=/bin", "VIRTUAL_ENV=/venv"}},
		{
			"of a plugin", Config{Instance: "i", Run: "r", Detachable: true, SocketDir: "/run/s"}, goPlugin,
			[]string{
				"AWHOST_DETACHABLE=1", "AWHOST_INSTANCE=i", EnvCookie + "=inner", "AWHOST_RUN=r", "HOME=/home/x", "LANG=de",
				"LC_ALL=C", "PATH=/bin",
				"PLUGIN_MAX_PORT=25000", "PLUGIN_MIN_PORT=10000", "PLUGIN_PROTOCOL_VERSIONS=1", "PLUGIN_UNIX_SOCKET_DIR=/run/s",
				"VIRTUAL_ENV=/venv",
			},
		},
		{
			"nothing of the host's", Config{OnlyEnv: true, PassEnv: []string{"LANG"}, Env: map[string]string{"HOME": "/h"}}, nil,
			[]string{EnvMark + "=whose", "HOME=/h", "LANG=de"},
		},
		{
			"passed and set", Config{PassEnv: []string{"HF_TOKEN", "ABSENT", "LANG"},
				Env: map[string]string{"LANG": "fr", "AWHOST_TLS_DIR": "/t", "EMPTY": ""}}, nil,
			[]string{EnvMark + "=whose", "AWHOST_TLS_DIR=/t", "EMPTY=", "HF_TOKEN=secret", "HOME=/home/x", "LANG=fr", "LC_ALL=C",
				"PATH=/bin", "VIRTUAL_ENV=/venv"},
		},
	} {
		got, err := environment(test.config, host, test.goPlugin)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestEnvironment_Refuses(t *testing.T) {
	for _, test := range []struct {
		config   Config
		goPlugin []string
		want     string
	}{
		{Config{PassEnv: []string{"PLUGIN_CLIENT_CERT"}}, nil,
			"pass_env: PLUGIN_CLIENT_CERT belongs to the process contract"},
		{Config{Env: map[string]string{EnvRun: "x"}}, nil, "AWHOST_RUN belongs to the process contract"},
		{Config{Env: map[string]string{"A=B": "x"}}, nil, `"A=B" is not the name of a variable`},
		{Config{Env: map[string]string{"A": "x\x00y"}}, nil, "the value of A contains a NUL byte"},
		{Config{}, []string{"PLUGIN_CLIENT_CERT=new"}, "AutoMTLS"},
		{Config{}, []string{"PLUGIN_MULTIPLEX_GRPC=true"}, "GRPCBrokerMultiplex"},
	} {
		if _, err := environment(test.config, nil, test.goPlugin); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v; want %q", err, test.want)
		}
	}
}
