# SPDX-License-Identifier: MIT
# Runs one fuzz target of build/asan for some seconds, from the repository's root, and says in one line how it went.  A crash,
# a leak, ten seconds over one input or two gigabytes of memory end it with what libFuzzer said.
# usage: sh session.sh [--fresh] NAME SECONDS      --fresh: from the seeds alone, else from what earlier sessions found too
set -eu
corpora=corpus
if [ "$1" = --fresh ]; then
    corpora=fresh
    shift
fi
name=$1 seconds=$2
build=build/asan
corpus=$build/fuzz/$corpora/$name
data=${SADDLE_DATA:-../shared/data}
log=$build/fuzz/logs/$corpora-$name.log

test $corpora = corpus || rm -rf "$corpus"
mkdir -p "$corpus" "$build/fuzz/crashes" "$build/fuzz/logs"

# plant FOLDER-OR-FILE: small ones only, for each is mutated a thousand times; by a name that tells equal ones.
plant() {
    find "$1" -type f -size -64k | while read -r seed; do
        cp "$seed" "$corpus/seed-$(cksum <"$seed" | tr ' ' '-')"
    done
}

options=
words=$(sed -n "s|^$name ||p" "$build/fuzzers.txt")
for word in $words; do
    case $word in
        -*) options="$options $word" ;;
        data:*) test ! -e "$data/${word#data:}" || plant "$data/${word#data:}" ;;
        *) plant "$word" ;;
    esac
done
chmod -R u+w "$corpus"

# shellcheck disable=SC2086 # options are words
if "$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 \
    -artifact_prefix="$build/fuzz/crashes/$name-" $options "$corpus" >"$log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "fuzz $name: $runs inputs in $seconds s, $(find "$corpus" -type f | wc -l) kept, nothing found"
else
    tail -n 100 "$log"
    echo "fuzz $name: FOUND something; the input is in $build/fuzz/crashes, the whole log is $log"
    exit 1
fi
