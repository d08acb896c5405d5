# What numavp needs from outside, and what installs it. Read by the script numavp, which has `say`, `fail` and $root.

# What the program needs, what some of its words need besides (ask_for_tools), and what everything else needs. The names are
# those of Debian 12 and 13.
program_packages=(g++ cmake ninja-build ccache pkgconf libsystemc-dev nlohmann-json3-dev libcli11-dev libfmt-dev
    libboost-dev libboost-iostreams-dev liblzma-dev libzstd-dev libsqlite3-dev
    libexpat1-dev libhwloc-dev python3)
rtl_packages=(verilator zlib1g-dev)
firmware_packages=(gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf)
mpi_packages=(libboost-mpi-dev libopenmpi-dev openmpi-bin)
build_packages=("${program_packages[@]}" "${rtl_packages[@]}" "${firmware_packages[@]}" "${mpi_packages[@]}"
    libgtest-dev libgmock-dev libbenchmark-dev libunicorn-dev python3-jsonschema)
# The examples of the Python package, and its tests: pip installs it there, without a network.
python_packages=(python3-numpy python3-pandas python3-matplotlib
    python3-venv python3-pip python3-setuptools python3-wheel)
check_packages=(clang clang-tidy clang-format libclang-rt-dev lld llvm chromium gdb-multiarch yosys)

# From npm, into build/web: what reports are drawn with, what drives Chromium in their tests, and the rules of accessibility that
# pages are held to there.
report_modules=(echarts@6.1.0)
check_modules=(playwright-core@1.56.1 axe-core@4.14.1)

# take <number of a file> <file> <what the holder does>: locks the file for this call. Where another call has it, says what
# that one does, and waits.
take() {
    local file="$2"
    eval "exec $1>>\"\$file\""
    if ! flock -n "$1"; then
        local holder
        holder="$(cat "$file")"
        say "waiting for another call of numavp${holder:+, which $holder}"
        flock "$1"
    fi
    printf '%s (process %s)\n' "$3" "$$" >"$file"
}

# missing_of <package>...: sets `missing` to those that are not installed.
missing_of() {
    local package installed
    installed=" $(dpkg-query -W -f='${Package}=${db:Status-Status} ' "$@" 2>/dev/null || true)"
    missing=()
    for package in "$@"; do
        [[ "$installed" == *" $package=installed "* ]] || missing+=("$package")
    done
}

# apt_get <log> <words>...: apt-get as root. Another that holds a lock of apt's, of packages or of lists, is waited for, at most
# NUMAVP_APT_PATIENCE seconds, and named.
apt_get() {
    local log="$1" until=$((SECONDS + ${NUMAVP_APT_PATIENCE:-900})) status said=false
    shift
    while true; do
        status=0
        "${as_root[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=1 "$@" \
            </dev/null >"$log" 2>&1 || status=$?
        ((status != 0)) && grep -qE 'Could not get lock|was locked by another process' "$log" || return "$status"
        ((SECONDS < until)) || return "$status"
        if ! $said; then
            say "waiting for another that installs packages$(sed -nE 's/.*Could not get lock.* held by (process [^ ]+ \(.*\)).*/: \1/p' "$log" | head -n 1)"
            said=true
        fi
        sleep 1
    done
}

