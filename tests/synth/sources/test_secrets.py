"""What looks like a secret, and what only resembles one. All values are made up here, in pieces."""

from __future__ import annotations

import pytest

from trajmill.synth.sources.secrets import secret_in, secret_name


@pytest.mark.parametrize(
    "name",
    [".env", "x/.env", ".ENV", ".env.local", "prod.env", "id_rsa", "a/id_ed25519", "server.pem", ".netrc"],
)
def test_names_of_secrets(name: str) -> None:
    assert secret_name(name)


@pytest.mark.parametrize("name", ["environment.txt", "keys.csv", "id_rsa.pub", ".env.example", "monkey.txt"])
def test_names_that_only_resemble_them(name: str) -> None:
    assert secret_name(name) == ""


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("x\n-----BEGIN OPENSSH PRIVATE" + " KEY-----\n", "a private key on line 2"),
        ("key AKIA" + "ABCDEFGHIJKLMNOP", "an AWS key on line 1"),
        ("ghp_" + "a1" * 18, "a GitHub token on line 1"),
        ("xoxb-" + "12345678901", "a Slack token on line 1"),
        ("sk-" + "a1B2" * 10, "a model API key on line 1"),
        ("a\nb\nDB=postgres://app:hunter22@db.example/app", "a password in an address on line 3"),
        ('{"id": 1,"api_key":"abcdefgh"}', "a setting named like a secret on line 1"),
        ("GET /login?password=hunter22", "a password in a message on line 1"),
        ("API_TOKEN=abcdefgh", "a setting named like a secret on line 1"),
        ('  "password": "correct-horse"', "a setting named like a secret on line 1"),
        ("export AWS_SECRET_ACCESS_KEY=abcdefgh", "a setting named like a secret on line 1"),
    ],
)
def test_contents_of_secrets_are_told_by_kind_and_line(text: str, what: str) -> None:
    found = secret_in("notes.txt", text.encode())
    assert found == what


@pytest.mark.parametrize(
    "text",
    [
        "secretary: Johnson and others",
        "name,token,count\na,b,1\n",
        "PASSWORD=\n",
        "see https://example.org:8080/a@b",
        "password = ${PASSWORD}"[:12] + "{x}",
        "-----BEGIN PUBLIC KEY-----",
        "ask-me-anything-about-gardening",
    ],
)
def test_contents_that_only_resemble_them(text: str) -> None:
    assert secret_in("notes.txt", text.encode()) == ""
