"""Strongly connected components and cycles of a directed graph, found in linear time."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def strongly_connected_components(edges: Mapping[N, Collection[N]]) -> list[Sequence[N]]:
    """Return the strongly connected components of a graph in reverse topological order (Tarjan 1972).

    ``edges`` maps each node to the nodes to which its edges lead. Every node must be a key of ``edges``.
    """
    index: dict[N, int] = {}
    lowest: dict[N, int] = {}
    open_nodes: list[N] = []
    is_open: set[N] = set()
    path: list[tuple[N, Iterator[N]]] = []
    result: list[Sequence[N]] = []

    def enter(node: N) -> None:
        index[node] = lowest[node] = len(index)
        open_nodes.append(node)
        is_open.add(node)
        path.append((node, iter(edges[node])))

    for root in edges:
        if root in index:
            continue
        enter(root)
        while path:
            node, targets = path[-1]
            target = next(targets, None)
            if target is not None:
                if target not in index:
                    enter(target)
                elif target in is_open:
                    lowest[node] = min(lowest[node], index[target])
                continue
            path.pop()
            if path:
                above = path[-1][0]
                lowest[above] = min(lowest[above], lowest[node])
            if lowest[node] == index[node]:
                component = [open_nodes.pop()]
                while component[-1] != node:
                    component.append(open_nodes.pop())
                is_open.difference_update(component)
                result.append(component)
    return result


def nodes_on_cycles(edges: Mapping[N, Collection[N]]) -> set[N]:
    """Return the nodes that lie on a cycle."""
    return {
        node
        for component in strongly_connected_components(edges)
        for node in component
        if len(component) > 1 or node in edges[node]
    }
