// Package grpo implements the arithmetic of group-relative policy optimization: which samples carry a signal, how
// strong it is, and how much one token contributes to the loss and its gradient.
//
// It must not depend on models, tokens, plugins or the host. Everything here is a function of numbers, so that it can
// be checked by hand and against finite differences.
//
// A step uses three functions. Advantages compares the samples of each group; Hyper.TokenWeight averages the tokens
// of a batch; Hyper.Term returns the objective of one token and its derivative:
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
// Sources: GRPO is Shao et al. 2024, "DeepSeekMath" (arXiv 2402.03300), equations 3 and 4. The asymmetric clip range,
// the token mean and dropping groups without variance are from DAPO (Yu et al. 2025, arXiv 2503.14476). Advantages
// without division by the standard deviation and a constant length normalizer are from Dr. GRPO (Liu et al. 2025, arXiv
// 2503.20783). The k3 estimator of the KL divergence is from Schulman 2020, "Approximating KL Divergence".
package grpo
