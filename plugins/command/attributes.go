package commandplugin

import (
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// The values of attributes.
const (
	stdinPrompt  = "prompt"
	stdinNothing = "nothing"

	resultStdout  = "stdout"
	resultFile    = "file"
	resultMessage = "message"

	formatText = "text"
	formatJSON = "json"

	turnsRefuse  = "refuse"
	turnsRestart = "restart"
	turnsResume  = "resume"

	acceptExit    = "exit"
	acceptTimeout = "timeout"

	stoppedKilled = "killed" // in metadata.program

	sandboxProcess = "process"
	sandboxNone    = "none"

	keepNone   = "none"
	keepFailed = "failed"
	keepAll    = "all"
)

func configSchema() schema.Block {
	return schema.Block{
		Description: "The program runs in a sandbox: see docs/guides/harnesses.md.",
		Attributes: slices.Concat(
			sandboxAttributes(), programAttributes(), resultAttributes(), limitAttributes(), sdk.GatewayAttributes(),
			sdk.AgentAttributes(),
		),
	}
}

// sandboxAttributes returns the attributes for the sandbox and its exceptions.
func sandboxAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.String("sandbox", "Isolation from your files, network, and processes: `process`, through kernel "+
			"namespaces; `none`, the program runs with your permissions, and the policy determines its actions.").
			Enum(sandboxProcess, sandboxNone).Default(sandboxProcess),
		schema.Strings("read", "Additional files and directories that the program may read in its sandbox.").
			Example([]string{"/opt/tools"}),
		schema.Strings("connect", "Additional loopback addresses that the program may connect to from its sandbox.").
			Example([]string{"127.0.0.1:5432"}),
	}
}

// programAttributes returns the attributes for the program, its input, and its files.
func programAttributes() []schema.Attribute {
	preset := schema.String("preset", "A known program, which sets defaults. The block's attributes override them; "+
		"maps are merged by name.").Enum(presetNames()...)
	for _, p := range presets {
		preset = preset.Preset(p.name, p.defaults())
	}
	return []schema.Attribute{
		preset,
		schema.Strings("command", "Program and arguments, with {{NAME}} as a placeholder for an episode value. A "+
			"name without a slash is looked up in PATH; relative paths are resolved against the working directory.").
			Example([]string{"python3", "agent.py"}),
		schema.Strings("resume_command", "Program and arguments for the next user turn, with `turns = \"resume\"`."),
		schema.String("stdin", "What the program reads on standard input: the `prompt`, or "+
			"`nothing`.").Enum(stdinPrompt, stdinNothing).
			Default(stdinPrompt),
		schema.StringMap("env", "Environment variables for the program. It receives only PATH from your environment."),
		schema.Strings("pass_env", "Variables from awhost's environment to pass to the program."),
		schema.StringMap(
			"files",
			"Files to write before the program starts, by name: in the working directory or, with the prefix ~/, in "+
				"its home directory; {{NAME}} is a placeholder for an episode value.",
		),
		schema.StringMap(
			"mcp_files",
			"Additional files, which replace files with the same name, if the environment's tools are served over MCP.",
		),
		schema.Path("template", "A directory to copy as the initial working directory.").Exist(),
		schema.Path("directory", "Parent directory of the episode directories. Default: the run's "+
			"directory.").CanResume(),
		schema.String("keep", "Directories to keep until the next attempt at the episode: `none`, `failed`, or `all`.").
			Enum(keepNone, keepFailed, keepAll).Default(keepNone).CanResume(),
		schema.String("turns", "Action if the environment responds with another user turn: `refuse` fails the "+
			"episode, `restart` restarts the program with the new turn, and `resume` starts "+
			"resume_command.").Enum(turnsRefuse, turnsRestart, turnsResume).Default(turnsRefuse),
	}
}

// resultAttributes returns the attributes for the program's answer and for other information passed to rewards.
func resultAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.String("result", "Source of the answer: `stdout`, the `file` result_file, or the model's last "+
			"`message`, which is not sent to the environment.").Enum(resultStdout, resultFile, resultMessage).
			Default(resultStdout),
		schema.String("result_file", "The file that contains the answer, in the working "+
			"directory.").Example("answer.txt"),
		schema.String("result_format", "Format of the answer: `text`, or `json`, an object with the optional members "+
			"final_answer, reward, is_success, metadata, and metrics.").Enum(formatText, formatJSON).
			Default(formatText),
		schema.Strings("accept", "Failures to accept: `exit`, a nonzero exit status; `timeout`, the expiration of "+
			"the time limit.").Enum(acceptExit, acceptTimeout),
		schema.Bool("diff", "Whether rewards receive the difference between the template and the working directory, as "+
			"metadata.program.diff.").Default(false),
		schema.Strings("collect", "Patterns of files that rewards receive as metadata.program.files, by name.").
			Example([]string{"report.md", "out/*.json"}),
		schema.Integer("collect_bytes", "Maximum total size in bytes of the files and the difference. The excess is "+
			"truncated, and metadata.program.cut is true.").Default(1<<20).Range(0, 64<<20).In("bytes"),
	}
}

// limitAttributes returns the attributes for a program's limits.
func limitAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.Duration("timeout", "Maximum duration of a turn; with 0s, only the episode's limit applies.").
			Default("0s"),
		schema.Duration("grace", "Grace period before the program is killed.").
			Default("2s").CanResume(),
		schema.Integer("output_bytes", "Maximum number of bytes on standard output and on standard error, each. The "+
			"program is ended if it exceeds this limit.").
			Default(16<<20).Range(1, 1<<30).In("bytes"),
		schema.Integer("memory_bytes", "Maximum total memory for the program and its child processes. 0 means half "+
			"of the machine's memory in a sandbox, and no limit without one.").Default(0).AtLeast(0).In("bytes"),
		schema.Integer("processes", "Maximum number of processes for the program. 0 means 256 in a sandbox, and no "+
			"limit without one.").
			Default(0).AtLeast(0),
		schema.Integer("disk_bytes", "Maximum number of bytes in the program's directories, in a sandbox. 0: 8 "+
			"GiB.").Default(0).AtLeast(0).
			In("bytes"),
	}
}
