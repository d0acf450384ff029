package rollout

import "time"

// MemberRecord summarizes the model requests from one of several members.
type MemberRecord struct {
	Agent        string
	Turns        int
	PromptTokens int // over all turns
	OutputTokens int
	Model        time.Duration // time spent waiting
	Served       string        // address of the served model's block; empty: the policy
	Cost         float64       // of a served model's answers, in US dollars
}

// Members summarizes the turns by member, in the order of their first turns. It returns nil if there is only one member
// and it used the policy.
func (r *AttemptRecord) Members() []MemberRecord {
	var out []MemberRecord
	at := map[string]int{}
	for i := range r.Turns {
		t := &r.Turns[i]
		place, known := at[t.Agent]
		if !known {
			place = len(out)
			at[t.Agent] = place
			out = append(out, MemberRecord{Agent: t.Agent, Served: t.Served})
		}
		m := &out[place]
		m.Turns++
		m.PromptTokens += t.PromptTokens
		m.OutputTokens += t.OutputTokens
		m.Model += t.Model
		m.Cost += t.Cost
	}
	if len(out) == 0 || len(out) == 1 && out[0].Served == "" {
		return nil
	}
	return out
}
