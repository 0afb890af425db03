"""Train a tiny random model for two steps on exported rows, and read back what TRL would have it learn.

Nothing is downloaded: the tokeniser is made from the rows themselves, the model is random, and the chat templates are
those of Qwen3 and Qwen2.5, which TRL ships together with the variants that mark what the assistant says.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets
import pyarrow.parquet
import torch
import trl
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

END_OF_TURN = "<|im_end|>"
TEMPLATES = ("qwen3", "qwen2_5")
TRAINED_ROWS = 64
"""Rows that are trained on and read back; loading checks every row of the file."""

Row = dict[str, Any]


def main(dataset: Path) -> None:
    file = next(iter(sorted((dataset / "sft").glob("trl-sft*.jsonl"))), None)
    if file is None:
        sys.exit(f"{dataset} has no sft/trl-sft*.jsonl.")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    masked = dict(masked_turns(dataset))
    with tempfile.TemporaryDirectory() as cache:
        loaded = datasets.load_dataset("json", data_files=str(file), split="train", cache_dir=cache)
        for number, (row, line) in enumerate(zip(loaded, rows, strict=True)):
            assert row == line, f"line {number + 1} changed when it was loaded: {row}"
        print(f"{len(rows)} rows load exactly as they were written")
        chosen = spread(len(rows))
        for template in TEMPLATES:
            began = time.monotonic()
            sample = [rows[place] for place in chosen]
            trained, hidden = train(loaded.select(chosen), sample, template, masked, cache)
            assert hidden or not masked, "no sampled row has a masked turn, so this run shows nothing"
            seconds = time.monotonic() - began
            print(f"{template}: 2 steps on {len(sample)} rows in {seconds:.1f} s, loss finite")
            print(f"{template}: {trained} assistant turns are learnt whole, {hidden} masked turns not at all")


def spread(count: int) -> list[int]:
    """Places of the rows to train on: the first ones and the rest evenly."""
    step = max(1, count // TRAINED_ROWS)
    return sorted({*range(min(count, 8)), *range(0, count, step)})[:TRAINED_ROWS]


def masked_turns(dataset: Path) -> Iterator[tuple[str, list[int]]]:
    """Places of the masked agent turns of every trajectory, by what the agent says and calls in it."""
    for turns in trajectories(dataset):
        said = [(turn["message"], turn["calls"]) for turn in turns]
        yield key(said), [place for place, turn in enumerate(turns) if turn["weight"] == 0]


def trajectories(dataset: Path) -> Iterator[list[Row]]:
    """The agent turns of every trajectory of the dataset: message, arguments of its calls, weight."""
    documents = dataset / "sft" / "trajectories.jsonl"
    if documents.is_file():
        for line in documents.read_text(encoding="utf-8").splitlines():
            yield [
                {
                    "message": step["message"],
                    "calls": [call["arguments"] for call in step.get("tool_calls", [])],
                    "weight": step.get("extra", {}).get("trajmill", {}).get("loss_weight", 1),
                }
                for step in json.loads(line)["steps"]
                if step["source"] == "agent"
            ]
    for file in sorted((dataset / "data" / "trajectories").glob("*.parquet")):
        for row in pyarrow.parquet.read_table(file, columns=["steps"]).to_pylist():
            yield [
                {
                    "message": step["message"],
                    "calls": [json.loads(call["arguments"]) for call in step["tool_calls"] or []],
                    "weight": step["loss_weight"],
                }
                for step in row["steps"]
                if step["source"] == "agent"
            ]


def key(said: list[tuple[str, list[Row]]]) -> str:
    return json.dumps(said, sort_keys=True)


def turns_of(messages: list[Row]) -> list[Row]:
    return [message for message in messages if message["role"] == "assistant"]


def train(loaded: Any, rows: list[Row], template: str, masked: dict[str, list[int]], cache: str) -> tuple[int, int]:
    """Two steps; returns how many turns are learnt whole, and how many masked turns are not learnt."""
    tokenizer = make_tokenizer(rows, template)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=16,
        max_position_embeddings=65_536,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    torch.manual_seed(0)
    settings = trl.SFTConfig(
        output_dir=cache,
        max_steps=2,
        per_device_train_batch_size=2,
        max_length=None,
        assistant_only_loss=True,
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
        logging_strategy="no",
        seed=0,
    )
    trainer = trl.SFTTrainer(
        model=Qwen3ForCausalLM(config), args=settings, train_dataset=loaded, processing_class=tokenizer
    )
    result = trainer.train()
    assert trainer.state.global_step == 2
    assert torch.isfinite(torch.tensor(result.training_loss)), result
    trained = hidden = 0
    for row, encoded in zip(rows, trainer.train_dataset, strict=True):
        labels = trainer.data_collator([encoded])["labels"][0]
        trained += check_trained(row, tokenizer.decode(labels[labels != -100]), template)
        hidden += check_masked(row, masked)
    return trained, hidden


def make_tokenizer(rows: list[Row], template: str) -> PreTrainedTokenizerFast:
    special = [END_OF_TURN, "<|im_start|>", "<|endoftext|>"]
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    bpe.train_from_iterator(
        (json.dumps(row, ensure_ascii=False) for row in rows),
        trainers.BpeTrainer(
            vocab_size=1000,
            special_tokens=special,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        eos_token=END_OF_TURN,
        pad_token="<|endoftext|>",
        clean_up_tokenization_spaces=False,
    )
    file = Path(trl.__file__).parent / "chat_templates" / f"{template}.jinja"
    tokenizer.chat_template = file.read_text(encoding="utf-8")
    return tokenizer


def check_trained(row: Row, learnt: str, template: str) -> int:
    """Every assistant turn of the completion is learnt whole, in order, and nothing else is."""
    wanted = turns_of(row["completion"])
    turns = learnt.split(END_OF_TURN)
    assert turns.pop().strip() == "", f"something is learnt after the last turn: {learnt}"
    assert len(turns) == len(wanted), f"{len(turns)} turns are learnt instead of {len(wanted)}: {learnt}"
    for turn, message in zip(turns, wanted, strict=True):
        text, *calls = turn.split("<tool_call>\n")
        thought = message.get("reasoning_content", "") if template == "qwen3" else ""
        assert text.strip() == think(template, thought, message["content"]).strip(), f"{text!r} is not {message}"
        read = [json.loads(call.split("\n</tool_call>")[0]) for call in calls]
        functions = [call["function"] for call in message.get("tool_calls", [])]
        assert read == [{"name": call["name"], "arguments": call["arguments"]} for call in functions], (
            f"{read}: {message}"
        )
    return len(turns)


def think(template: str, thought: str, content: str) -> str:
    return f"<think>\n{thought}\n</think>\n\n{content}" if template == "qwen3" else content


def check_masked(row: Row, masked: dict[str, list[int]]) -> int:
    """Every masked turn of the trajectory stands in the prompt, of which nothing is learnt; returns their number."""
    turns = turns_of(row["prompt"] + row["completion"])
    said = [(turn["content"], [call["function"]["arguments"] for call in turn.get("tool_calls", [])]) for turn in turns]
    places = masked[key(said)] if masked else []
    prompted = len(turns_of(row["prompt"]))
    assert all(place < prompted for place in places), (
        f"turns {places} are masked, but only {prompted} are in the prompt"
    )
    return len(places)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
