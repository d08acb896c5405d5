/* stepper SYSTEM WORKLOAD SETTINGS STEP_PS FILE: a C program on the installed header alone, which owns the time:
   advances in steps of that many ps until all has ended, and writes the results to the file. Ends with 1 and a sentence
   if a call failed. */
#include <stdio.h>
#include <stdlib.h>

#include <numavp/c.h>

static int checked(int result) {
    if (result == NUMAVP_ERROR) {
        fprintf(stderr, "%s\n", numavp_last_error());
        exit(1);
    }
    return result;
}

int main(int argc, char** argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: stepper SYSTEM WORKLOAD SETTINGS STEP_PS FILE\n");
        return 2;
    }
    const uint64_t step = strtoull(argv[4], NULL, 10);
    uint64_t steps = 0;
    checked(numavp_create(argv[1], argv[2], argv[3]));
    while (!checked(numavp_ended())) {
        checked(numavp_advance(step));
        ++steps;
    }
    if (numavp_time_ps() != steps * step) {
        fprintf(stderr, "%llu steps of %llu ps ended at %llu ps\n", (unsigned long long)steps, (unsigned long long)step,
                (unsigned long long)numavp_time_ps());
        return 1;
    }
    checked(numavp_end(0));
    double cycles = 0;
    checked(numavp_statistic("cycles", &cycles));
    FILE* const file = fopen(argv[5], "w");
    if (!file || fputs(numavp_results(), file) < 0 || fclose(file) != 0) return 1;
    printf("%llu steps, %.0f cycles\n", (unsigned long long)steps, cycles);
    return 0;
}
