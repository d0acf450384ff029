"""The framework's settings for a stage: the fields of its configuration, set by the spec, by the user in the
framework's own names, and by the adapter.

    VOCABULARY = Vocabulary(
        mapped={"optimizer.learning_rate": "learning_rate"},            # knob of the spec: field of the framework
        derived={"batch.prompts": "batch_size"},                        # the adapter computes something of it
        refused={"mini_batch.epochs": "the framework makes one pass"},
        owned={"awhost says where checkpoints are": ("output_dir",)},   # why a user cannot set a field
    )
    fields = Fields(VOCABULARY, packages.dataclass("fw/config.py", "Config"), knobs)
    fields.take("config", config)                                       # what the user wrote by the framework's own names
    fields.put("required by awhost", logging_steps=1)
    fields.tell(response)                                               # effective keys, knobs and diagnostics of a PlanResponse
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final, Mapping, Sequence

from .adapter import Settings
from .installed import DataclassField, misfit
from .v1.adapter_pb2 import EffectiveKey, Knobs, PlanResponse
from .v1.config_pb2 import Diagnostic, Path

# Knobs that the host handles for every framework.
_HOST: Final = (
    "sampling.stop", "limits.message_tokens", "limits.overlong", "validate.best_by", "validate.sampling.temperature", "validate.sampling.top_p",
    "validate.sampling.top_k", "validate.sampling.stop", "checkpoint.keep", "concurrency", "overrides", "env",
)


@dataclass(frozen=True)
class Vocabulary:
    """An adapter's treatment of the spec's knobs and of its framework's fields.

    mapped: knobs that correspond to a field; a field that this version lacks is refused. derived: knobs from which the
    adapter computes fields, with the name of one of them. done: knobs that the adapter handles itself. refused: the
    reasons for refusal. values: the framework's names for the values of a knob; others are refused. owned: the reasons
    why a user cannot set fields, with the prefixes of their names.
    """

    mapped: Mapping[str, str]
    derived: Mapping[str, str] = field(default_factory=dict)
    done: Sequence[str] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    owned: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Fields:
    """The fields of a stage, and the results of its knobs."""

    def __init__(self, vocabulary: Vocabulary, known: Mapping[str, DataclassField], knobs: Knobs) -> None:
        self.known, self.settings = known, Settings(knobs)
        self.values: dict[str, Any] = {}
        self.origins: dict[str, str] = {}
        self.problems: list[Diagnostic] = []
        self._vocabulary = vocabulary
        refused = dict(vocabulary.refused)
        for knob, values in vocabulary.values.items():
            value = self.settings.get(knob)
            if value is not None and value not in values:
                refused[knob] = f"it is {value!r}, and this adapter has {', '.join(map(str, values))}"
        mapped = {knob: key for knob, key in vocabulary.mapped.items() if key in known and knob not in refused}
        derived = {knob: key for knob, key in vocabulary.derived.items() if knob not in refused}
        done = dict.fromkeys((*_HOST, *vocabulary.done), "awhost")
        blocks = {knob.rpartition(".")[0] for knob in (*vocabulary.mapped, *derived, *done, *refused)}
        _, self.knobs = self.settings.mapped(mapped | derived | done | dict.fromkeys(blocks - {""}, "awhost"), refused)
        for knob, key in mapped.items():
            value = self.settings.get(knob)
            if value is not None:
                self.put(knob, **{key: vocabulary.values[knob][value] if knob in vocabulary.values else value})

    def put(self, origin: str, **values: Any) -> None:
        """Sets fields; origin as in EffectiveKey."""
        self.values |= values
        self.origins |= dict.fromkeys(values, origin)

    def get(self, key: str) -> Any:
        """Returns the value of a field: the value set, or the framework's own."""
        return self.values[key] if key in self.values else self.known[key].default

    def take(self, attribute: str, values: Mapping[str, Any]) -> None:
        """Reads the user's values of an attribute of the block, in the framework's own names, and then those after --
        in `apply spec -- key=value`."""
        for key, value in values.items():
            self._own(key, value, attribute, attribute, key)
        for key, text in (self.settings.get("overrides") or {}).items():
            self._own(key, _read(text, self.known.get(key)), "overrides")

    def _own(self, key: str, value: Any, origin: str, *path: str) -> None:
        owned = next((reason for reason, names in self._vocabulary.owned.items() if key.startswith(names)), None)
        knob = next((knob for knob, mapped in self._vocabulary.mapped.items() if mapped == key and knob in self.settings.set), None)
        problem = owned or (f"the spec says it in {knob}: change it there" if knob else misfit(self.known, key, value))
        if problem:
            self.wrong(f"Wrong field {key}", problem, *path)
        else:
            self.put(origin, **{key: value})

    def wrong(self, summary: str, detail: str, *path: str) -> None:
        """Adds an error to the plan, at an attribute of the block, if any."""
        self.problems.append(Diagnostic(severity=Diagnostic.SEVERITY_ERROR, summary=summary, detail=detail, attribute=Path(steps=path)))

    def tell(self, response: PlanResponse, prefix: str = "") -> None:
        """Adds everything to a plan; prefix is the stage's name if there are several: "warm/"."""
        response.effective.extend(EffectiveKey(key=prefix + k, value_json=json.dumps(v).encode(), origin=self.origins[k]) for k, v in sorted(self.values.items()))
        response.knobs.extend(self.knobs)
        response.diagnostics.extend(self.problems)


def _read(text: str, known: DataclassField | None) -> Any:
    """Returns the value of key=value: parsed as JSON or as Python's own names, unless the field is a string."""
    if known is not None and known.annotation in ("str", "str | None", "Optional[str]"):
        return text
    try:
        return json.loads({"True": "true", "False": "false", "None": "null"}.get(text, text))
    except ValueError:
        return text
