// Package tinylm is a small Llama-style language model that trains and samples on a CPU: the policy of the embedded
// trainer.
//
// It owns the decoder with its hand-written backward pass, AdamW, the KV-cached sampler, immutable weight snapshots and
// checkpoints in the Hugging Face Llama layout. It must not depend on tokenizers, messages, plugins or the host: it
// maps token IDs to token IDs, and rewards to better weights.
//
//	policy, err := tinylm.New(tinylm.Tiny(), seed, tinylm.Options{})
//	for range 400 { // behavior cloning
//		_, err = policy.SFTStep(demonstrations(), 2e-3)
//	}
//	snapshot := policy.Publish()
//	answer, err := policy.Generate(ctx, tinylm.GenRequest{Snapshot: snapshot, PromptIDs: ids, Seed: 7})
//	metrics, err := policy.GRPOStep(samples, grpo.DefaultHyper())
//	err = policy.Save(dir)
//
// # Reproducibility
//
// The same binary on the same CPU features gives the same bits for every value of GOMAXPROCS: a batch is cut into eight
// gradient shards by its order alone, and the shards are added in order. The sampler and trainer run the same kernels
// on operands of the same shape, so the logprob recorded during sampling equals the trainer's. A prefix-cache hit does
// not change the logprob either. Two details make this possible. Every matrix product in the forward pass is a row of
// dot products, never a blocked product whose summation order depends on the number of rows. In addition, gonum's dot
// product sums in an order that depends on the alignment of its second operand, so all such operands start at multiples
// of 16 bytes: widths are multiples of four, and vectors of variable length are stored in rows of padded length. With
// AVX, kernels_amd64.s computes the same sums in the same order, several at a time.
//
// # Sources
//
// The architecture is Llama (Touvron et al. 2023, arXiv 2302.13971): pre-normalization with RMSNorm (arXiv 1910.07467),
// rotary positions (arXiv 2104.09864, in Hugging Face's rotate-half form), SwiGLU (arXiv 2002.05202), here with tied
// embeddings. AdamW is from Loshchilov and Hutter 2019 (arXiv 1711.05101).
package tinylm
