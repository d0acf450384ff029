package dataset

import (
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// Schema returns the schema of a dataset type's block. It returns false for an unknown type.
func Schema(typ string) (schema.Block, bool) {
	switch typ {
	case TypeJSONL:
		return ofRows(
			"Tasks from a file with one JSON object per line. Files ending in .gz or .zst are decompressed.",
			schema.Path("path", "The file.").Require().Example("data/train.jsonl"),
		), true
	case TypeCSV:
		return ofRows(
			"Tasks from a CSV file with column names in the first line and one record per task. All values are strings; empty "+
				"values are omitted.",
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
			"Tasks from a Parquet file, or from all Parquet files of a directory. Structs become objects, numbers keep full "+
				"precision, NaN becomes null, and dates and times become ISO 8601 strings. Columns of bytes must be dropped.",
			schema.Path(
				"path",
				"The file, or a directory whose .parquet files are read in name order.",
			).Require().Example(
				"data/train.parquet",
			),
		), true
	case TypeHuggingFace:
		return ofRows(
			"Tasks from a dataset on the Hugging Face Hub, which `awhost init` downloads and pins to a commit in the lock "+
				"file, or from a directory with the layout of load_dataset: Parquet, JSON, or CSV files, assigned to "+
				"configurations and splits by the dataset card or their names. Loading scripts are not run.",
			schema.String(
				"repo",
				"The repository, OWNER/NAME. A directory of this name in the spec's directory takes precedence; nothing is then "+
					"downloaded.",
			).Example(
				"openai/gsm8k",
			),
			schema.Path("path", "The directory, as an alternative to repo.").Example("data/gsm8k"),
			schema.String(
				"config",
				"The configuration. Default: the only one, or the one named default.",
			).Example(
				"main",
			),
			schema.String("split", "The split. Default: train, or the only one.").Example("test"),
			schema.String(
				"revision",
				"A branch, tag, or commit of the repository. `awhost init` pins its current commit, and `awhost init --upgrade` "+
					"updates the pin.",
			).Default(
				"main",
			),
			schema.String(
				"token_env",
				"The environment variable with the token for gated or private repositories. It may be set in the .env file and "+
					"is not needed for public repositories.",
			).Default(
				"HF_TOKEN",
			).CanResume(),
		), true
	case TypePython:
		return ofRows(
			"Tasks from a function in your Python file, which returns a `datasets.Dataset`, a list of dicts, or another "+
				"iterable of dicts. `awhost init` runs it in your Python and keeps the rows until the file, the arguments, the "+
				"inputs, or the Python change.",
			append([]schema.Attribute{
				schema.Path(
					"file",
					"The Python file, which runs in its folder.",
				).Exist().Require().Example(
					"data.py",
				),
				schema.String("name", "Function name.").Require().Example("train_tasks"),
				schema.Attribute{
					Name:        "arguments",
					Type:        schema.TypeAny,
					Description: "Arguments of the function by parameter name.",
				}.Example(
					map[string]any{"n": 100},
				),
				schema.Path(
					"python",
					"Python interpreter. Default: from `venv`, VIRTUAL_ENV, or PATH (python3), in this order.",
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
			"Tasks from the output of a program, one JSON object per line. `awhost init` runs it in the spec's directory and "+
				"keeps the rows until the command, a file named in it, or the inputs change.",
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
					"Whether `awhost init` keeps the list of tasks until the environment's block changes or `awhost init --upgrade` "+
						"updates it. Otherwise each plan requests the list, and a service that changes its list changes the run.",
				).Default(
					false,
				).CanResume(),
			},
		}, true
	}
	return schema.Block{}, false
}

// madeOf returns the attributes of types whose rows are generated by the user's program.
func madeOf() []schema.Attribute {
	return []schema.Attribute{
		schema.Strings(
			"inputs",
			"Files and directories from which the rows are generated. A change there regenerates the rows.",
		).Example(
			[]string{"raw"},
		),
		schema.Strings(
			"pass_env",
			"Environment variables to pass in addition to PATH, HOME, and other harmless ones. Their values do not count as "+
				"changes.",
		).CanResume(),
		schema.Duration("timeout", "Maximum duration.").Default("10m").CanResume(),
	}
}

func mixSchema() schema.Block {
	return schema.Block{
		Description: "A mix of other datasets. Tasks keep their content; the dataset's name is prefixed to their ids. The " +
			"mix contains each task at least once, and tasks of datasets with a higher weight several times. It is " +
			"interleaved, so that each section has about the shares set by the weights.",
		Attributes: []schema.Attribute{
			schema.Integer(
				"size",
				"Number of tasks in the mix. Default: as many as needed to include each task of each part.",
			).AtLeast(
				1,
			),
			schema.Integer(
				"seed",
				"Determines the order of each part's tasks and, with size, which tasks are in the mix.",
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
					"Share, relative to the weights of the other parts.",
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
		Description: "One side of a dataset that is split into training and held-out tasks. The seed and the question " +
			"determine the side: tasks with the same question are on the same side, and new tasks barely affect the others. " +
			"Use two blocks, one per side, with the same fraction and seed.",
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
			"Columns of task fields (prompt or messages, ground_truth, id, and others), with dots into nested values: "+
				"\"messages.0.content\". Defaults: prompt or question for prompt, ground_truth or answer for ground_truth.",
		).
			Example(
				map[string]string{"prompt": "question", "ground_truth": "answer"},
			),
		schema.StringMap(
			"template",
			"Templates for task fields. {{COLUMN}} inserts a column of the original row, with dots as in map. Text between "+
				"{{#COLUMN}} and {{/COLUMN}} is omitted if the column has no value.",
		).
			Example(
				map[string]string{"prompt": "{{Question}}{{#file_name}}\n\nFile: {{file_name}}{{/file_name}}"},
			),
		schema.StringMap(
			"extract",
			"Regular expressions for task fields, with one group each. The group replaces the field's text.",
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
