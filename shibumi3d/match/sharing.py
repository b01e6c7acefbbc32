"""Matches, challenges and problems as links that players send each other. Received links are not trusted.

To play by post, a match is sent after each turn as ``shibumi3d:match:1:CHECK:DATA``, which holds the game, the seats
and all turns. A challenge, ``shibumi3d:challenge:1:CHECK:DATA``, holds the deal of a solo game and the result to beat,
without the sender's turns. A problem is sent as ``shibumi3d:problem:1:CHECK:DATA``, together with its sender's result.
DATA is a text, packed as described in :mod:`.packed_lines`: a record (see :mod:`.record`) or a row of a problem file
(see :mod:`.problems`), preceded in a challenge or a problem by a line of JSON.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeGuard

from shibumi3d.catalogue.problems import ProvedProblem, parse_problem_file
from shibumi3d.catalogue.sharing import is_shared_line
from shibumi3d.i18n import Message
from shibumi3d.match.copies import copy_up_to
from shibumi3d.match.match import Match
from shibumi3d.match.record import Record, RecordError, parse
from shibumi3d.names import has_visible_text, normalize
from shibumi3d.packed_lines import LineFormat, PackedLineError
from shibumi3d.rules.errors import GameFileError

MAX_SHARED_BYTES = 64 * 1024
"""Maximum size of the text in a link, in bytes."""
MAX_NAME_LENGTH = 100
"""Maximum length of the player's name in a link, in characters."""
MAX_COUNT = 1_000_000
"""Largest score, number of turns or tries, or time in seconds that a link may contain."""
VOCABULARY = b"""repetition: false
undone:
position: {boards: [], to-move: 2, phase: 1, stocks: {}}
deal: {bag: }
shibumi3d: 2
options: {length: }
variant: plus
seats: [Ann, Ben, Player 2]
swap: true
  - swap-seats
  - pass
  - done
  - ^Aa1 >Ab1
  - W@Aa1
  - B@Bb2
  - R@Cc3
shibumi3d: 1
game: sp
size: 4
seats: [Player 1, Player 2]
seed: 0
moves:
  - W@Ad4
  - B@Ac3
result: {winners: [1], scores: [0, 0], reason: "}
"""
"""Strings that occur often in records. Changing them changes the format."""
MATCH_FORMAT = LineFormat("shibumi3d:match:", "1", MAX_SHARED_BYTES, VOCABULARY)
CHALLENGE_FORMAT = LineFormat("shibumi3d:challenge:", "1", MAX_SHARED_BYTES, VOCABULARY)
PROBLEM_VOCABULARY = b"""{"name": "", "outcome": "shown", "tries": 0, "seconds": 0}
{"name": "", "outcome": "solved", "tries": 1, "seconds": {id: 1, game: sp, rules: "", position: , seed:
, seats: , variant: , kind: once, kind: hold, moves: "W@Aa1, B@Ad3, R@Bb2", also:
, themes: [at-once, climb, double], slip: true}
, n: 2, line: "W@Ac2, B@Aa4, wrong: {W@Ab2: B@Ac4, W@Ab3: B@, surprise: 1000, rating: 1500, work: 6}
"""
"""Strings that occur often in problems. Changing them changes the format."""
PROBLEM_FORMAT = LineFormat("shibumi3d:problem:", "1", MAX_SHARED_BYTES, PROBLEM_VOCABULARY)
_TITLE = re.compile(r"^\ufeff?title\s*:", re.MULTILINE)
_RECORD = re.compile(r"^\ufeff?shibumi3d\s*:\s", re.MULTILINE)
_PROBLEMS = re.compile(r"^\ufeff?problems\s*:", re.MULTILINE)
_LINK = re.compile(r"shibumi3d:(?://)?((?:match|challenge|problem):[0-9]{1,4}:[0-9a-f]+:[A-Za-z0-9_=\s-]*)")
_INSERTED = re.compile(r"(?m)^[ \t]*>[> \t]*|=\r?$|[\u00ad\u200b-\u200d\u2060\ufeff]")
"""Pattern for quote markers, soft line breaks and invisible characters, which mail and chat programs insert."""


class SharingError(RecordError):
    """Raised if a match can't be shared, or if a link can't be read. The message is for users."""


class ResultToBeat(NamedTuple):
    """The result to beat in a challenge, and the name of the player who achieved it.

    ``score`` is None in games that are only won or lost.
    """

    name: str
    has_won: bool
    score: int | None
    turns: int

    def to_json(self) -> dict[str, object]:
        """Convert the result to JSON data."""
        return {"name": self.name, "won": self.has_won, "score": self.score, "turns": self.turns}

    @classmethod
    def from_json(cls, data: object) -> ResultToBeat | None:
        """Convert JSON data to a result; return None if the data is invalid."""
        if not isinstance(data, dict):
            return None
        name, has_won, score, turns = (data.get(key) for key in ("name", "won", "score", "turns"))
        if not _is_name(name) or not isinstance(has_won, bool) or not _is_count(turns):
            return None
        if not (score is None or _is_count(score)):
            return None
        return cls(normalize(name), has_won, score, turns)


