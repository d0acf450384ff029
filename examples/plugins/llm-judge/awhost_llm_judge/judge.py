"""The reward: settings, calls, numbers."""

from __future__ import annotations

import asyncio
import datetime
import re
from typing import TYPE_CHECKING, Annotated, Any, Iterable, Literal, Mapping

import awhost
from awhost import Field

from . import verdict

if TYPE_CHECKING:
    import openai

MALFORMED_VERDICTS = 2  # how often a judge may answer something else than a verdict


class Judge(
    awhost.Reward, type="judge", model_judge=True, batch_size=16, needs=["ground_truth", "transcript"], truth_optional=True,
    components_setting="components", metrics=["judge_calls", "prompt_tokens", "completion_tokens", "cost"],
):
    """A language model judges the answer by a rubric: the score is the mean of the criteria, from 0 to 1.

    base_url: where an OpenAI-compatible endpoint is
    model: the judge, by the name that the endpoint has for it
    api_key: the key of the endpoint; a local one may need none
    rubric: what is to be judged: a sentence for each criterion, by its name
    weights: how much each criterion counts in the mean; 1 for those that are not named
    components: the criteria whose numbers reward expressions may use
    work: what the judge reads: the last message alone, or all of them
    reference: whether the judge sees the ground truth of the task
    structured: whether to hold the model to the form of a verdict by a JSON Schema, which not all endpoints can
    success: a score from this on is a success
    most_characters: longer work scores 0 and is not sent
    max_tokens: of a verdict
    timeout: of one request
    retries: how often a request is repeated that failed for a reason that may pass, each time after a longer pause
    concurrency: requests under way at the same time
    prompt_price: what a million prompt tokens cost; 0 counts tokens alone
    completion_price: what a million completion tokens cost
    """

    model: str
    rubric: dict[str, str]
    base_url: str = "https://api.openai.com/v1"
    api_key: Annotated[str | None, awhost.Secret] = None
    weights: dict[str, float] | None = None
    components: list[str] | None = None
    work: Literal["answer", "transcript"] = "answer"
    reference: bool = True
    structured: bool = True
    success: Annotated[float, Field(minimum=0, maximum=1)] = 0.5
    most_characters: Annotated[int, Field(minimum=1, unit="characters")] = 40_000
    max_tokens: Annotated[int, Field(minimum=16, unit="tokens")] = 512
    timeout: datetime.timedelta = datetime.timedelta(seconds=60)
    retries: Annotated[int, Field(minimum=0, maximum=20)] = 5
    concurrency: Annotated[int, Field(minimum=1, maximum=1024, unit="requests")] = 32
    prompt_price: Annotated[float, Field(minimum=0)] = 0.0
    completion_price: Annotated[float, Field(minimum=0)] = 0.0

    @classmethod
    def check(cls, settings: Mapping[str, Any]) -> Iterable[awhost.Diagnostic]:
        url, rubric = settings.get("base_url"), settings.get("rubric")
        if url is not None and not re.match(r"https?://[^/\s]+", url):
            yield awhost.Diagnostic("No address", 'Write it with its scheme and path: "http://127.0.0.1:8000/v1".', ("base_url",))
        if rubric is None:
            return  # not known yet
        if not rubric:
            yield awhost.Diagnostic("No criteria", 'Name at least one: rubric = { correct = "The answer equals the reference." }', ("rubric",))
        for name in rubric:
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
                yield awhost.Diagnostic("No name of a criterion", f"{name!r}: use lower-case letters, digits and _.", ("rubric",))
        for setting in ("weights", "components"):
            if strange := [name for name in settings.get(setting) or () if name not in rubric]:
                yield awhost.Diagnostic("Unknown criteria", f"{', '.join(strange)}: the rubric has {', '.join(rubric)}.", (setting,))
        weights = settings.get("weights") or {}
        if any(w < 0 for w in weights.values()) or rubric and not any(weights.get(name, 1) for name in rubric):
            yield awhost.Diagnostic("Wrong weights", "None may be below 0, and one has to be above.", ("weights",))

    def configure(self) -> None:
        import openai  # takes a second: not for `describe`

        self._client = openai.AsyncOpenAI(
            base_url=self.base_url, api_key=self.api_key or "none", timeout=self.timeout.total_seconds(), max_retries=self.retries,
        )
        self._slots = asyncio.Semaphore(self.concurrency)

    async def score(self, item: awhost.Item) -> awhost.Score:
        work: Any = item.answer
        if self.work == "transcript":
            work = [{"role": m.role, "text": m.content, **({"calls": [[c.name, c.arguments] for c in m.tool_calls]} if m.tool_calls else {})} for m in item.messages]
        asked = verdict.messages(self.rubric, item.task.public, work, item.task.private if self.reference else None)
        if len(asked[1]["content"]) > self.most_characters:
            return self._scored(dict.fromkeys(self.rubric, 0.0), {})
        metrics: dict[str, float] = {}
        for left in reversed(range(MALFORMED_VERDICTS)):
            text = await self._ask(asked, metrics)
            try:
                return self._scored(verdict.read(text, self.rubric), metrics)
            except verdict.BadVerdict as e:
                if not left:
                    raise awhost.Failure("REWARD", str(e), retryable=True) from None
        raise AssertionError("unreachable")

    def _scored(self, shares: Mapping[str, float], metrics: Mapping[str, float]) -> awhost.Score:
        weights = {name: (self.weights or {}).get(name, 1.0) for name in shares}
        score = sum(weights[name] * share for name, share in shares.items()) / sum(weights.values())
        return awhost.Score(score, {name: shares[name] for name in self.components or ()}, score >= self.success, metrics)

    async def _ask(self, asked: list[dict[str, str]], metrics: dict[str, float]) -> str | None:
        """Asks once; the client repeats what may pass (connections, timeouts, 408, 409, 429, 5xx) with growing pauses."""
        import openai

        form: Any = verdict.response_format(self.rubric) if self.structured else openai.omit
        try:
            async with self._slots:
                out = await self._client.chat.completions.create(
                    model=self.model, messages=asked, temperature=0, max_tokens=self.max_tokens, response_format=form,  # type: ignore[arg-type]
                )
        except openai.APIStatusError as e:  # its text may quote the request, and with it the task
            raise awhost.Failure("REWARD", f"the judge at {self.base_url} answers with status {e.status_code}", retryable=e.status_code in (408, 409, 429) or e.status_code >= 500) from None
        except openai.APIError as e:
            raise awhost.Failure("REWARD", f"the judge at {self.base_url} does not answer: {type(e).__name__}", retryable=True) from None
        self._count(out.usage, metrics)
        if not out.choices:
            raise awhost.Failure("REWARD", f"the judge at {self.base_url} answers without a choice", retryable=True)
        return out.choices[0].message.content

    def _count(self, usage: "openai.types.CompletionUsage | None", metrics: dict[str, float]) -> None:
        prompt, completion = (usage.prompt_tokens, usage.completion_tokens) if usage else (0, 0)
        cost = (prompt * self.prompt_price + completion * self.completion_price) / 1e6
        for name, number in (("judge_calls", 1), ("prompt_tokens", prompt), ("completion_tokens", completion), ("cost", cost)):
            metrics[name] = metrics.get(name, 0.0) + number
