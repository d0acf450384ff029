package dataset

import (
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// Schema returns the block schema for a dataset type. It returns false if the type is unknown.
func Schema(typ string) (schema.Block, bool) {
	switch typ {
	case TypeJSONL:
		return ofRows(
			"Tasks from a file with one JSON object per line, optionally compressed (.gz, .zst).",
			schema.Path("path", "The file.").Require().Example("data/train.jsonl"),
		), true
	case TypeCSV:
		return ofRows(
			"Tasks from a CSV file whose first line contains the column names. All values are strings; empty values "+
				"are omitted.",
			schema.Path("path", "The file, optionally compressed (.gz, .zst).").Require().Example("data/train.csv"),
			schema.String(
				"delimiter",
				"Column delimiter. Default: a tab in .tsv files, otherwise a comma.",
			).Example(
				";",
			),
		), true
	case TypeParquet:
		return ofRows(
			"Tasks from Parquet. Structs become objects, NaN becomes null, dates and times become ISO 8601 strings, "+
				"and numbers keep full precision. Columns that contain bytes must be dropped.",
			schema.Path(
				"path",
				"The file, or a directory whose .parquet files are read in name order.",
			).Require().Example(
				"data/train.parquet",
			),
		), true
	case TypeHuggingFace:
		return ofRows(
			"Tasks from a dataset on the Hugging Face Hub, which `awhost init` downloads, or from a directory with "+
				"the layout of load_dataset: Parquet, JSON, or CSV files, assigned to configurations and splits by "+
				"the dataset card or their names. Loading scripts are not run.",
			schema.String(
				"repo",
				"OWNER/NAME. A directory of this name in the spec's directory takes precedence.",
			).Example(
				"openai/gsm8k",
			),
			schema.Path("path", "A directory instead of `repo`.").Example("data/gsm8k"),
			schema.String(
				"config",
				"The configuration. Default: the only one, or the one that is named default.",
			).Example(
				"main",
			),
			schema.String("split", "The split. Default: train, or the only one.").Example("test"),
			schema.String(
				"revision",
				"Branch, tag, or commit. `awhost init` pins its current commit in the lock file; `awhost init "+
					"--upgrade` updates the pin.",
			).Default(
				"main",
			),
			schema.String(
				"token_env",
				"Environment variable with the token for gated or private repositories. It may be set in `.env`.",
			).Default(
				"HF_TOKEN",
			).CanResume(),
		), true
	case TypePython:
		return ofRows(
			"Tasks from a function in your Python file that returns a `datasets.Dataset` or another iterable of "+
				"dicts. `awhost init` runs it and keeps the rows until the file, the arguments, the inputs, or the "+
				"Python interpreter changes.",
			append([]schema.Attribute{
				schema.Path(
					"file",
					"Python file, which is run in its own directory.",
				).Exist().Require().Example(
					"data.py",
				),
				schema.String("name", "Function name.").Require().Example("train_tasks"),
				schema.Attribute{
					Name:        "arguments",
					Type:        schema.TypeAny,
					Description: "Arguments for the function, by parameter name.",
				}.Example(
					map[string]any{"n": 100},
				),
				schema.Path(
					"python",
					"Python interpreter. Default: the interpreter from `venv` or VIRTUAL_ENV, or python3 on PATH, "+
						"in this order.",
				).Example(
					".venv/bin/python",
				).CanResume(),
				schema.Path(
					"venv",
					"Virtual environment, used if it exists and `python` is not set.",
				).Default(
					".venv",
				).CanResume(),
			}, madeOf()...)...), true
	case TypeCommand:
		return ofRows(
			"Tasks from a program's output, one JSON object per line. `awhost init` runs it in the spec's "+
				"directory and keeps the rows until the command, a file named in it, or the inputs change.",
			append([]schema.Attribute{
				schema.Strings(
					"command",
					"The program and its arguments, run without a shell.",
				).Require().Example(
					[]string{"python3", "tasks.py", "--n", "100"},
				),
			}, madeOf()...)...), true
	case TypeMix:
		return mixSchema(), true
	case TypeSplit:
		return splitSchema(), true
	case TypeEnvironment:
		return schema.Block{
			Description: "The tasks that an environment provides.",
			Attributes: []schema.Attribute{
				schema.Reference("environment", "environment", "The environment.").Require(),
				schema.String(
					"split",
					"The split.",
				).Default(
					string(sdk.SplitTrain),
				).Enum(
					string(sdk.SplitTrain),
					string(sdk.SplitValidation),
				),
				schema.Integer("limit", "Maximum number of tasks, taken from the start. Default: all.").AtLeast(1),
				schema.Bool(
					"pin",
					"Whether `awhost init` keeps the task list until the environment's block changes or `awhost "+
						"init --upgrade` runs. Otherwise each plan requests the list.",
				).Default(
					false,
				).CanResume(),
			},
		}, true
	}
	return schema.Block{}, false
}

// madeOf returns the attributes of the types whose rows are generated by the user's program.
func madeOf() []schema.Attribute {
	return []schema.Attribute{
		schema.Strings(
			"inputs",
			"Files and directories; a change to any of them regenerates the rows.",
		).Example(
			[]string{"raw"},
		),
		schema.Strings(
			"pass_env",
			"Environment variables to pass in addition to PATH, HOME, and a few others. A changed value does not "+
				"cause the rows to be regenerated.",
		).CanResume(),
		schema.Duration("timeout", "Maximum duration.").Default("10m").CanResume(),
	}
}

func mixSchema() schema.Block {
	return schema.Block{
		Description: "An interleaved mix of datasets, whose names are prefixed to the task IDs. It contains each " +
			"task at least once, and contains tasks from datasets with a higher weight several times. Each section " +
			"contains approximately the shares set by the weights.",
		Attributes: []schema.Attribute{
			schema.Integer(
				"size",
				"Number of tasks. Default: as many as needed to include every task.",
			).AtLeast(
				1,
			),
			schema.Integer(
				"seed",
				"Determines the order of tasks and, with `size`, the selection.",
			).Default(
				1,
			),
		},
		Blocks: []schema.NestedBlock{{Name: "part", Nesting: schema.List, Min: 1, Block: schema.Block{
			Description: "A dataset in the mix.",
			Attributes: []schema.Attribute{
				schema.Reference("dataset", "dataset", "The dataset.").Require(),
				schema.Number(
					"weight",
					"Share, relative to the other weights.",
				).Default(
					1,
				).AtLeast(
					0,
				),
			},
		}}},
	}
}

func splitSchema() schema.Block {
	return schema.Block{
		Description: "One side of a dataset split into training and held-out tasks. The seed and a task's question " +
			"determine which side it is on, so that new tasks barely affect the others. Use one block per side, " +
			"with the same `fraction` and `seed`.",
		Attributes: []schema.Attribute{
			schema.Reference("dataset", "dataset", "The dataset to split.").Require(),
			schema.String("split", "The side.").Require().Enum(SideTrain, SideHeldOut).Example(SideTrain),
			schema.Number("fraction", "Fraction of the dataset to hold out.").Default(0.1).Range(0, 1),
			schema.Integer("seed", "Seed of the assignment.").Default(1),
		},
	}
}

// ofRows returns the attributes of all types that convert rows to tasks.
func ofRows(description string, own ...schema.Attribute) schema.Block {
	return schema.Block{Description: description, Attributes: append(
		own,
		schema.StringMap(
			"map",
			"Columns for task fields (prompt or messages, ground_truth, id, and others), with dots for nested "+
				"values: \"messages.0.content\". Defaults: prompt or question for prompt, ground_truth or answer "+
				"for ground_truth.",
		).
			Example(
				map[string]string{"prompt": "question", "ground_truth": "answer"},
			),
		schema.StringMap(
			"template",
			"Templates for task fields. {{COLUMN}} inserts a column from the original row, with dots as in map. "+
				"Text between {{#COLUMN}} and {{/COLUMN}} is omitted if the column has no value.",
		).
			Example(
				map[string]string{"prompt": "{{Question}}{{#file_name}}\n\nFile: {{file_name}}{{/file_name}}"},
			),
		schema.StringMap(
			"extract",
			"Regular expressions for task fields, with one capture group each. The group replaces the field's text.",
		).
			Example(
				map[string]string{"ground_truth": "#### (.*)"},
			),
		schema.Strings(
			"private",
			"Task fields for rewards and environments that need them. ground_truth and verl's extra_info and reward_model are "+
				"always private; map and template can expose fields of the latter two.",
		).Default(
			[]string{fieldGroundTruth},
		),
		schema.Strings("drop", "Columns to omit.").Example([]string{"image"}),
		schema.Integer("limit", "Maximum number of rows, taken from the start. Default: all.").AtLeast(1),
	)}
}