def _is_name(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) <= MAX_NAME_LENGTH and has_visible_text(value)


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= MAX_COUNT


@dataclass(frozen=True)
class Challenge:
    """A deal of a solo game, and the result to beat.

    ``record`` is the match up to the end of the deal, which may include turns.
    """

    record: Record
    result: ResultToBeat


class ProblemResult(NamedTuple):
    """A person's result on a problem.

    ``outcome`` is one of :data:`.attempts.OUTCOMES`, or "" if there is none yet. ``tries`` is the number of turns
    tried, and ``seconds`` is the time spent.
    """

    name: str
    outcome: str = ""
    tries: int = 0
    seconds: int = 0

    def to_json(self) -> dict[str, object]:
        """Convert the result to JSON data."""
        return self._asdict()

    @classmethod
    def from_json(cls, data: object) -> ProblemResult | None:
        """Convert JSON data to a result; return None if the data is invalid."""
        from shibumi3d.match.attempts import OUTCOMES  # opens databases, which other commands don't need

        if not isinstance(data, dict):
            return None
        name, outcome, tries, seconds = (data.get(key) for key in cls._fields)
        if (
            not _is_name(name)
            or outcome not in ("", *OUTCOMES)
            or not (_is_count(tries) and _is_count(seconds))
        ):
            return None
        return cls(normalize(name), outcome, tries, seconds)


@dataclass(frozen=True)
class ProblemChallenge:
    """A problem sent as a challenge, with the sender's result."""

    problem: ProvedProblem
    result: ProblemResult


@dataclass(frozen=True)
class Comparison:
    """How a received match relates to the local copy of it.

    ``relation`` says how their turns compare. "same": both have the same turns. "newer": the received match continues
    the local copy. "older": the local copy continues the received match. "fork": the two diverge. ``common_turns`` is
    the number of turns from the start that are the same in both.
    """

    relation: Literal["same", "newer", "older", "fork"]
    common_turns: int


def classify_file(text: str) -> Literal["match", "game", "problems", "link", "shared game"]:
    """Return the kind of a file whose content is ``text``, or "match" if no kind is recognized."""
    if _RECORD.search(text):
        return "match"
    if _TITLE.search(text):
        return "game"
    if _PROBLEMS.search(text):
        return "problems"
    if is_shared_line(text):
        return "shared game"
    return "link" if find_link(text) else "match"


def find_link(text: str) -> str:
    """Return the first ``shibumi3d:`` link in ``text``, or "" if there is none.

    Characters that mail and chat programs insert, such as quote markers, are removed from the link.
    """
    found = _LINK.search(_INSERTED.sub("", text))
    return f"shibumi3d:{found[1].strip()}" if found is not None else ""


def encode_match(match: Match) -> str:
    """Return a link that contains a match up to the cursor, for the player who moves next.

    Hints and variations are left out, and so are clocks unless the match was lost on time. Raises :class:`SharingError`
    if the match can't be sent, for example because its game has secrets, which the receiver could read in the link.
    """
    text = _shareable_record(match).to_text()
    if len(text.encode()) > MAX_SHARED_BYTES:
        raise SharingError("this match is too long for a link; save it as a file and send the file")
    return MATCH_FORMAT.pack(text)


def encode_challenge(match: Match, lead: int = 0) -> str:
    """Return a link that challenges others to beat the result of a finished solo match.

    The first ``lead`` moves of the match belong to its deal. Raises :class:`SharingError` if the match isn't a finished
    solo match or can't be shared.
    """
    outcome = match.game.outcome(match.state)
    if outcome is None or len(match.seats) != 1:
        raise SharingError("only a finished solo game can be a challenge")
    has_score = match.game.facts(1).solver == "score" and outcome.scores
    result = ResultToBeat(
        match.names[0][:MAX_NAME_LENGTH],
        bool(outcome.winners),
        outcome.scores[0] if has_score else None,
        len({ply.turn for ply in match.plies[lead:]}),
    )
    text = _deal_record(match, lead).to_text()
    return CHALLENGE_FORMAT.pack(f"{json.dumps(result.to_json(), ensure_ascii=False)}\n{text}")


def encode_problem(problem: ProvedProblem, result: ProblemResult) -> str:
    """Return a link that challenges others to solve a problem; ``result`` is the sender's result.

    The problem must include the hash of the rules under which it was proved.
    """
    head = json.dumps(result.to_json(), ensure_ascii=False)
    return PROBLEM_FORMAT.pack(f"{head}\n{replace(problem, id=1).to_row(include_game=True)}")


