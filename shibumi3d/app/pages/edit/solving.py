"""Solver for edited positions, run in a worker process: finds out which player can force a win."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language, localize
from shibumi3d.match.match import Match
from shibumi3d.rules.wording import capital
from shibumi3d.search.solver import Best, Verdict
from shibumi3d.search.worker import Answer

from ...host.solver import unsolved

if TYPE_CHECKING:
    from ...host import Host
    from .draft import Bench

WORK = 60_000
"""Maximum number of moves that the solver tries."""


def possible(bench: Bench) -> bool:
    """Return whether the solver supports the game with its number of players.

    It supports solo and cooperative games that have a solver of their own. It also supports two-player games with
    perfect information, unless they have chance, simultaneous moves or a series.
    """
    facts = bench.facts
    open_ = not (facts.secrets or facts.chance or facts.simultaneous or facts.series)
    return bool(facts.solver) or (len(bench.names) == 2 and open_)


def solve(
    app: Host, bench: Bench, tell: Callable[[str], None], show: Callable[[Match, tuple[str, ...]], None]
) -> None:
    """Start solving the position; pass messages to ``tell`` and a complete solution to ``show``."""
    game, match = bench.game, bench.match
    state = match.state

    def answered(answer: Answer) -> None:
        if bench.match is not match:
            return  # the position has changed in the meantime
        if answer.error is not None:
            tell(_("{text}.", text=capital(localize(answer.error))))
            return
        found = answer.value
        if isinstance(found, Verdict | Best):
            won = found.won if isinstance(found, Verdict) else found.score is not None
            if won and found.moves:
                show(match, found.moves)
            else:
                tell(unsolved(found))
            return
        worth, winning = found
        mover = state.to_move
        assert mover is not None
        if worth == 1:
            move = game.parse(state, winning[0])
            line = game.say(state, move, language(), bench.names)
            tell(_("{who} has a forced win. First move: {move}.", who=bench.names[mover], move=line))
        elif worth == 0:
            tell(_("{who} has a forced win.", who=bench.names[1 - mover]))
        else:
            tell(
                _("No solution found: there are too many possibilities to try.")
                if worth is None
                else _("Nobody has a forced win here.")
            )

    name = {"win": "solve", "score": "greatest", "": "decided"}[bench.facts.solver]
    tell(_("Looking for a solution…"))
    app.solver.ask(answered, name, game, state, work=WORK)
