"""The part of awhost that runs inside verl's workers: an agent loop that lets the host run the episode.

verl loads ``awhost_verl.loop.AwhostAgentLoop`` through ``actor_rollout_ref.rollout.agent.agent_loop_config_path``. Nothing
of verl is patched. ``awhost_verl.cpu`` is loaded only where the spec says ``device = "cpu"``, and in smoke runs.
"""
