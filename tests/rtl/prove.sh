#!/usr/bin/env bash
# prove.sh YOSYS ROOT FAULTY lanes|ways|control [all]: proves the invariants of an RTL block by induction with yosys's own
# SAT solver, then shows that the proof fails for each fault that breaks one, and that the faults called equivalent are.
# FAULTY is the folder of the blocks with the input `mutant`, as tests/mutation/rows.py writes them.
set -euo pipefail

yosys="$1" root="$2" faulty="$3" name="$4"
case "$name" in
lanes)
    top=lanes_proof steps=12 block=lane_balancer
    sources=(rtl/saturation.sv rtl/lane_balancer.sv)
    breaking=(3 6 7 9 10 11) harmless=(1 2 4 5 12 13) equivalent=(8)
    ;;
ways)
    top=ways_proof steps=12 block=way_partition
    sources=(rtl/saturation.sv rtl/way_partition.sv)
    breaking=(5 6 10 11 12) harmless=(1 2 3 4 7 8 9) equivalent=()
    ;;
control)
    top=control_proof steps=4 block=replication_model
    sources=(rtl/replication_alu.sv rtl/replication_model.sv)
    breaking=(5 6 7) harmless=(1 2 3 4 8 9 10 11 12 13 14 15) equivalent=(16)
    ;;
*)
    echo "there is no proof $name" >&2
    exit 1
    ;;
esac
whole=("${sources[@]/#/$root/}") broken=()
for source in "${sources[@]}"; do
    if [[ -f "$faulty/${source#rtl/}" ]]; then broken+=("$faulty/${source#rtl/}"); else broken+=("$root/$source"); fi
done
proof="$root/tests/rtl/proofs/${name}_proof.sv"
read_block="read_verilog -sv -formal"

# proved <number>: true if all assertions hold of the block with that fault, of the product's own for 0. A yosys that
# fails otherwise ends us.
proved() {
    local said files=("${broken[@]}") with=-DFAULTY
    if (($1 == 0)); then files=("${whole[@]}") with=""; fi
    said="$("$yosys" -p "$read_block $with -DNUMAVP_ASSERTIONS ${files[*]} $proof
        chparam -set MUTANT $1 $top; prep -top $top -flatten; memory_map; async2sync; dffunmap
        select -assert-min 1 t:\$assert
        sat -tempinduct -prove-asserts -set-assumes -seq 1 -maxsteps $steps" 2>&1)" || {
        printf '%s\n' "$said" >&2
        exit 1
    }
    case "$said" in
    *"SUCCESS!"*) return 0 ;;
    *"FAIL!"* | *"proof failed"*) return 1 ;;
    esac
    printf '%s\n' "$said" >&2
    exit 1
}

# same <number>: true if the block with that fault and the whole one are equivalent, at full width and from any equal
# state: each register and output of the one against that of the other.
same() {
    local said
    said="$("$yosys" -p "$read_block ${broken[*]}; prep -flatten -top $block; rename $block gold; copy gold gate
        cd gold; connect -nounset -set mutant 5'd0; cd ..
        cd gate; connect -nounset -set mutant 5'd$1; cd ..
        equiv_make gold gate equiv; prep -top equiv; equiv_simple; equiv_induct -seq 3; equiv_status" 2>&1)" || {
        printf '%s\n' "$said" >&2
        exit 1
    }
    [[ "$said" == *"Equivalence successfully proven!"* ]]
}

failures=0
check() { # check <what> <expected> <found>
    if [[ "$2" == "$3" ]]; then
        echo "$name: $1: $3"
    else
        echo "$name: $1: expected $2, found $3"
        failures=$((failures + 1))
    fi
}
proof_of() { if proved "$1"; then echo proved; else echo "no proof"; fi; }
likeness_of() { if same "$1"; then echo equivalent; else echo different; fi; }

check "no fault" proved "$(proof_of 0)"
for fault in "${breaking[@]}"; do check "fault $fault" "no proof" "$(proof_of "$fault")"; done
for fault in "${equivalent[@]}"; do check "fault $fault" equivalent "$(likeness_of "$fault")"; done
if [[ "${5-}" == all ]]; then # what the invariants do not see, and that the equivalence is not blind
    for fault in "${harmless[@]}"; do
        check "fault $fault" proved "$(proof_of "$fault")"
        check "fault $fault" different "$(likeness_of "$fault")"
    done
fi
exit $((failures > 0))
