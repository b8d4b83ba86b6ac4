# SPDX-License-Identifier: MIT
# docs/report.schema.json beside what the command prints: usage: report_schema.py CASE SADDLE SOURCE_FOLDER SCRATCH_FOLDER
#
#   printed    objects of each verb and of failures satisfy the schema, each its own definition and no other
#   failures   every failure with --json prints one object with the exit code and the message of standard error
#   drift      an object with a key more, a key less or a value of another kind does not satisfy the schema
import copy
import json
import os
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")
import jsonschema  # noqa: E402

case, saddle, source, scratch = sys.argv[1:]
with open(f"{source}/docs/report.schema.json", encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
data = f"{source}/data"
kinds = ["solve", "check", "simulate", "info", "solvers", "failure"]


def valid(value, kind=None):
    part = schema if kind is None else {"$ref": f"#/definitions/{kind}", "definitions": schema["definitions"]}
    return jsonschema.Draft7Validator(part).is_valid(value)


def run(*words):
    done = subprocess.run([saddle, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout, done.stderr


def contradiction():
    """v = 0 and v = 1: no solution, which the object says with a proof."""
    folder = f"{scratch}/contradiction"
    os.makedirs(folder, exist_ok=True)
    head = "%%MatrixMarket matrix coordinate real general\n"
    for name, text in [("M", head + "1 1 1\n1 1 1\n"), ("J", head + "2 1 2\n1 1 1\n2 1 1\n"), ("b", "0\n1\n")]:
        with open(f"{folder}/{name}.mtx", "w", encoding="utf-8") as out:
            out.write(text)
    code, _, err = run("bundle", *[f"{folder}/{name}.mtx" for name in "MJb"], f"{folder}/bundle")
    assert code == 0, err
    return f"{folder}/bundle"


def printed():
    answer = f"{scratch}/answer"
    yield "solve", 0, ["solve", f"{data}/chain", "--json", "--output", answer, "--condition"]
    yield "check", 0, ["check", f"{data}/chain", answer, "--json"]
    yield "solve", 0, ["solve", f"{data}/links", "--json"]
    yield "solve", 0, ["solve", f"{data}/chain-motors", "--json", "--reference"]
    yield "solve", 1, ["solve", f"{data}/wall", "--json", "--solver", "gauss-seidel", "--max-iter", "2"]
    yield "solve", 0, ["solve", f"{data}/chain/M.mtx", "--json"]
    yield "solve", 1, ["solve", contradiction(), "--json", "--solver", "pivot"]
    yield "simulate", 0, ["simulate", f"{source}/examples/scenes/box-stack.json", "--steps", "3", "--json", "--positions"]
    yield "info", 0, ["info", f"{data}/chain", "--json"]
    yield "info", 0, ["info", f"{data}/loop", "--json", "--quick"]
    yield "info", 0, ["info", contradiction(), "--json", "--rank"]
    yield "info", 0, ["info", f"{data}/crane-markers", "--json", "--rank", "--all-rows"]
    yield "info", 0, ["info", f"{data}/stack-delassus", "--json"]
    yield "info", 0, ["info", f"{data}/chain/M.mtx", "--json"]
    yield "solvers", 0, ["solvers", "--json"]
    yield "solvers", 0, ["solvers", "pivot", "--json"]
    yield "failure", 3, ["solve", f"{scratch}/absent", "--json"]


def objects():
    for kind, code, words in printed():
        found, out, err = run(*words)
        assert found == code, (words, found, err)
        yield kind, json.loads(out)


def check_printed():
    for kind, value in objects():
        validator = jsonschema.Draft7Validator({"$ref": f"#/definitions/{kind}", "definitions": schema["definitions"]})
        wrong = [f"{list(e.absolute_path)}: {e.message}" for e in validator.iter_errors(value)]
        assert not wrong, (kind, wrong)
        assert valid(value) and [k for k in kinds if valid(value, k)] == [kind], kind
        if kind in ("solve", "check", "simulate"):
            assert value["solved"] == (value.get("status", "SADDLE_OK") == "SADDLE_OK"), value


def check_failures():
    for code, words in [(3, ["solve", f"{scratch}/absent"]), (2, ["solve", f"{data}/chain", "--solver", "none"]),
                        (2, ["solve"]), (2, ["solve", f"{data}/chain", "--tol", "x"]),
                        (2, ["info", f"{data}/chain", "--nothing"]),
                        (4, ["solve", f"{data}/wall", "--solver", "ldlt"]), (3, ["check", f"{data}/chain", f"{data}/wall"]),
                        (3, ["info", f"{scratch}/absent"]), (3, ["simulate", f"{data}/chain/problem.json"]),
                        (2, ["solvers", "none"]), (5, ["solve", f"{data}/hex-block", "--memory-limit", "1"])]:
        found, out, err = run(*words, "--json")
        value = json.loads(out)
        assert found == code == value["exit_code"], (words, found, err)
        assert valid(value, "failure") and err == f"saddle: {value['message']}\n", (words, out, err)


def changes(value):
    for key in value:
        less = copy.deepcopy(value)
        del less[key]
        if key not in ("reference", "rhs", "whole", "attachments", "proof", "dependence"):
            yield less
        other = copy.deepcopy(value)
        other[key] = [] if not isinstance(value[key], list) else "text"
        yield other
    yield {**value, "one_more": 1}


def check_drift():
    for kind, value in objects():
        for changed in changes(value):
            assert not valid(changed, kind), (kind, changed)


{"printed": check_printed, "failures": check_failures, "drift": check_drift}[case]()
