"""The tools that a policy may call, under ADP's canonical names, in the OpenAI function form."""

from __future__ import annotations

from trajmill.schemas.ids import Json

TERMINAL: Json = {
    "type": "function",
    "function": {
        "name": "terminal",
        "description": "Run a command in the persistent bash session and return its output.",
        "parameters": {
            "type": "object",
            "properties": {"command": {"type": "string", "description": "The command; it may have several lines."}},
            "required": ["command"],
            "additionalProperties": False,
        },
    },
}

FINISH: Json = {
    "type": "function",
    "function": {
        "name": "finish",
        "description": "End the job.",
        "parameters": {
            "type": "object",
            "properties": {"message": {"type": "string", "description": "A short summary of what was done."}},
            "required": ["message"],
            "additionalProperties": False,
        },
    },
}

TOOLS: tuple[Json, ...] = (TERMINAL, FINISH)
