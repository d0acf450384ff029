package findings

import (
	"cmp"
	"slices"
)

// The rules about tasks. Package datacheck evaluates them.
const (
	ValidationInTraining = "validation_in_training"
	TruthInPrompt        = "truth_in_prompt"
	SolutionInPrompt     = "solution_in_prompt"
	DuplicateTasks       = "duplicate_tasks"
	JSONPrompt           = "json_prompt"
	NullTruth            = "null_truth"
	TruthType            = "truth_type"
	AnswerForm           = "answer_form"
)

var dataRules = []Rule{
	{
		ID: ValidationInTraining, Severity: fault, Title: "Validation tasks in the training data",
		Causes: []string{"the files were split after rows were repeated", "both blocks read the same file"},
		Remedy: "Remove the tasks from one of the datasets, or divide one file with a dataset \"split\" block, which keeps " +
			"equal prompts on one side",
	},
	{
		ID: TruthInPrompt, Severity: doubt, Title: "Ground truth in a public field",
		Causes: []string{"a column that holds the answer is not private", "a template includes the answer"},
		Remedy: "Map or template the prompt from columns without the answer",
	},
	{
		ID: SolutionInPrompt, Severity: fault, Title: "Prompts that end with a solution",
		Causes: []string{"the data are demonstrations for supervised training"},
		Remedy: "End the messages before the solution, for example with map = { prompt = \"messages.0.content\" }",
	},
	{
		ID: DuplicateTasks, Severity: doubt, Title: "Tasks with the same prompt",
		Causes: []string{"files were joined without removing repeated rows", "the prompt is mapped to a column that does " +
			"not hold the whole question"},
		Remedy: "Remove the repeated rows; of those with different ground truths, keep the correct one",
	},
	{
		ID: JSONPrompt, Severity: fault, Title: "Prompts that are not readable text",
		Causes: []string{"a list of messages was saved as a string", "the file was decoded with a wrong encoding",
			"the rows of the source have no question"},
		Remedy: "Save the messages as a JSON list, save the text as UTF-8, and remove rows without a question",
	},
	{
		ID: NullTruth, Severity: doubt, Title: "Data without ground truth",
		Causes: []string{"the column of the answer has another name", "rows of the source have no answer"},
		Remedy: "Map the column that holds the answer to ground_truth, or remove the tasks without one",
	},
	{
		ID: TruthType, Severity: fault, Title: "Wrong type of ground truth",
		Causes: []string{"the answer is inside an object or a list", "the reward is made for other answers"},
		Remedy: "Map the field that holds the answer, or use another reward",
	},
	{
		ID: AnswerForm, Severity: doubt, Title: "Prompts ask for an answer form that the reward does not read",
		Causes: []string{"the prompts were written for another reward"},
		Remedy: "Set answer_form in the block of the reward, or change the prompts",
	},
}

// DataRules returns the rules about tasks.
func DataRules() []Rule { return dataRules }

// OfTasks completes a finding about tasks with the texts of its rule. Fields that are set take precedence.
func OfTasks(f Finding) Finding {
	rule := dataRule(f.ID)
	f.Severity, f.Remedy = cmp.Or(f.Severity, rule.Severity), cmp.Or(f.Remedy, rule.Remedy)
	f.Causes, f.Docs, f.New = rule.Causes, Page+"#"+rule.ID, true
	return f
}

// TitleOf returns the title of a rule about tasks.
func TitleOf(id string) string { return dataRule(id).Title }

func dataRule(id string) Rule {
	return dataRules[slices.IndexFunc(dataRules, func(r Rule) bool { return r.ID == id })]
}

// Add adds a finding that was evaluated elsewhere. It reports whether the finding is new.
func (e *Engine) Add(f Finding) bool {
	if e.known[f.Key()] != nil {
		return false
	}
	e.known[f.Key()] = &f
	return true
}
