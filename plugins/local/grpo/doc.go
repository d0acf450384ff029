// Package grpo holds the arithmetic of group-relative policy optimisation: which samples carry a signal, how strong it
// is, and what one token contributes to the loss and its gradient.
//
// It must not know models, tokens, plugins or the host: everything here is a function of numbers, so that it can be
// checked by hand and against finite differences.
//
// A step goes through three functions. Advantages compares the samples of each group; Hyper.TokenWeight says how the
// tokens of a batch are averaged; Hyper.Term gives the objective of one token and its derivative:
//
//	advantages, batch := grpo.Advantages(outcomes, hyper)
//	for i, a := range advantages {
//		if !a.Used {
//			continue // masked, or every sample of its group got the same reward
//		}
//		for t := range logprobs[i] {
//			term := hyper.Term(logprobs[i][t], sampled[i][t], reference[i][t], a.Value)
//			gradient[i][t] = -weight[i] * term.DLogprob
//		}
//	}
//
// Sources: GRPO is Shao et al. 2024, "DeepSeekMath" (arXiv 2402.03300), equations 3 and 4; the asymmetric clip range,
// the token mean and the dropping of groups without variance are DAPO (Yu et al. 2025, arXiv 2503.14476); advantages
// without division by the standard deviation and a constant length normaliser are Dr. GRPO (Liu et al. 2025, arXiv
// 2503.20783); the k3 estimator of the KL divergence is Schulman 2020, "Approximating KL Divergence".
package grpo
