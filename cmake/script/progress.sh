# How far a build is, and how long it still takes. Read by build.sh.

# begin_progress <build folder> [ninja target...]: weighs what would be built (step_weights.awk).
begin_progress() {
    local weight output
    declare -gA step_weights=()
    started_weights=(0) # of the first steps, as many as the index says
    all_steps=0 built=0 quarter=0
    past_seconds=() past_work=() oldest=0
    while read -r weight output; do
        step_weights["$output"]="$weight"
        all_steps=$((all_steps + weight))
        started_weights+=("$all_steps")
    done < <(LC_ALL=C.UTF-8 ninja -C "$1" -n "${@:2}" 2>/dev/null |
        awk -v root="$root" -v dir="$1" -f "$root/cmake/script/step_weights.awk")
}

# note_step <line of ninja>: counts the step that it says is done; sets `percent`, and `seconds_left`, empty in the first
# seconds. False if the line is none of a step. What ninja works at now counts by a quarter: that half of it is done is likely,
# and an estimate that is too long annoys less than one too short. The pace is that of the last two minutes, for what a
# compiler cache has comes a hundred times faster.
note_step() {
    [[ "$1" =~ ^\[([0-9]+)/[0-9]+\]\ ([0-9]+)\.[0-9]*\ ([0-9]+)\  && "$1" != *"Re-checking"* ]] || return 1
    local done_steps="${BASH_REMATCH[1]}" seconds="${BASH_REMATCH[2]}" running="${BASH_REMATCH[3]}" work last begun=0
    built=$((built + ${step_weights["${1##* }"]:-1}))
    ((built <= all_steps)) || all_steps="$built"
    last=$((${#started_weights[@]} - 1))
    ((done_steps + running < last)) && last=$((done_steps + running))
    work="$built"
    ((started_weights[last] > built)) && work=$((built + (started_weights[last] - built) / 4))
    percent=$((100 * built / all_steps))
    past_seconds+=("$seconds") past_work+=("$work")
    while ((seconds - past_seconds[oldest] > 120)); do oldest=$((oldest + 1)); done
    seconds_left=""
    ((seconds >= 5)) || return 0
    ((oldest == 0)) || begun="${past_work[oldest]}"
    local since=$((oldest == 0 ? seconds : seconds - past_seconds[oldest]))
    ((work > begun && since > 0)) || return 0
    seconds_left=$((since * (all_steps - work) / (work - begun)))
}

# show_progress <tree> <line of ninja>: on a terminal one line that changes, elsewhere a line each quarter of a long build.
show_progress() {
    local percent seconds_left left=""
    note_step "$2" || return 0
    if [[ -z "$seconds_left" ]]; then
        :
    elif ((seconds_left >= 90)); then
        left=", about $(((seconds_left + 30) / 60)) min left"
    else
        left=", about $seconds_left s left"
    fi
    if [[ -t 2 ]]; then
        printf '\rnumavp: building build/%s: %d %%%s    ' "$1" "$percent" "$left" >&2
    elif ((percent / 25 > quarter && percent < 100 && past_seconds[-1] >= 20)); then
        quarter=$((percent / 25))
        say "building build/$1: $percent %$left"
    fi
}