# need <package>...: installs those that are missing.
need() {
    command -v dpkg-query >/dev/null || return 0 # no Debian: CMake will name what it misses
    local missing as_root=() log updated=true
    missing_of "$@"
    ((${#missing[@]} == 0)) && return 0
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "these packages are missing, and there is neither root nor sudo to install them: ${missing[*]}"
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    log="$(mktemp)"
    # A source of somebody else's that does not answer is no reason: what counts is whether the packages can be installed.
    apt_get "$log.lists" update || updated=false
    if ! apt_get "$log" install -y --no-install-recommends "${missing[@]}"; then
        missing_of "${missing[@]}"
        if ((${#missing[@]} != 0)); then
            $updated || grep -E '^(E|W|Err)' "$log.lists" >&2 || true
            tail -n 20 "$log" >&2
            rm -f "$log" "$log.lists"
            fail "apt-get could not install them; install them by hand and call this again: ${missing[*]}"
        fi
    elif ! $updated; then
        say "a source of packages did not answer, and nothing was needed from it: $(grep -E -m 1 '^(E|W|Err)' "$log.lists" || tail -n 1 "$log.lists")"
    fi
    rm -f "$log" "$log.lists"
}

# need_modules <name@version>...: installs those that build/web does not have in that version.
need_modules() {
    local missing
    missing_modules "$@"
    ((${#missing[@]} == 0)) && return 0
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then need nodejs npm; fi
    mkdir -p "$root/build/web"
    take 8 "$root/build/web/.lock" "installs modules into build/web"
    install_modules "$@"
    exec 8>&-
}

install_modules() {
    local missing log
    missing_modules "$@" # another call may have installed them
    ((${#missing[@]} == 0)) && return 0
    say "installing ${missing[*]} into build/web"
    log="$(mktemp)"
    if ! npm install --prefix "$root/build/web" --save-exact --no-audit --no-fund --ignore-scripts "${missing[@]}" \
        </dev/null >"$log" 2>&1 8>&-; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        fail "npm could not install ${missing[*]}; install them into build/web by hand and call this again"
    fi
    rm -f "$log"
}

# missing_modules <name@version>...: sets `missing` to those that build/web does not have in that version.
missing_modules() {
    local module
    missing=()
    for module in "$@"; do
        grep -qs "\"version\": \"${module##*@}\"" "$root/build/web/node_modules/${module%@*}/package.json" ||
            missing+=("$module")
    done
}

# The distribution of this machine and its release, such as "debian 12".
distribution() {
    local name value id="another system" release=""
    while IFS='=' read -r name value; do
        value="${value//\"/}"
        case "$name" in
        ID) id="$value" ;;
        VERSION_ID) release="$value" ;;
        VERSION_CODENAME) [[ -n "$release" ]] || release="$value" ;;
        esac
    done < <(cat "${NUMAVP_OS_RELEASE:-/etc/os-release}" 2>/dev/null)
    echo "$id${release:+ $release}"
}

# The tools that the program is built with if they are there: Verilator, the RISC-V compiler and its C library, MPI.
program_tools() {
    local specs
    type -P verilator mpicxx || true
    if type -P riscv64-unknown-elf-gcc; then
        specs="$(riscv64-unknown-elf-gcc -print-file-name=picolibc.specs 2>/dev/null || true)"
        [[ "$specs" != /* ]] || echo "$specs" # without its folder: not found
    fi
}

# What CMake may find on this machine: a build folder that was configured with another answer is configured again.
tools_there() {
    if command -v dpkg-query >/dev/null; then
        dpkg-query -W -f='${db:Status-Status} ${Package} ${Version}\n' "${build_packages[@]}" "${check_packages[@]}" \
            2>/dev/null | grep '^installed ' || true
    else
        program_tools
        type -P yosys || true
    fi
}

# ask_for_tools <word>...: what a call of the program needs besides the program's packages: Verilator where a setting's value
# ends in _rtl or waveforms are FST, the RISC-V compiler where a setting or --execution says riscv, MPI under mpirun. A file may
# ask for them too: the program then says what is missing. A tool that came or went since the program was built has it built
# again.
ask_for_tools() {
    local have word option="" rtl=false firmware=false
    for word in "$@"; do
        case "$word" in
        --set=* | --waves=* | --execution=*) option="${word%%=*}" word="${word#*=}" ;;
        esac
        case "$option" in
        --set)
            if [[ "$word" =~ =.*[a-z0-9]_rtl([^a-z0-9_]|$) ]]; then rtl=true; fi
            if [[ "$word" =~ =(.*[^a-z0-9_])?riscv([^a-z0-9_]|$) ]]; then firmware=true; fi
            ;;
        --waves) if [[ "$word" == *.fst ]]; then rtl=true; fi ;;
        --execution) if [[ "$word" == riscv ]]; then firmware=true; fi ;;
        esac
        if [[ "$word" == -* ]]; then
            option="$word"
        elif [[ "$option" != --set ]]; then # which takes several
            option=""
        fi
    done
    wanted=("${program_packages[@]}") targets=(numavp_sim) variant=""
    have="$(program_tools)"
    if [[ "$have" != "$(cat "$release/.numavp-program-tools" 2>/dev/null)" ]]; then rm -f "$release"/.numavp-built*; fi
    if $rtl; then
        wanted+=("${rtl_packages[@]}")
        [[ "$have" == *verilator* ]] || rm -f "$release"/.numavp-built*
    fi
    if $firmware; then
        wanted+=("${firmware_packages[@]}")
        [[ "$have" == *riscv64-unknown-elf-gcc*picolibc.specs* ]] || rm -f "$release"/.numavp-built*
    fi
    if [[ -n "${OMPI_COMM_WORLD_SIZE-}" ]]; then
        wanted+=("${mpi_packages[@]}") targets+=(numavp_ranks) variant=-mpi
    fi
}
