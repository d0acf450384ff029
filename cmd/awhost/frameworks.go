package main

import "github.com/awhost/awhost/host/doctor"

// frameworks lists the frameworks that have adapters, with their supported versions. It must match the adapters'
// reference pages.
var frameworks = []doctor.Framework{
	{
		Name: "verl", Package: "verl", Engines: []string{"vllm", "sglang"},
		Support: []doctor.Range{
			{From: "0.10", Tier: doctor.Untested, Why: "newer than the tested versions", Remedy: "use verl 0.9"},
			{From: "0.7.1", Tier: doctor.FirstClass},
			{
				From: "0.6", Tier: doctor.BestEffort, Why: "its agent loops and reward settings are incompatible",
				Remedy: "upgrade to verl 0.7.1 or newer: pip install 'verl>=0.7.1,<0.10'",
			},
			{
				Tier:   doctor.Refused,
				Why:    "its AgentLoop has run(messages, sampling_params): no dataset fields, no reward, no log-probabilities",
				Remedy: "upgrade in a separate environment: pip install 'verl>=0.7.1,<0.10'",
			},
		},
	},
	{
		Name: "AReaL", Package: "areal", Engines: []string{"sglang", "vllm"},
		Support: []doctor.Range{
			{From: "3", Tier: doctor.Untested, Why: "newer than the tested versions", Remedy: "use AReaL 2"},
			{From: "1.0.4", Tier: doctor.FirstClass},
			{From: "1.0.2", Tier: doctor.BestEffort, Why: "its proxy and configuration differ from 1.0.4",
				Remedy: "upgrade to AReaL 1.0.4 or newer, from its repository's tags"},
			{Tier: doctor.Untested, Why: "older than the tested versions",
				Remedy: "upgrade to AReaL 1.0.4 or newer, from its repository's tags"},
		},
	},
	{
		Name: "TRL", Package: "trl",
		Support: []doctor.Range{
			{From: "2", Tier: doctor.Refused, Why: "the adapter knows no version 2", Remedy: "pip install 'trl>=1.10,<2'"},
			{From: "1.10", Tier: doctor.FirstClass},
			{Tier: doctor.Refused, Why: "a failed sample without a reward counts as 0 before 1.10",
				Remedy: "pip install 'trl>=1.10,<2'"},
		},
	},
	{
		Name: "ms-swift", Package: "ms-swift",
		Support: []doctor.Range{
			{From: "5", Tier: doctor.Refused, Why: "the adapter knows no version 5",
				Remedy: "pip install 'ms-swift>=4.6,<5'"},
			{From: "4.6", Tier: doctor.FirstClass},
			{Tier: doctor.Refused, Why: "its multi-turn scheduler requires vLLM before 4.6",
				Remedy: "pip install 'ms-swift>=4.6,<5'"},
		},
	},
}

// frameworkPackages lists important framework dependencies, for diagnosing a framework that does not start.
var frameworkPackages = []string{"ray", "vllm", "sglang", "transformers", "flash-attn", "tensordict", "transferqueue",
	"numpy"}
