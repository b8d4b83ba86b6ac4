# SPDX-License-Identifier: MIT
# Installs into one folder, moves that to another, and uses it there as an outsider would: by CMake from C and C++ with
# either library, and by pkg-config.
# shellcheck disable=SC1091,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh installation.sh SOURCE_FOLDER BUILD_FOLDER CMAKE GENERATOR C_COMPILER VERSION
source=$1 build=$2 cmake=$3 generator=$4 compiler=$5 version=$6
. "$source/tests/house/claims.sh"
consumer=$source/tests/install/consumer
prefix=$scratch/second/place

install_and_move() {
    "$cmake" --install "$build" --prefix "$scratch/first" &&
        mkdir "$scratch/second" && mv "$scratch/first" "$prefix" &&
        library=$(find "$prefix" -name libsaddle.so) && libdir=$(dirname "$library") && test -n "$library" &&
        examples=$(dirname "$(find "$prefix/share/doc" -name fem_client.cpp)") && test -f "$examples/fem_client.txt"
}

nothing_installed_names_a_folder_of_the_build() {
    grep -rIlF -e "$scratch/first" -e "$source" -e "$build" "$prefix" | none &&
        readelf -d "$library" | grep -E 'RPATH|RUNPATH' | none
}

exported() {
    nm -D --defined-only "$library" | awk '{ print $3 }' | sed 's/@.*//' | sort
}

declared() {
    cat "$prefix"/include/saddle/*.h | tr '\n' ' ' | grep -oE 'SADDLE_API [^;(]*\(' | grep -oE 'saddle_[a-z0-9_]+\($' |
        tr -d '(' | sort
}

what_is_declared_is_exported_and_nothing_else() {
    declared >"$scratch/declared" && exported >"$scratch/exported" && test -s "$scratch/declared" &&
        diff "$scratch/declared" "$scratch/exported"
}

# Of README.md and docs/, those that lead to files.
relative_links_lead_somewhere() {
    find "$prefix/share/doc" -name '*.md' | while read -r page; do
        grep -oE '\]\([^)]*[./][^)]*\)' "$page" | grep -v '://' | sed 's/^](//; s/)$//; s/#.*//' | while read -r link; do
            test -e "$(dirname "$page")/$link" || echo "$page: $link"
        done
    done >"$scratch/broken"
    find "$prefix/share/doc" -name README.md | grep -q . && none <"$scratch/broken"
}

soname_carries_the_version() {
    readelf -d "$library" | grep -F "[libsaddle.so.${version%.*}]" && test -f "$libdir/libsaddle.so.$version"
}

by_cmake() { # TARGET
    { test -f "$scratch/consumer/CMakeCache.txt" ||
        "$cmake" -G "$generator" -S "$consumer" -B "$scratch/consumer" -DCMAKE_PREFIX_PATH="$prefix" \
            -DSADDLE_VERSION="$version" -DCMAKE_C_COMPILER="$compiler" -DSADDLE_EXAMPLES="$examples"; } &&
        "$cmake" --build "$scratch/consumer" --target "$1" &&
        "$scratch/consumer/$1"
}

finite_elements_by_cmake() {
    by_cmake fem_client >"$scratch/built" && "$scratch/consumer/fem_client" | diff - "$examples/fem_client.txt"
}

# A consumer of the shared library must not be asked for SuiteSparse and the like, not even for their headers.
shared_library_brings_no_dependencies() {
    PKG_CONFIG_LIBDIR=$libdir/pkgconfig pkg-config --exists saddle &&
        grep -E 'cholmod|umfpack|openblas|hdf5|jansson|dependencies' "$libdir"/cmake/saddle/saddleTargets*.cmake | none
}

# The command links jansson; the library reads and writes JSON and HDF5 by itself.
library_asks_for_no_jansson_and_no_hdf5() {
    grep -rIlE "jansson|hdf5" "$libdir" | none && readelf -d "$library" | grep -E "jansson|hdf5" | none
}

flags() { # pkg-config options
    PKG_CONFIG_LIBDIR=$libdir/pkgconfig pkg-config "$@" saddle
}

# shellcheck disable=SC2046 # flags are words
by_pkg_config_shared() {
    "$compiler" -std=c17 $(flags --cflags) "$consumer/consumer.c" $(flags --libs) -o "$scratch/pkg_shared" &&
        LD_LIBRARY_PATH=$libdir "$scratch/pkg_shared" && test "$(flags --modversion)" = "$version"
}

# shellcheck disable=SC2046
by_pkg_config_static() {
    "$compiler" -std=c17 $(flags --cflags) "$consumer/consumer.c" \
        $(flags --static --libs | sed 's/-lsaddle\>/-l:libsaddle.a/') -o "$scratch/pkg_static" &&
        "$scratch/pkg_static" && readelf -d "$scratch/pkg_static" | grep 'NEEDED.*libsaddle' | none
}

claim it_installs_and_can_be_moved install_and_move
claim nothing_installed_names_a_folder_of_the_build nothing_installed_names_a_folder_of_the_build
claim what_is_declared_is_exported_and_nothing_else what_is_declared_is_exported_and_nothing_else
claim relative_links_lead_somewhere relative_links_lead_somewhere
claim soname_carries_the_version soname_carries_the_version
claim shared_library_brings_no_dependencies shared_library_brings_no_dependencies
claim library_asks_for_no_jansson_and_no_hdf5 library_asks_for_no_jansson_and_no_hdf5
claim c_consumer_by_find_package by_cmake consumer_c
claim cpp_consumer_by_find_package by_cmake consumer_cpp
claim static_consumer_by_find_package by_cmake consumer_static
claim fem_client_by_find_package finite_elements_by_cmake
claim c_consumer_by_pkg_config by_pkg_config_shared
claim static_consumer_by_pkg_config by_pkg_config_static
finish
