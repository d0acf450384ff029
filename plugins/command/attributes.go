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
		Description: "Starts `command` once per episode, in a sandbox: docs/guides/harnesses.md.",
		Attributes: slices.Concat(
			sandboxAttributes(), programAttributes(), resultAttributes(), limitAttributes(), sdk.GatewayAttributes(),
			sdk.AgentAttributes(),
		),
	}
}

// sandboxAttributes returns the attributes of the sandbox and its exceptions.
func sandboxAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.String("sandbox", "what keeps the program from your files, your network and your processes: `process`, "+
			"namespaces of the kernel's; `none`, nothing at all, so that the program runs as you do and the policy decides "+
			"what it does").Enum(sandboxProcess, sandboxNone).Default(sandboxProcess),
		schema.Strings("read", "files and folders that the program may read in its sandbox, beside the system's and those "+
			"that it is installed in").Example([]string{"/opt/tools"}),
		schema.Strings("connect", "addresses of the loopback device that the program may connect to from its sandbox, "+
			"beside the policy's and the tools'").Example([]string{"127.0.0.1:5432"}),
	}
}

// programAttributes returns the attributes of the program, its input and its files.
func programAttributes() []schema.Attribute {
	preset := schema.String("preset", "a program that is known: sets defaults, which attributes of the block "+
		"override, in maps name by name").Enum(presetNames()...)
	for _, p := range presets {
		preset = preset.Preset(p.name, p.defaults())
	}
	return []schema.Attribute{
		preset,
		schema.Strings("command", "the program and its arguments, with {{NAME}} for values of the episode; a program "+
			"without a slash is looked up in PATH, a relative path begins at the working directory").
			Example([]string{"python3", "agent.py"}),
		schema.Strings("resume_command", "for `turns = \"resume\"`: the program and its arguments for the user's next "+
			"turn"),
		schema.String("stdin", "what standard input holds: the `prompt`, or `nothing`").Enum(stdinPrompt, stdinNothing).
			Default(stdinPrompt),
		schema.StringMap("env", "variables of the program's environment, which has nothing of yours but PATH"),
		schema.Strings("pass_env", "variables of awhost's own environment that the program gets"),
		schema.StringMap(
			"files",
			"files that are written before the program starts, by name: below the working directory, or after ~/ below "+
				"its home; with {{NAME}} for values of the episode",
		),
		schema.StringMap(
			"mcp_files",
			"files that are written beside `files`, or in the place of those of the same name, where the environment's "+
				"tools are served by MCP",
		),
		schema.Path("template", "a folder whose copy the working directory begins as").Exist(),
		schema.Path("directory", "where the folders of episodes are made; default: in the run's directory").CanResume(),
		schema.String("keep", "which folders are kept when the program has ended, until the next attempt at the "+
			"episode: `none`, `failed` or `all`").Enum(keepNone, keepFailed, keepAll).Default(keepNone).CanResume(),
		schema.String("turns", "what follows where the environment answers the program with another turn of the "+
			"user's: `refuse` fails the episode, `restart` starts the program again with it, `resume` starts "+
			"resume_command").Enum(turnsRefuse, turnsRestart, turnsResume).Default(turnsRefuse),
	}
}

// resultAttributes returns the attributes of the program's answer, and of other information for rewards.
func resultAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.String("result", "what the answer is: what stands on `stdout`, in the `file` named result_file, or the "+
			"last `message` of the model, which the environment is not told").Enum(resultStdout, resultFile, resultMessage).
			Default(resultStdout),
		schema.String("result_file", "the file with the answer, below the working directory").Example("answer.txt"),
		schema.String("result_format", "what the answer is written as: `text`, or `json`, an object with final_answer, "+
			"reward, is_success, metadata and metrics, each of which may be missing").Enum(formatText, formatJSON).
			Default(formatText),
		schema.Strings("accept", "ends that are as good as others: `exit`, an exit status other than 0; `timeout`, the "+
			"end of the time limit").Enum(acceptExit, acceptTimeout),
		schema.Bool("diff", "whether rewards get the difference between the template and the working directory, as "+
			"metadata.program.diff").Default(false),
		schema.Strings("collect", "files of the working directory that rewards get as metadata.program.files, by name: "+
			"patterns such as \"out/*.json\"").Example([]string{"report.md", "out/*.json"}),
		schema.Integer("collect_bytes", "most bytes of files and difference together; what exceeds it is cut, and "+
			"metadata.program.cut is true").Default(1<<20).Range(0, 64<<20).In("bytes"),
	}
}

// limitAttributes returns the limits of a program.
func limitAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.Duration("timeout", "longest time that the program may take for a turn; 0s leaves it to the episode's").
			Default("0s"),
		schema.Duration("grace", "how long the program may take to end when it is asked to, before it is killed").
			Default("2s").CanResume(),
		schema.Integer("output_bytes", "most bytes on standard output, and on standard error; more end the program").
			Default(16<<20).Range(1, 1<<30).In("bytes"),
		schema.Integer("memory_bytes", "most memory of the program and all that it has started, together; 0: half of the "+
			"machine's in a sandbox, and no limit without one").Default(0).AtLeast(0).In("bytes"),
		schema.Integer("processes", "most processes of the program; 0: 256 in a sandbox, and no limit without one").
			Default(0).AtLeast(0),
		schema.Integer("disk_bytes", "most bytes in the program's folders, in a sandbox; 0: 8 GiB").Default(0).AtLeast(0).
			In("bytes"),
	}
}
