package dataset

import (
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// Schema describes the block of a dataset type. It reports false for an unknown type.
func Schema(typ string) (schema.Block, bool) {
	switch typ {
	case TypeJSONL:
		return ofRows("Tasks from a file with one JSON object per line. A file that ends with .gz or .zst is unpacked.",
			schema.Path("path", "The file.").Require().Example("data/train.jsonl")), true
	case TypeCSV:
		return ofRows("Tasks from a table: the names of the columns in the first line, then one record per task. All values are text; an empty one is not there.",
			schema.Path("path", "The file; it may end with .gz or .zst.").Require().Example("data/train.csv"),
			schema.String("delimiter", "What separates columns. Default: a tab in .tsv files, otherwise a comma.").Example(";")), true
	case TypeParquet:
		return ofRows("Tasks from a Parquet file, or from all of a directory. Structs become objects; numbers keep all their digits, NaN is null; dates and times are text as in ISO 8601. A column of bytes has to be dropped.",
			schema.Path("path", "The file, or a directory whose .parquet files are read in the order of their names.").Require().Example("data/train.parquet")), true
	case TypeHuggingFace:
		return ofRows("Tasks from a dataset that lies in a directory as Hugging Face's load_dataset reads it: Parquet, JSON or CSV files that its card or their names sort into configurations and splits. Nothing is downloaded, no loading script is run.",
			schema.Path("path", "The directory.").Require().Example("data/gsm8k"),
			schema.String("config", "The configuration. Default: the only one, or the one that is called default.").Example("main"),
			schema.String("split", "The split. Default: train, or the only one.").Example("test")), true
	case TypeMix:
		return mixSchema(), true
	case TypeSplit:
		return splitSchema(), true
	case TypeEnvironment:
		return schema.Block{
			Description: "The tasks that an environment brings itself.",
			Attributes: []schema.Attribute{
				schema.Reference("environment", "environment", "The environment.").Require(),
				schema.String("split", "Which of its tasks.").Default(string(sdk.SplitTrain)).Enum(string(sdk.SplitTrain), string(sdk.SplitValidation)),
				schema.Integer("limit", "Take only this many tasks, from the first on. Default: all.").AtLeast(1),
			},
		}, true
	}
	return schema.Block{}, false
}

func mixSchema() schema.Block {
	return schema.Block{
		Description: "A mix of other datasets. A task keeps its content and has the name of its dataset before its id. The mix is as long as it takes to have each task once, those of other datasets several times where their weight wants it; it is interleaved, so that every piece of it has about the shares that the weights say.",
		Attributes: []schema.Attribute{
			schema.Integer("size", "How many tasks the mix has. Default: as many as it takes to have each task of each part.").AtLeast(1),
			schema.Integer("seed", "Which tasks of a part come first; with a size also which are in the mix.").Default(1),
		},
		Blocks: []schema.NestedBlock{{Name: "part", Nesting: schema.List, Min: 1, Block: schema.Block{
			Description: "A dataset in the mix.",
			Attributes: []schema.Attribute{
				schema.Reference("dataset", "dataset", "The dataset.").Require(),
				schema.Number("weight", "Its share, relative to the weights of the other parts.").Default(1).AtLeast(0),
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

// ofRows are the attributes of all types that make tasks of rows.
func ofRows(description string, own ...schema.Attribute) schema.Block {
	return schema.Block{Description: description, Attributes: append(own,
		schema.StringMap("map", "Which column of a row a field of the task comes from, with dots into nested objects and lists: \"reward_model.ground_truth\", \"messages.0.content\". Fields of a task: prompt or messages, ground_truth, id, and any other. By default a task's prompt is prompt or question, its ground truth ground_truth or answer.").
			Example(map[string]string{"prompt": "question", "ground_truth": "answer"}),
		schema.StringMap("template", "A text per field of the task, in which {{COLUMN}} stands for a column of the row as "+
			"it was read, with dots as in map. What stands between {{#COLUMN}} and {{/COLUMN}} is left out where the column "+
			"has no value.").
			Example(map[string]string{"prompt": "{{Question}}{{#file_name}}\n\nFile: {{file_name}}{{/file_name}}"}),
		schema.StringMap("extract", "A regular expression with one group per field of the task: the group is what remains of the field's text.").
			Example(map[string]string{"ground_truth": "#### (.*)"}),
		schema.Strings("private", "Fields of the task that only rewards and environments see that declare that they need them.").Default([]string{fieldGroundTruth}),
		schema.Strings("drop", "Columns that are left out.").Example([]string{"image"}),
		schema.Integer("limit", "Take only this many rows, from the first on. Default: all.").AtLeast(1),
	)}
}
