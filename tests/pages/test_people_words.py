"""Initials of people and names of browsers, as pages show them."""

import pytest

from annotator.templatetags.people import browser_words, initials


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Dr Olga Lindqvist", "OL"),
        ("Prof. Samuel Okafor", "SO"),
        ("Prof. Dr. med. Mei-Ling Chen", "MC"),
        ("Grace", "G"),
        ("王伟", "王"),
        ("ana maria de souza", "AS"),
        ("Dr", "D"),
        ("42", "4"),
        ("", ""),
    ],
)
def test_initials_leave_titles_out(name: str, letters: str) -> None:
    assert initials(name) == letters


@pytest.mark.parametrize(
    ("user_agent", "words"),
    [
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36",
            "Chrome on Linux",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/18.1 Safari/605.1",
            "Safari on macOS",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        (
            "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1 Version/18.1 Safari/604.1",
            "Safari on iPadOS",
        ),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", "Unknown browser"),
    ],
)
def test_browsers_are_called_as_people_call_them(user_agent: str, words: str) -> None:
    assert browser_words(user_agent) == words
