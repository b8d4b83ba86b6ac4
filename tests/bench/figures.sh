# SPDX-License-Identifier: MIT
# shellcheck disable=SC1091,SC2016,SC2154,SC2317 # claims.sh is elsewhere; the functions are called by claim
# figures.sh BUILD: single figures, varied settings (bench/single.py, bench/settings.py), and the sets that saddle bench takes.
. tests/house/claims.sh
build=$1

# Links of four-bars: 12 a loop and 5 more (bench/generators/loop.c); a chain's hinges have no redundant row.
ranks_are_those_of_the_closed_forms() {
    "$build/bench/bench" --only rank/loops --csv | grep -q '^,rank/loops,loops-20000,240006,300005,rank 240005,0\.' &&
        "$build/bench/bench" --only rank/chain --csv | grep -q '^,rank/chain,chain-100000,600000,500000,rank 500000,0\.'
}

# A matrix counts, a vector and a text do not.
files_that_are_problems_are_counted() {
    mkdir -p "$scratch/public/qp_marosmeszaros" &&
        printf '%%%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 2\n' >"$scratch/public/K.mtx" &&
        cp "$scratch/public/K.mtx" "$scratch/public/qp_marosmeszaros" &&
        printf '%%%%MatrixMarket matrix array real general\n2 1\n1\n1\n' >"$scratch/public/rhs.mtx" &&
        echo text >"$scratch/public/README.md" &&
        SADDLE_DATA="$scratch/public" python3 -B bench/single.py "$build" --only files --csv >"$scratch/files" || return 1
    systems=$(find data -name problem.json | wc -l)
    python3 - "$scratch/files" "$((systems + 1))" <<'END'
import csv, sys
found = [(row["what"].split(": ")[1], row["figure"]) for row in csv.DictReader(open(sys.argv[1]))]
assert found == [("problems", sys.argv[2]), ("solved by auto to 1e-10 within 20 s", sys.argv[2]),
                 ("proven to have no solution", "0")], found
END
}

what_is_absent_is_said() {
    python=$(python3 -c 'import sys; print(sys.executable)')
    PATH=/nonexistent "$python" -B bench/single.py "$build" --only page --csv >"$scratch/page" 2>"$scratch/said" &&
        test "$(cat "$scratch/page")" = what,figure,unit,command &&
        test "$(cat "$scratch/said")" = 'single: page: left out: chromium is absent'
}

unknown_names_are_refused() {
    ! python3 -B bench/single.py "$build" --only nothing && ! python3 -B bench/single.py "$build" --frobnicate &&
        ! python3 -B bench/settings.py "$build" --only nothing && ! python3 -B bench/settings.py "$build" --frobnicate
}

every_setting_is_in_the_sources() {
    python3 -B bench/settings.py "$build" --list >"$scratch/settings" && cat "$scratch/settings" &&
        test "$(grep -c ': [0-9.e-]*, tried ' "$scratch/settings")" -ge 10
}

a_setting_that_is_not_found_once_is_an_error() {
    for change in 's/relaxation = /relaxed = /' '$ a static const double relaxation = 1;'; do
        mkdir -p "$scratch/copy/bench" "$scratch/copy/solvers/admm" && cp bench/settings.py "$scratch/copy/bench" &&
            cp solvers/auto.c "$scratch/copy/solvers" &&
            sed "$change" solvers/admm/admm.c >"$scratch/copy/solvers/admm/admm.c" || return 1
        ! python3 -B "$scratch/copy/bench/settings.py" "$build" --list 2>"$scratch/said" &&
            grep -q '^settings: alpha: .* times in solvers/admm/admm.c$' "$scratch/said" || return 1
    done
}

# By hand: 2, 1/2 and 4; one file is solved by one of the two, one by none.
ratios_are_geometric_means_of_files_that_both_solve() {
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench python3 -c '
import settings
assert settings.compare([[1], [2], [3], [], [1]], [[2], [1], [], [], [4]]) == ("1.59", "2")
assert settings.compare([[]], [[1]]) == ("nan", "0")'
}

sets_name_problems_that_are_there() {
    python3 - <<'END'
import glob, json, os
public = os.environ.get("SADDLE_DATA") or "../shared/data"
for file in glob.glob("data/sets/*.json"):
    with open(file, encoding="utf-8") as text:
        collection = json.load(text)
    assert collection["name"] + ".json" == os.path.basename(file), file
    paths = [problem["path"] for problem in collection["problems"]]
    assert len(set(paths)) == len(paths) > 0, file
    for problem in collection["problems"]:
        assert problem["difficulty"] in ("easy", "hard", "degenerate", "redundant", "singular", "slow"), problem
        shared, path = problem["path"].startswith("data:"), problem["path"].removeprefix("data:")
        if not shared or os.path.isdir(public):
            assert os.path.exists(os.path.join(public if shared else "data/sets", path)), problem
    if collection["name"] == "shipped":
        assert sorted(paths) == sorted(f"../{name}" for name in os.listdir("data") if name != "sets"), file
END
}

systems_of_a_set_are_solved() {
    "$build/saddle" bench data/sets/kkt.json --solvers ldlt >"$scratch/kkt"
}

claim ranks_are_those_of_the_closed_forms ranks_are_those_of_the_closed_forms
claim files_that_are_problems_are_counted files_that_are_problems_are_counted
claim sets_name_problems_that_are_there sets_name_problems_that_are_there
claim systems_of_a_set_are_solved systems_of_a_set_are_solved
claim what_is_absent_is_said what_is_absent_is_said
claim unknown_names_are_refused unknown_names_are_refused
claim every_setting_is_in_the_sources every_setting_is_in_the_sources
claim a_setting_that_is_not_found_once_is_an_error a_setting_that_is_not_found_once_is_an_error
claim ratios_are_geometric_means_of_files_that_both_solve ratios_are_geometric_means_of_files_that_both_solve
finish
