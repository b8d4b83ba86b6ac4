# SPDX-License-Identifier: MIT
# What an installation leaves when it is removed, and the Debian package.
# shellcheck disable=SC1091,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh package.sh SOURCE_FOLDER BUILD_FOLDER CMAKE CPACK VERSION
source=$1 build=$2 cmake=$3 cpack=$4 version=$5
. "$source/tests/house/claims.sh"

# Files of others beside ours stay, folders that ours alone were in go; a second time nothing is there to remove.
an_uninstalled_tree_has_what_it_had_before() {
    mkdir -p "$scratch/usr/bin" "$scratch/usr/include/saddle" && echo mine >"$scratch/usr/bin/other" &&
        echo mine >"$scratch/usr/include/saddle/mine.h" && "$cmake" --install "$build" --prefix "$scratch/usr" &&
        test -x "$scratch/usr/bin/saddle" && cp "$build/install_manifest.txt" "$scratch/manifest" &&
        "$cmake" -DMANIFEST="$scratch/manifest" -P "$source/cmake/uninstall.cmake" &&
        find "$scratch/usr" -type f -o -type l | sort >"$scratch/left" &&
        printf '%s\n' "$scratch/usr/bin/other" "$scratch/usr/include/saddle/mine.h" | diff - "$scratch/left" &&
        find "$scratch/usr" -type d -name saddle | grep -v include | none &&
        "$cmake" -DMANIFEST="$scratch/manifest" -P "$source/cmake/uninstall.cmake"
}

nothing_is_removed_without_an_installation() {
    ! "$cmake" -DMANIFEST="$scratch/no-manifest" -P "$source/cmake/uninstall.cmake"
}

# CPack asks what each of 180 files is by `cmake -E env LC_ALL=C file FILE`, and cmake takes three quarters of that time.
a_package_is_made() {
    printf '#!/bin/sh\ncase "$1 $2" in "-E env") shift 2 && exec env "$@" ;; *) exec "%s" "$@" ;; esac\n' "$cmake" \
        >"$scratch/cmake"
    chmod +x "$scratch/cmake" && (
        cd "$scratch" && "$cpack" -D CMAKE_COMMAND="$scratch/cmake" --config "$build/CPackConfig.cmake" -G DEB \
            -B "$scratch/packages"
    ) &&
        package=$(find "$scratch/packages" -maxdepth 1 -name '*.deb') && test -n "$package" &&
        dpkg-deb -c "$package" >"$scratch/content"
}

the_package_has_all_that_is_installed() {
    for file in bin/saddle include/saddle/saddle.h libsaddle.so libsaddle.a saddleConfig.cmake saddle.pc man1/saddle.1 \
        completions/saddle doc/saddle/README.md doc/saddle/LICENSE doc/saddle/CHANGELOG.md \
        doc/saddle/docs/tutorial/3-friction.md doc/saddle/docs/pictures/pile.png doc/saddle/examples/first.c; do
        grep -qE "\./usr/.*$file" "$scratch/content" || echo "$file"
    done | none && grep -vE ' \./(usr/.*)?$| \./usr/' "$scratch/content" | none
}

the_package_states_version_and_libraries() {
    dpkg-deb -I "$package" >"$scratch/control" && grep -qx " Version: $version" "$scratch/control" &&
        grep -q '^ Maintainer: ' "$scratch/control" && grep -qE '^ Depends: .*libopenblas' "$scratch/control"
}

the_package_runs_where_it_is_unpacked() {
    dpkg-deb -x "$package" "$scratch/unpacked" && "$scratch/unpacked/usr/bin/saddle" solve "$source/data/chain" >/dev/null &&
        "$scratch/unpacked/usr/bin/saddle" --version | grep -qx "saddle $version"
}

claim an_uninstalled_tree_has_what_it_had_before an_uninstalled_tree_has_what_it_had_before
claim nothing_is_removed_without_an_installation nothing_is_removed_without_an_installation
if needs dpkg-deb a_package_is_made; then
    claim a_package_is_made a_package_is_made
    claim the_package_has_all_that_is_installed the_package_has_all_that_is_installed
    if command -v dpkg-shlibdeps >/dev/null; then
        claim the_package_states_version_and_libraries the_package_states_version_and_libraries
    else
        waive the_package_states_version_and_libraries "there is no dpkg-shlibdeps (dpkg-dev)"
    fi
    claim the_package_runs_where_it_is_unpacked the_package_runs_where_it_is_unpacked
fi
finish
