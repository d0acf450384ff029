"""The part of awhost that runs inside verl's workers: an agent loop that lets the host run the episode.

verl loads ``awhost_verl.loop.AwhostAgentLoop`` through ``actor_rollout_ref.rollout.agent.agent_loop_config_path``. verl's
files stay as they are: ``awhost_verl.main`` starts verl 0.9 with the trainers of ``awhost_verl.trainer``.
``awhost_verl.cpu`` is loaded only where the spec says ``device = "cpu"``, and in smoke runs.
"""
