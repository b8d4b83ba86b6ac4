#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bars of small result files, computed by hand, and what no bar can be computed from (bench/bars.py, bench/figures.py).

usage: bar_claims.py BENCH SCRATCH      prints its cases as cmocka does
"""
import os
import sys
import traceback

BENCH, SCRATCH = sys.argv[1:3]
sys.path.insert(0, BENCH)
sys.dont_write_bytecode = True
import bars  # noqa: E402
import figures  # noqa: E402

HEAD = "# command: c\n# machine: m\n# note: n\n"
TITLES = "system,n,method,seconds,steps"
THREE = ["a,1,ours,1,2", "a,1,theirs,4,2", "a,1,theirs-too,2,8", "b,10,ours,3,2", "b,10,theirs,4,2", "c,100,ours,9,3"]
OVER = {"where": "method=ours", "value": "seconds", "over": "method=theirs*", "by": "system", "both": True}
ALL = {"where": "", "value": "seconds", "most": 5}


def keep(text):
    """The result file small.csv."""
    figures.tried["small"] = path = os.path.join(SCRATCH, "small.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def table(rows, name="bars", **bar):
    """The lines of a table over a result file of these rows: one bar, or the view."""
    keep(HEAD + "\n".join([TITLES, *rows]) + "\n")
    bars.BARS = {"bars": [bars.Bar("what", **{"file": "small", **bar})]} if bar else {}
    bars.VIEWS = {"view": {"file": "small", "by": "system", "cells": {
        "ours": ("seconds", "method=ours, n<50"), "best": ("seconds / steps", "method=theirs*")}}}
    return figures.table(name)


def is_row(wanted, rows, **bar):
    lines = table(rows, **bar)
    assert lines[-1] == f"| what | {wanted} |", (bar, lines)


def ends_with(wanted, make, *given, **named):
    try:
        lines = make(*given, **named)
    except SystemExit as reason:
        assert wanted in str(reason), (reason, wanted)
    else:
        raise AssertionError((given, named, lines))


def is_refused(wanted, rows, **bar):
    ends_with(wanted, table, rows, **bar)


def bars_are_computed():
    """By hand: ours over theirs is 1/2 of system a and 3/4 of b; c has no other program."""
    is_row("0.75 | 0.5 - 0.75 | 2 | met", THREE, **OVER, most=0.75)
    is_row("0.7 | 0.5 - 0.75 | 2 | **missed** by 1: b", THREE, **OVER, most=0.7)
    is_row("at least 0.8 | 0.5 - 0.75 | 2 | **missed** by 2: a, b", THREE, **OVER, least=0.8)
    is_row("0.7, 50% | 0.5 - 0.75 | 2 | met, 50.0%", THREE, **OVER, most=0.7, percent=50)
    is_row("0.6 | 0.6667 | 2 | **missed**", THREE, **OVER, most=0.6, how="total")
    is_row(" | 0.6124 | 2 | ", THREE, **OVER, how="mean")
    is_row("2 | 2 | 2 | met", THREE, where="method=ours, n>1", value="seconds / steps", most=2, how="spread")
    is_row("2 | 3 | 3 | **missed**", THREE, where="method=ours", value="seconds", most=2, how="growth")
    share = {"where": "method=ours", "value": "seconds", "over": "method=theirs", "by": "system", "how": "share"}
    is_row("at least 0.6 | 0.6667 | 3 | met", THREE, **share, least=0.6)
    is_row("at least 0.7 | 0.6667 | 3 | **missed** by 1: c", THREE, **share, least=0.7)
    is_row("at least 2 | 1 | 1 | **missed**", THREE, where="system!=a|b", value="steps", least=2, how="count")


def views_are_computed():
    assert table(THREE, "view")[-2:] == ["| a | 1 | 0.25 |", "| b | 3 | 2 |"], table(THREE, "view")


def a_bar_without_rows_or_columns_is_an_error():
    is_refused("has no rows", THREE, where="method=nobody", value="seconds", most=1)
    is_refused("no table with the columns bytes", THREE, where="", value="bytes", most=1)
    is_refused("has no rows", THREE, **{**OVER, "where": "system=c"}, most=1)
    try:
        table(THREE, file="none", where="", value="seconds", most=1)
    except FileNotFoundError:
        return
    raise AssertionError("a bar of no file")


def a_row_without_a_number_misses_its_bar():
    for cell in ("nan", "inf", "-inf", "", "-", "word"):
        is_row("5 | 1 - 2 | 3 | **missed** by 1: b", ["a,1,ours,1,2", f"b,2,ours,{cell},2", "c,3,ours,2,1"], **ALL)
    for how in ("total", "mean", "spread", "growth"):
        figure = 2 if how in ("total", "mean") else 1
        is_row(f"5 | {figure} | 3 | **missed** by 1: b", ["a,1,ours,2,2", "b,2,ours,nan,2", "c,3,ours,2,1"], **ALL, how=how)
    theirs = ["a,1,theirs,1,2", "a,1,ours,1,2", "b,2,ours,1,2"]
    over = {"where": "method=ours", "value": "seconds", "most": 5, "over": "method=theirs", "by": "system"}
    is_row("5 | 1 | 2 | **missed** by 1: b", theirs, **over)
    is_row("5 | 1 | 1 | met", theirs, **over, both=True)


def a_share_is_met_exactly():
    """Nine of ten."""
    rows = [*(f"s{k},{k},ours,1,1" for k in range(1, 10)), "x,10,ours,9,1"]
    is_row("5, 90% | 1 - 9 | 10 | met, 90.0%", rows, **ALL, percent=90)
    is_row("5, 91% | 1 - 9 | 10 | **missed** by 1: x, 90.0%", rows, **ALL, percent=91)


def what_no_bar_can_be_computed_from_is_said():
    for cell in ("~5", "3x"):
        is_refused(f"no number, though it begins like one: {cell}", [f"a,1,ours,{cell},2"], **ALL)
    for how in ("mean", "spread", "growth"):
        is_refused(f"bars.py: \"what\": {how} of 0, which is not positive, in small.csv",
                   ["a,1,ours,0,2", "b,2,ours,1,2"], **ALL, how=how)
    for how in ("spread", "growth"):
        is_refused("bars.py: \"what\" needs two rows of small.csv", ["a,1,ours,1,2"], **ALL, how=how)


def a_result_without_rows_or_cells_is_refused():
    for text, wanted in (("", "no rows"), ("a,b\n1,2,3", "row 1 has 3 cells, not 2")):
        keep(HEAD + text)
        ends_with(wanted, figures.table, "small")
    for line in HEAD.splitlines(keepends=True):
        keep(HEAD.replace(line, "") + "a,b\n1,2\n")
        ends_with("no rows, or no command, machine or note", figures.table, "small")
    keep(HEAD + "a,b\n1,2\n")
    assert figures.table("small")[-1] == "| 1 | 2 |"


failed = 0
for case in (bars_are_computed, views_are_computed, a_bar_without_rows_or_columns_is_an_error,
             a_row_without_a_number_misses_its_bar, a_share_is_met_exactly, what_no_bar_can_be_computed_from_is_said,
             a_result_without_rows_or_cells_is_refused):
    print(f"[ RUN      ] {case.__name__}")
    try:
        case()
    except (Exception, SystemExit):
        traceback.print_exc(file=sys.stdout)
        print(f"[  FAILED  ] {case.__name__}")
        failed += 1
    else:
        print(f"[       OK ] {case.__name__}")
sys.exit(failed > 0)
