package dataset_test

import (
	"testing"

	"github.com/awhost/awhost/host/dataset"
)

func TestFirst(t *testing.T) {
	from := numbered(t, "q", 3)
	two := dataset.First(from, 2)
	if two.Len() != 2 || two.ID(1) != "q1" || two.Fingerprint() == from.Fingerprint() {
		t.Errorf("%d tasks, the second is %s", two.Len(), two.ID(1))
	}
	task, err := two.Task(1)
	if err != nil || string(task.Private) == "" || task.ID != "q1" {
		t.Errorf("second task %+v, %v", task, err)
	}
	if _, found := two.Index("q2"); found {
		t.Error("the third task is there")
	}
	if all := dataset.First(from, 9); all.Len() != 3 {
		t.Errorf("%d of 3 tasks", all.Len())
	}
}
