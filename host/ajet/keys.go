package ajet

// Key is what becomes of a key of AgentJet's configuration. Either To or Why says it; To with Why says what is
// different.
type Key struct {
	Path string // below the root; a path that ends with ".*" stands for all keys below it
	To   string // where the spec has it: "train.batch.group_size"
	Why  string // why it is not carried, or what is different
	// Default is AgentJet's own, as its ajet_default.yaml of January 2026 has it; empty: the key has none that is carried.
	Default string
}

// Reasons that several keys have.
const (
	engine = "the engine is the adapter's to set up: write it in the block adapter \"verl\", or as an override, " +
		"`awhost apply train.hcl -- KEY=VALUE`"
	trinity  = "of AgentJet's trinity backbone; see Trinity in docs/agentjet.md"
	ownDebug = "`awhost debug` plays tasks one at a time without a GPU, with any endpoint or checkpoint"
	inner    = "AgentJet's own machinery, which has no counterpart"
	merging  = "awhost joins the calls of an episode by whole messages, tool calls included, see docs/conversations.md"
	swarm    = "of AgentJet's swarm mode: programs elsewhere are reached by agent \"serve\" and by the gateway"
	lora     = "LoRA is set in the trainer's own configuration, by `config` or an override"
	grader   = "rubrics are written in reward \"llm_judge\""
	generate = "tasks that a model makes up are a program of yours: dataset \"command\" or \"python\" reads what it gives"
)

