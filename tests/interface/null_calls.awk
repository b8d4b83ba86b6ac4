# SPDX-License-Identifier: MIT
# Reads the public headers and writes null_calls.h: for each pointer argument of each function a call with NULL there and a
# sample (samples.h) in every other place, and for each function with two or more of them a call with NULL in all places.
# usage: awk -f null_calls.awk optional_arguments.txt HEADER...
#
# The arguments that may be NULL stand in optional_arguments.txt, "function argument ...".  A context may always be NULL
# unless the file says "function !context".  A type without a sample does not compile; an entry of the file that no header
# knows ends the run with an error.

function fail(text) { print "null_calls.awk: " text >"/dev/stderr"; failed = 1; exit 1 }

# "const saddle_matrix *" -> "matrix_p"
function sample_of(type,   t) {
    t = type
    gsub(/const /, "", t)
    sub(/^saddle_/, "", t)
    gsub(/ /, "", t)
    gsub(/\*/, "p", t)
    if (match(type, /\*+$/)) t = substr(t, 1, length(t) - RLENGTH) "_" substr(t, length(t) - RLENGTH + 1)
    return t
}

function argument(k, null) {
    if (null) return "NULL"
    return "SAMPLE_" sample_of(type[k]) "(\"" function_name "\", \"" name[k] "\")"
}

# Whether argument k is a pointer that must not be NULL.
function is_required(k) {
    if (type[k] !~ /\*$/) return 0
    if (type[k] ~ /saddle_context \*$/) return function_name " !context" in may_be_null
    return !(function_name " " name[k] in may_be_null)
}

# One call; which: the argument that is NULL, 0 = all pointers.
function emit(which,   k, list, label, optional, speaks) {
    list = ""
    for (k = 1; k <= count; k++)
        list = list (k > 1 ? ", " : "") argument(k, type[k] ~ /\*$/ && (which == 0 || which == k))
    label = which ? name[which] : "all"
    optional = which ? !is_required(which) : 1
    for (k = 1; !which && k <= count; k++)
        if (is_required(k)) optional = 0
    speaks = 0
    for (k = 1; k <= count; k++)
        if (which && which != k && (type[k] == "saddle_context *" || (k == 1 && type[k] ~ carriers))) speaks = 1
    printf "static int call_%d(void)\n{\n", calls
    if (result == "void") printf "    %s(%s);\n    return 0;\n", function_name, list
    else if (result == "saddle_status") printf "    return (int)%s(%s);\n", function_name, list
    else if (result == "const char *") printf "    return is_text(%s(%s));\n", function_name, list
    else if (result ~ /\*$/) printf "    return %s(%s) != NULL;\n", function_name, list
    else if (result ~ /^(int|int64_t|double)$/) printf "    return %s(%s) > 0;\n", function_name, list
    else printf "    %s value = %s(%s);\n    (void)value;\n    return 0;\n", result, function_name, list
    printf "}\n\n"
    rows[calls + 0] = sprintf("    {\"%s\", \"%s\", %d, %d, %d, call_%d},", function_name, label,
        result == "saddle_status", optional, speaks, calls)
    calls++
}

function declaration(text,   k, parts, list, pointers) {
    sub(/^SADDLE_API /, "", text)
    gsub(/ +/, " ", text)
    gsub(/\( /, "(", text)
    match(text, /saddle_[a-z0-9_]+\(/)
    if (!RLENGTH) fail("no function in: " text)
    function_name = substr(text, RSTART, RLENGTH - 1)
    result = substr(text, 1, RSTART - 1)
    sub(/ $/, "", result)
    list = substr(text, RSTART + RLENGTH)
    sub(/\)[^)]*$/, "", list)
    functions[function_name] = 1
    count = split(list, parts, /, /)
    if (list == "void" || list ~ /\.\.\.$/) return
    pointers = 0
    for (k = 1; k <= count; k++) {
        match(parts[k], /[A-Za-z_0-9]+$/)
        name[k] = substr(parts[k], RSTART)
        type[k] = substr(parts[k], 1, RSTART - 1)
        sub(/ $/, "", type[k])
        known[function_name " " name[k]] = 1
        if (type[k] ~ /\*$/) pointers++
    }
    for (k = 1; k <= count; k++) if (type[k] ~ /\*$/) emit(k)
    if (pointers > 1) emit(0)
}

BEGIN {
    carriers = "saddle_(model|attachments|map|reduction|elimination|couplings|delassus|solver|collider|assembly|" \
        "stepper|contact_list) \\*$"
    print "/* SPDX-License-Identifier: MIT */\n/* Written by null_calls.awk. */\n"
}

FILENAME ~ /optional_arguments/ {
    sub(/#.*/, "")
    for (k = 2; k <= NF; k++) may_be_null[$1 " " $k] = 1
    next
}

/^SADDLE_API/ { text = ""; reading = 1 }
reading {
    line = $0
    sub(/\/\*.*/, "", line)
    text = text " " line
    if (line ~ /;/) {
        reading = 0
        sub(/;.*/, "", text)
        sub(/^ /, "", text)
        declaration(text)
    }
}

END {
    if (failed) exit 1
    for (entry in may_be_null) {
        plain = entry
        sub(/!/, "", plain)
        if (!(plain in known)) fail("no such function or argument: " entry)
    }
    print "static const null_call null_calls[] = {"
    for (k = 0; k < calls; k++) print rows[k]
    print "};"
}
