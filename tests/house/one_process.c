/* SPDX-License-Identifier: MIT */
/* Test programs as one: each runs in a child of this process, so that valgrind reads the libraries
 * and translates what starts them once for all.  usage: PROGRAM NAME...  exit code: the largest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* PROGRAMS is PROGRAM(NAME) for each (tests/CMakeLists.txt); its main is called main_of_NAME. */
#define PROGRAM(name) int main_of_##name(void);
PROGRAMS
#undef PROGRAM

static const struct program {
    const char *name;
    int (*run)(void);
} programs[] = {
#define PROGRAM(name) {#name, main_of_##name},
    PROGRAMS
#undef PROGRAM
};

static int run(const char *name)
{
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
        if (strcmp(programs[k].name, name) != 0) continue;
        const pid_t child = fork();
        int status;
        if (child == 0) exit(programs[k].run());
        if (child < 0 || waitpid(child, &status, 0) != child) return 98;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
        printf("%s: %s %d\n", name, WIFEXITED(status) ? "exit" : "signal",
               WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        (void)fflush(stdout);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
    }
    printf("no program %s\n", name);
    (void)fflush(stdout);
    return 2;
}

int main(int argc, char **argv)
{
    int worst = 0;
    for (int k = 1; k < argc; k++) {
        const int code = run(argv[k]);
        if (code > worst) worst = code;
    }
    return worst;
}
