package dataset

import "github.com/awhost/awhost/sdk/schema"

// typeInteger is a whole number. Only the host's own blocks have it, so it is a type of host/spec.
const typeInteger schema.Type = "integer"

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
		return ofRows("Tasks from a Parquet file, or from all of a directory.",
			schema.Path("path", "The file, or a directory whose .parquet files are read in the order of their names.").Require().Example("data/train.parquet")), true
	case TypeHuggingFace:
		return ofRows("Tasks from a dataset that lies in a directory as Hugging Face's load_dataset reads it: Parquet, JSON or CSV files that its card or their names sort into configurations and splits. Nothing is downloaded, no loading script is run.",
			schema.Path("path", "The directory.").Require().Example("data/gsm8k"),
			schema.String("config", "The configuration. Default: the only one, or the one that is called default.").Example("main"),
			schema.String("split", "The split. Default: train, or the only one.").Example("test")), true
	}
	return schema.Block{}, false
}

// ofRows are the attributes of all types that make tasks of rows.
func ofRows(description string, own ...schema.Attribute) schema.Block {
	return schema.Block{Description: description, Attributes: append(own,
		schema.StringMap("map", "Which column of a row a field of the task comes from, with dots into nested objects and lists: \"reward_model.ground_truth\", \"messages.0.content\". Fields of a task: prompt or messages, ground_truth, id, and any other. By default a task's prompt is prompt or question, its ground truth ground_truth or answer.").
			Example(map[string]string{"prompt": "question", "ground_truth": "answer"}),
		schema.StringMap("extract", "A regular expression with one group per field of the task: the group is what remains of the field's text.").
			Example(map[string]string{"ground_truth": "#### (.*)"}),
		schema.Strings("private", "Fields of the task that only rewards and environments see that declare that they need them.").Default([]string{fieldGroundTruth}),
		schema.Strings("drop", "Columns that are left out.").Example([]string{"image"}),
		schema.Attribute{Name: "limit", Type: typeInteger, Description: "Take only this many rows, from the first on. Default: all."}.AtLeast(1),
	)}
}