// Keys are all keys of AgentJet's default configuration, in its order, and those of its tutorial.
var Keys = []Key{
	{Path: "ajet.project_name", To: "train NAME, train.tracking.project"},
	{Path: "ajet.experiment_name", To: "train.tracking.experiment"},
	{Path: "ajet.experiment_dir", Why: "runs lie in .awhost/runs beside the spec"},
	{Path: "ajet.backbone", Why: "the adapter is chosen by --adapter"},
	{Path: "ajet.model.path", To: "variable.model, model.hf.policy"},
	{Path: "ajet.data.max_prompt_length", To: "train.limits.prompt_tokens", Default: "3000"},
	{Path: "ajet.data.max_response_length", To: "train.limits.response_tokens", Default: "15000"},
	{
		Path:    "ajet.data.train_batch_size",
		To:      "variable.prompts, train.batch.prompts",
		Why:     "fewer on a laptop: --var prompts=8",
		Default: "32",
	},
	{
		Path: "ajet.rollout.user_workflow",
		To:   "agent.python.workflow",
		Why: "its Python is .venv beside the spec, else that of VIRTUAL_ENV, else python3, and needs what the workflow " +
			"imports, except ajet",
	},
	{
		Path:    "ajet.rollout.force_disable_toolcalls",
		To:      "agent.python.workflow.tools",
		Why:     "true becomes an empty list of tools of the environment; tools that the workflow brings are its own",
		Default: "false",
	},
	{Path: "ajet.rollout.max_env_worker", To: "train.concurrency", Default: "64"},
	{Path: "ajet.rollout.gamma", Why: "AgentJet takes no other value than 1, which is what awhost does"},
	{Path: "ajet.rollout.compute_madness_checklist", To: "agent.python.workflow.checks.find", Default: "[nonsense]"},
	{Path: "ajet.rollout.agent_madness_termination", To: "agent.python.workflow.checks.then", Default: "true"},
	{Path: "ajet.rollout.agent_madness_reward", To: "agent.python.workflow.checks.reward", Default: "-1.0"},
	{
		Path:    "ajet.rollout.max_response_length_in_one_turn",
		To:      "train.limits.message_tokens",
		Why:     "AgentJet takes 16 tokens off it, and so does the spec",
		Default: "4096",
	},
	{Path: "ajet.rollout.max_model_len", Why: "the context is the sum of prompt_tokens and response_tokens"},
	{
		Path: "ajet.rollout.multi_turn.max_sample_per_task",
		Why: "AgentJet drops conversations of an episode beyond this number at random; awhost trains all: " +
			"see docs/agentjet.md, How many conversations are trained",
	},
	{Path: "ajet.rollout.multi_turn.max_steps", To: "agent.python.workflow.max_turns", Default: "30"},
	{Path: "ajet.rollout.multi_turn.expected_steps", Why: trinity},
	{Path: "ajet.rollout.tensor_model_parallel_size", Why: engine + "; AgentJet ignores it on verl"},
	{Path: "ajet.rollout.n_vllm_engine", Why: trinity},
	{Path: "ajet.rollout.max_num_seqs", Why: engine + "; AgentJet ignores it on verl"},
	{Path: "ajet.rollout.name", To: "adapter.verl.trainer.engine", Why: "only with --adapter verl"},
	{Path: "ajet.rollout.gpu_memory_utilization", Why: engine},
	{Path: "ajet.rollout.num_repeat", To: "train.batch.group_size", Default: "4"},
	{Path: "ajet.rollout.temperature", To: "train.sampling.temperature", Default: "0.9"},
	{Path: "ajet.rollout.top_p", To: "train.sampling.top_p", Default: "1.0"},
	{Path: "ajet.rollout.top_k", To: "train.sampling.top_k", Default: "-1"},
	{Path: "ajet.rollout.val_kwargs.temperature", To: "train.validate.sampling.temperature", Default: "0.0"},
	{Path: "ajet.rollout.val_kwargs.top_k", To: "train.validate.sampling.top_k", Default: "-1"},
	{Path: "ajet.rollout.val_kwargs.top_p", To: "train.validate.sampling.top_p", Default: "1.0"},
	{Path: "ajet.rollout.val_kwargs.do_sample", Why: "a temperature of 0 says the same"},
	{
		Path: "ajet.rollout.val_kwargs.num_repeat",
		To:   "train.validate.samples",
		Why:  "val_pass_n wins where both are given",
	},
	{
		Path: "ajet.rollout.submit_oversample_multiplier",
		Why:  "filter_groups leaves out groups that are worth the same, and refills them",
	},
	{
		Path: "ajet.rollout.enable_oversample",
		Why:  "filter_groups leaves out groups that are worth the same, and refills them",
	},
	{Path: "ajet.rollout.step_skip_action", Why: inner},
	{Path: "ajet.task_reader.type", To: "dataset"},
	{Path: "ajet.task_reader.jsonl_dataset_file.training.file_path", To: "dataset.jsonl.train.path"},
	{Path: "ajet.task_reader.jsonl_dataset_file.validation.file_path", To: "dataset.jsonl.validation.path"},
	{Path: "ajet.task_reader.env_service.env_type", To: "environment.env_service.world.env_type"},
	{
		Path: "ajet.task_reader.env_service.env_url",
		To:   "variable.service, environment.env_service.world.url",
	},
	{Path: "ajet.task_reader.env_service.env_action_preference", Why: "AgentJet reads it nowhere"},
	{
		Path: "ajet.task_reader.env_service.training_split",
		To:   "environment.env_service.world.train_split",
		Why:  "the list is kept by `awhost init`",
	},
	{
		Path: "ajet.task_reader.env_service.validation_split",
		To:   "environment.env_service.world.validation_split",
		Why:  "the list is kept by `awhost init`",
	},
	{
		Path: "ajet.task_reader.huggingface_dat_repo.dataset_path",
		To:   "variable.data, dataset.huggingface.train.repo",
		Why: "a directory beside the spec; where there is none, a repository: for the tutorial's gsm8k/main, " +
			"--var data=openai/gsm8k --var config=main",
	},
	{
		Path: "ajet.task_reader.huggingface_dat_repo.dataset_name",
		Why:  "AgentJet ignores it: --var config=NAME",
	},
	{Path: "ajet.task_reader.huggingface_dat_repo.training_split", To: "dataset.huggingface.train.split"},
	{
		Path: "ajet.task_reader.huggingface_dat_repo.validation_split",
		To:   "dataset.huggingface.validation.split",
		Why:  "its first tasks alone: --var validation_tasks=20",
	},
	{Path: "ajet.task_reader.data_generation.*", Why: generate},
	{Path: "ajet.task_reader.tracing.*", Why: generate},
	{Path: "ajet.task_judge.judge_type", To: "reward"},
	{
		Path: "ajet.task_judge.judge_protocol",
		To:   "reward",
		Why: "AgentJet's MathAnswerAsJudge becomes reward \"math\", its CountdownAnswerAsJudge reward \"countdown\", " +
			"its EnvServiceJudge reward \"environment_state\" with its formula; a class of yours reward \"python\"",
	},
	{Path: "ajet.task_judge.alien_llm_model", Why: "judges that ask a model name it in their own blocks"},
	{Path: "ajet.task_judge.alien_llm_response_length", Why: "judges that ask a model bound it in their own blocks"},
	{Path: "ajet.task_judge.rubrics_auto_grader.*", Why: grader},
	{Path: "ajet.context_tracker.timeline_merging_policy.timeline_compare_level", Why: merging},
	{Path: "ajet.context_tracker.timeline_merging_policy.ignore_tools", Why: merging},
	{
		Path: "ajet.context_tracker.fix_retokenization_drift",
		Why:  "sampled ids are only ever appended to: there is no drift to mend",
	},
	{
		Path: "ajet.context_tracker.log_tool_format_check",
		Why:  "calls that cannot be read are in each episode's record",
	},
	{
		Path: "ajet.context_tracker.log_tool_format_error_detail",
		Why:  "calls that cannot be read are in each episode's record",
	},
	{Path: "ajet.context_tracker.detect_timeline_snap", Why: merging},
	{Path: "ajet.context_tracker.alien_llm_model", Why: "AgentJet has given it up"},
	{Path: "ajet.context_tracker.alien_llm_response_length", Why: "AgentJet has given it up"},
	{Path: "ajet.debug.debug_max_parallel", Why: ownDebug},
	{Path: "ajet.debug.debug_first_n_tasks", Why: ownDebug},
	{Path: "ajet.debug.debug_vllm_port", Why: ownDebug},
	{Path: "ajet.debug.debug_vllm_seed", Why: ownDebug},
	{Path: "ajet.debug.debug_tensor_parallel_size", Why: ownDebug},
	{Path: "ajet.trainer_common.val_before_train", To: "train.validate.before_train", Default: "false"},
	{Path: "ajet.trainer_common.val_pass_n", To: "train.validate.samples", Default: "4"},
	{Path: "ajet.trainer_common.val_only", Why: "`awhost eval` measures without training"},
	{
		Path: "ajet.trainer_common.val_max_num_task_each_validation",
		To:   "variable.validation_tasks, dataset.validation.limit",
		Why:  "the first tasks are taken, the same each time",
	},
	{Path: "ajet.trainer_common.val_max_num_task_clip_method", Why: "limit of a dataset takes the first tasks"},
	{Path: "ajet.trainer_common.val_print_to_markdown_file_path", Why: "`awhost show --episodes` prints them"},
	{Path: "ajet.trainer_common.train_print_to_markdown_file_path", Why: "`awhost show --episodes` prints them"},
	{Path: "ajet.trainer_common.save_freq", To: "train.checkpoint.every", Default: "20"},
	{Path: "ajet.trainer_common.test_freq", To: "train.validate.every", Default: "20"},
	{Path: "ajet.trainer_common.total_training_steps", To: "variable.steps, train.steps", Why: "in the place of epochs"},
	{
		Path:    "ajet.trainer_common.total_epochs",
		To:      "train.epochs",
		Why:     "--var steps=2 trains for so many steps instead",
		Default: "50",
	},
	{Path: "ajet.trainer_common.nnodes", To: "adapter.verl.trainer.nodes", Why: "only with --adapter verl"},
	{
		Path: "ajet.trainer_common.n_gpus_per_node",
		To:   "adapter.verl.trainer.gpus_per_node",
		Why:  "only with --adapter verl",
	},
	{Path: "ajet.trainer_common.logger", To: "train.tracking"},
	{Path: "ajet.trainer_common.algorithm.adv_estimator", To: "train.algorithm"},
	{
		Path: "ajet.trainer_common.algorithm.use_kl_in_reward",
		Why:  "awhost has the KL penalty in the loss: algorithm.kl",
	},
	{
		Path:    "ajet.trainer_common.mini_batch_num",
		To:      "train.mini_batch.size",
		Why:     "samples of a step, divided by it",
		Default: "1",
	},
	{Path: "ajet.trainer_common.fsdp_config.param_offload", Why: engine},
	{Path: "ajet.trainer_common.fsdp_config.optimizer_offload", Why: engine},
	{Path: "ajet.trainer_common.optim.lr", To: "train.optimizer.learning_rate", Default: "1.0e-06"},
	{Path: "ajet.trainer_common.optim.optimizer", Why: "AdamW is what adapters have"},
	{Path: "ajet.trainer_common.optim.optimizer_impl", Why: "AdamW is what adapters have"},
	{
		Path: "ajet.trainer_common.optim.lr_warmup_steps_ratio",
		Why:  "warm-up is given in steps: optimizer.warmup_steps",
	},
	{Path: "ajet.trainer_common.optim.total_training_steps", Why: "the schedule ends with the run"},
	{Path: "ajet.trainer_common.optim.weight_decay", To: "train.optimizer.weight_decay", Default: "0.01"},
	{Path: "ajet.trainer_common.optim.lr_warmup_steps", To: "train.optimizer.warmup_steps"},
	{Path: "ajet.trainer_common.optim.betas", To: "train.optimizer.beta1, train.optimizer.beta2"},
	{Path: "ajet.trainer_common.optim.min_lr_ratio", Why: "schedules of awhost end at zero, or do not fall"},
	{Path: "ajet.trainer_common.optim.num_cycles", Why: "the cosine of awhost is half a period"},
	{Path: "ajet.trainer_common.optim.lr_scheduler_type", To: "train.optimizer.schedule"},
	{Path: "ajet.trainer_common.optim.zero_indexed_step", Why: inner},
	{Path: "ajet.trainer_common.optim.grad_clip", To: "train.optimizer.max_grad_norm"},
	{Path: "ajet.trainer_common.use_kl_loss", To: "train.algorithm.kl", Why: "false becomes 0", Default: "true"},
	{Path: "ajet.trainer_common.kl_loss_coef", To: "train.algorithm.kl", Default: "0.002"},
	{Path: "ajet.trainer_common.kl_loss_type", Why: "adapters have low_var_kl, which is AgentJet's default, too"},
	{Path: "ajet.trainer_common.ppo_epochs", To: "train.mini_batch.epochs"},
	{Path: "ajet.trainer_common.loss_extra_scale_ratio", Why: "scale learning_rate instead"},
	{Path: "ajet.trainer_common.ulysses_sequence_parallel_size", Why: engine},
	{
		Path: "ajet.trainer_common.checkpoint_base_dir",
		Why:  "checkpoints lie in the run's directory; `awhost export` writes one elsewhere",
	},
	{
		Path: "ajet.trainer_common.save_trajectory_as_json_file",
		Why:  "all episodes are on record: `awhost show --episodes`",
	},
	{Path: "ajet.trainer_common.trinity_only__n_vllm_engine", Why: trinity},
	{Path: "ajet.lora.*", Why: lora},
	{Path: "ajet.enable_swarm_mode", Why: swarm},
	{Path: "ajet.enable_interchange_server", Why: "base URL and key of a workflow come from awhost's gateway"},
	{
		Path: "ajet.enable_experimental_interchange_server",
		Why:  "base URL and key of a workflow come from awhost's gateway",
	},
	{Path: "ajet.interchange_server.*", Why: "base URL and key of a workflow come from awhost's gateway"},
	{Path: "ajet.swarm_mode_sample_collection_method", Why: swarm},
	{Path: "ajet.swarm_mode_sample_collection_max_cached_episodes", Why: swarm},
	{
		Path: "ajet.task_runner.*",
		Why:  "processes and time limits are the agent's: workers, and episode_timeout of train",
	},
	{Path: "ajet.execute_test", Why: inner},
	{Path: "ajet.execute_testing_lambda", Why: inner},
	{Path: "trinity.*", Why: trinity},
	{Path: "verl.*", Why: "keys of verl are overrides: `awhost apply train.hcl -- KEY=VALUE`"},
	{Path: "hydra.*", Why: "where AgentJet looks for its defaults"},
	{Path: "defaults.*", Why: "where AgentJet looks for its defaults"},
	{Path: "defaults", Why: "where AgentJet looks for its defaults"},
}
