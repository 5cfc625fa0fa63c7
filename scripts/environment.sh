# What .ci/run and the steps of scripts/release-check have in common. Sourced by bash, in the top folder.
#
# PLIANT_NO_PACKAGES leaves out installing packages. PLIANT_ASSETS names a folder of models, if there is one, for the tests that use them.

# packages NAME...: installs Debian packages, where that is possible
packages() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ -z "${PLIANT_NO_PACKAGES:-}" ] || return 0
    DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"
}

# fetch FOLDER: the packages of npm that a folder locks
fetch() { timeout 120 npm ci --prefix "$1" --prefer-offline --ignore-scripts --no-audit --no-fund; }

[ -d ../shared/assets ] && export PLIANT_ASSETS="${PLIANT_ASSETS:-$(cd ../shared/assets && pwd)}"

# Paths are relative to the build folder, so that several folders share what ccache holds.
if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_BASEDIR=/
    export CCACHE_DIR="${CCACHE_DIR:-$PWD/build/ccache}"
fi