def challenge_key(record: Record) -> str:
    """Return a key for the deal of a challenge.

    The key doesn't depend on who plays the deal.
    """
    return hashlib.sha256(
        replace(record, seats=("",), player_types=(), result=None).to_text().encode()
    ).hexdigest()[:16]


def match_challenge_key(match: Match, lead: int) -> str:
    """Return the :func:`challenge_key` of the deal of a solo match, or "" if the match can't be shared.

    The first ``lead`` moves of the match belong to its deal.
    """
    try:
        return challenge_key(_deal_record(match, lead))
    except SharingError:
        return ""


def _deal_record(match: Match, lead: int) -> Record:
    """Return the record of a solo match up to the end of its deal, without a result.

    The first ``lead`` moves of the match belong to its deal. Raises :class:`SharingError` if the match can't be shared.
    """
    try:
        start = copy_up_to(match, lead)
    except RecordError as problem:
        raise SharingError(problem.message) from None
    return replace(_shareable_record(start), result=None)


def _shareable_record(match: Match) -> Record:
    facts = match.game.facts(len(match.seats))
    if facts.has_secrets:
        raise SharingError("this game has secrets, which the other player could read in the link")
    if (match.game.meta or {}).get("path") or (match.game.meta or {}).get("own"):
        raise SharingError("this game isn't built in: the other player wouldn't have its rules")
    if match.state.to_move is not None and match.state.step:
        raise SharingError("the turn isn't finished yet")
    try:
        record = match.record()
    except RecordError as problem:
        raise SharingError(problem.message) from None
    ends_on_time = bool(record.turns) and "time-up" in record.turns[-1]
    if not ends_on_time:
        record = replace(record, time_limit=None, seconds_left=())
    return replace(record, hints=(), file="")


def decode(link: str) -> Record | Challenge | ProblemChallenge:
    """Return the match, challenge or problem in a link.

    Raises :class:`SharingError` if the link is invalid or refers to a game file on another computer. Whether the game
    exists and allows the moves is checked when they are replayed.
    """
    try:
        if link.startswith(PROBLEM_FORMAT.prefix):
            return _parse_problem(PROBLEM_FORMAT.unpack(link))
        is_match = link.startswith(MATCH_FORMAT.prefix)
        text = (MATCH_FORMAT if is_match else CHALLENGE_FORMAT).unpack(link)
        result = None
        if not is_match:
            first, _, text = text.partition("\n")
            result = ResultToBeat.from_json(_parse_json(first))
        record = parse(text, Message("the link"))
    except (PackedLineError, RecordError) as problem:
        raise SharingError(problem.message) from None
    if record.file:
        raise SharingError("the link refers to a game file on another computer; ask for the file as well")
    if is_match:
        return record
    if result is None:
        raise SharingError("the text is incomplete or has been changed; copy all of it again")
    if len(record.seats) != 1:
        raise SharingError("the link isn't a challenge for a solo game")
    return Challenge(record, result)


def _parse_problem(text: str) -> ProblemChallenge:
    """Parse the unpacked text of a link to a problem. Raises :class:`SharingError` if it is invalid."""
    first, _, row = text.partition("\n")
    result = ProblemResult.from_json(_parse_json(first))
    try:
        (problem,) = parse_problem_file(f"problems:\n  - {row}\n".encode(), "")
    except (GameFileError, ValueError):
        raise SharingError("the text is incomplete or has been changed; copy all of it again") from None
    if result is None:
        raise SharingError("the text is incomplete or has been changed; copy all of it again")
    return ProblemChallenge(problem, result)


def _parse_json(line: str) -> object:
    """Return the data in a line of JSON, or None if it is invalid."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def is_same_match(record: Record, other: Record) -> bool:
    """Return whether two records are of the same match.

    Such records have the same game, size, variant, options, player names, seed, deal, position and swap rule.
    """

    def key(one: Record) -> tuple[object, ...]:
        return (
            one.game,
            one.size,
            one.variant,
            dict(one.options),
            one.seats,
            one.seed,
            dict(one.deal),
            one.position,
            one.has_swap_rule,
        )

    return key(record) == key(other)


def compare(received: Record, own: Record) -> Comparison:
    """Compare a received match with the local copy of it, turn by turn."""
    common = 0
    for theirs, ours in zip(received.turns, own.turns, strict=False):
        if theirs != ours:
            break
        common += 1
    left, own_left = len(received.turns) - common, len(own.turns) - common
    if left and own_left:
        return Comparison("fork", common)
    return Comparison("newer" if left else "older" if own_left else "same", common)
