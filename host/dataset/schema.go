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
			"Tasks from a file with one JSON object per line. A file that ends with .gz or .zst is unpacked.",
			schema.Path("path", "The file.").Require().Example("data/train.jsonl"),
		), true
	case TypeCSV:
		return ofRows(
			"Tasks from a table: the names of the columns in the first line, then one record per task. All values are text; an empty one is not there.",
			schema.Path("path", "The file; it may end with .gz or .zst.").Require().Example("data/train.csv"),
			schema.String(
				"delimiter",
				"What separates columns. Default: a tab in .tsv files, otherwise a comma.",
			).Example(
				";",
			),
		), true
	case TypeParquet:
		return ofRows(
			"Tasks from a Parquet file, or from all of a directory. Structs become objects; numbers keep all their digits, NaN is null; dates and times are text as in ISO 8601. A column of bytes has to be dropped.",
			schema.Path(
				"path",
				"The file, or a directory whose .parquet files are read in the order of their names.",
			).Require().Example(
				"data/train.parquet",
			),
		), true
	case TypeHuggingFace:
		return ofRows(
			"Tasks from a dataset of the Hugging Face Hub, which `awhost init` downloads and pins to a commit in the "+
				"lock file, or from one that lies in a directory as load_dataset reads it: Parquet, JSON or CSV files that its "+
				"card or their names sort into configurations and splits. No loading script is run.",
			schema.String(
				"repo",
				"The repository, OWNER/NAME. Where the spec's directory has one of this name, that is read "+
					"instead, and nothing is downloaded.",
			).Example(
				"openai/gsm8k",
			),
			schema.Path("path", "The directory, in the place of repo.").Example("data/gsm8k"),
			schema.String(
				"config",
				"The configuration. Default: the only one, or the one that is called default.",
			).Example(
				"main",
			),
			schema.String("split", "The split. Default: train, or the only one.").Example("test"),
			schema.String(
				"revision",
				"A branch, a tag or a commit of the repository. `awhost init` pins what it is now, and "+
					"`awhost init --upgrade` pins it anew.",
			).Default(
				"main",
			),
			schema.String(
				"token_env",
				"The environment variable with the token that reads a gated or private repository. It "+
					"may be in the .env file, and need not be set for public ones.",
			).Default(
				"HF_TOKEN",
			).CanResume(),
		), true
	case TypePython:
		return ofRows(
			"Tasks from a function in a Python file of yours: it returns a `datasets.Dataset`, a list of dicts, or "+
				"anything else that gives dicts one after the other. `awhost init` runs it, in your own Python, and keeps the "+
				"rows until the file, the arguments, the inputs or the Python change.",
			append([]schema.Attribute{
				schema.Path(
					"file",
					"The Python file; its folder is where it runs.",
				).Exist().Require().Example(
					"data.py",
				),
				schema.String("name", "The function in the file.").Require().Example("train_tasks"),
				schema.Attribute{
					Name:        "arguments",
					Type:        schema.TypeAny,
					Description: "Arguments of the function, by parameter.",
				}.Example(
					map[string]any{"n": 100},
				),
				schema.Path(
					"python",
					"The Python to run it with. Default: the one of `venv` if there is one, else that of VIRTUAL_ENV, else python3 on PATH.",
				).Example(
					".venv/bin/python",
				).CanResume(),
				schema.Path(
					"venv",
					"The virtual environment whose Python is taken when `python` is not given; it may be missing.",
				).Default(
					".venv",
				).CanResume(),
			}, madeOf()...)...), true
	case TypeCommand:
		return ofRows(
			"Tasks that a program prints, one JSON object per line. `awhost init` runs it, in the spec's directory, "+
				"and keeps the rows until the command, a file that it names, or the inputs change.",
			append([]schema.Attribute{
				schema.Strings(
					"command",
					"The program and its arguments. No shell is involved.",
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
			Description: "The tasks that an environment brings itself.",
			Attributes: []schema.Attribute{
				schema.Reference("environment", "environment", "The environment.").Require(),
				schema.String(
					"split",
					"Which of its tasks.",
				).Default(
					string(sdk.SplitTrain),
				).Enum(
					string(sdk.SplitTrain),
					string(sdk.SplitValidation),
				),
				schema.Integer("limit", "Take only this many tasks, from the first on. Default: all.").AtLeast(1),
				schema.Bool(
					"pin",
					"Whether `awhost init` lists the tasks and keeps the list, until the environment's block changes or "+
						"`awhost init --upgrade` lists them anew. Otherwise the environment is asked by each plan: a "+
						"service that lists other tasks later would make another run of the same spec.",
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
			"Files and directories that the rows are made of: after a change there they are made again.",
		).Example(
			[]string{"raw"},
		),
		schema.Strings(
			"pass_env",
			"Environment variables that it gets beside PATH, HOME and other harmless ones. What they hold does not count as a change.",
		).CanResume(),
		schema.Duration("timeout", "How long it may take.").Default("10m").CanResume(),
	}
}

func mixSchema() schema.Block {
	return schema.Block{
		Description: "A mix of other datasets. A task keeps its content and has the name of its dataset before its id. The mix is as long as it takes to have each task once, those of other datasets several times where their weight wants it; it is interleaved, so that every piece of it has about the shares that the weights say.",
		Attributes: []schema.Attribute{
			schema.Integer(
				"size",
				"How many tasks the mix has. Default: as many as it takes to have each task of each part.",
			).AtLeast(
				1,
			),
			schema.Integer(
				"seed",
				"Which tasks of a part come first; with a size also which are in the mix.",
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
					"Its share, relative to the weights of the other parts.",
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
		Description: "One side of a dataset that is divided into tasks to train on and tasks that are held out. Which is which is drawn by the seed and the question, so tasks with the same question are on the same side, and new tasks leave nearly all others where they are. Two blocks, one per side, need the same fraction and seed.",
		Attributes: []schema.Attribute{
			schema.Reference("dataset", "dataset", "The dataset to divide.").Require(),
			schema.String("split", "Which side.").Require().Enum(SideTrain, SideHeldOut).Example(SideTrain),
			schema.Number("fraction", "How much of the dataset is held out.").Default(0.1).Range(0, 1),
			schema.Integer("seed", "What is drawn depends on it.").Default(1),
		},
	}
}

// ofRows returns the attributes of all types that convert rows to tasks.
func ofRows(description string, own ...schema.Attribute) schema.Block {
	return schema.Block{Description: description, Attributes: append(
		own,
		schema.StringMap(
			"map",
			"Which column of a row a field of the task comes from, with dots into nested objects and lists: \"reward_model.ground_truth\", \"messages.0.content\". Fields of a task: prompt or messages, ground_truth, id, and any other. By default a task's prompt is prompt or question, its ground truth ground_truth or answer.",
		).
			Example(
				map[string]string{"prompt": "question", "ground_truth": "answer"},
			),
		schema.StringMap(
			"template",
			"A text per field of the task, in which {{COLUMN}} stands for a column of the row as "+
				"it was read, with dots as in map. What stands between {{#COLUMN}} and {{/COLUMN}} is left out where the column "+
				"has no value.",
		).
			Example(
				map[string]string{"prompt": "{{Question}}{{#file_name}}\n\nFile: {{file_name}}{{/file_name}}"},
			),
		schema.StringMap(
			"extract",
			"A regular expression with one group per field of the task: the group is what remains of the field's text.",
		).
			Example(
				map[string]string{"ground_truth": "#### (.*)"},
			),
		schema.Strings(
			"private",
			"Fields of the task that only rewards and environments receive that declare that they need them. ground_truth and "+
				"verl's extra_info and reward_model are always private; map and template take single fields out of the latter two.",
		).Default(
			[]string{fieldGroundTruth},
		),
		schema.Strings("drop", "Columns that are left out.").Example([]string{"image"}),
		schema.Integer("limit", "Take only this many rows, from the first on. Default: all.").AtLeast(1),
	)}
}
