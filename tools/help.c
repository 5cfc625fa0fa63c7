/* Help and completion, from the tables of commands and options. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

/* ---- Nearest names -----------------------------------------------------------------------------
 */

#define LONGEST 24

/* How many letters have to be put in, taken out or changed to make one word of the other
 * (Levenshtein's distance), row by row. */
static int distance(const char *word, const char *name)
{
    size_t length = strlen(name), letters = strlen(word);
    int row[LONGEST + 1];
    if (length > LONGEST || letters > LONGEST)
        return LONGEST;
    for (size_t k = 0; k <= length; k++)
        row[k] = (int)k;
    for (size_t i = 1; i <= letters; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t k = 1; k <= length; k++) {
            int changed = diagonal + (word[i - 1] != name[k - 1]);
            int other = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
            diagonal = row[k];
            row[k] = changed < other ? changed : other;
        }
    }
    return row[length];
}

static void keep_nearer(const char *word, const char *name, int *least, const char **nearest)
{
    int steps = distance(word, name);
    bool is_beginning = strlen(word) > 1 && strncmp(word, name, strlen(word)) == 0;
    if (is_beginning)
        steps = 1;
    if (steps < *least) {
        *least = steps;
        *nearest = name;
    }
}

const char *option_nearest(const char *word, unsigned bits)
{
    char bare[LONGEST + 1];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
    int least = strlen(bare) < 4 ? 2 : 3; /* more changes than that are another word */
    const char *nearest = NULL;
    for (int32_t i = 0; bits && i < option_count; i++)
        if (option_table[i].bits & bits)
            keep_nearer(bare, option_table[i].name, &least, &nearest);
    for (int32_t i = 0; !bits && i < command_count; i++)
        keep_nearer(bare, command_table[i].name, &least, &nearest);
    return nearest;
}

/* ---- Help --------------------------------------------------------------------------------------
 */

#define HELP_COLUMN 26
#define HELP_WIDTH 80

/* Words from one column on, in lines that fit. */
static void put_wrapped(const char *text, int column, FILE *out)
{
    int used = column;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (used > column && used + 1 + length > HELP_WIDTH) {
            fprintf(out, "\n%*s", column, "");
            used = column;
        }
        fprintf(out, "%s%.*s", used > column ? " " : "", length, text);
        used += length + (used > column);
        text += length;
        text += strspn(text, " ");
    }
    putc('\n', out);
}

static void put_option(const Option *option, FILE *out)
{
    char head[80];
    snprintf(head, sizeof head, "  %c%c%s--%s%s%s", option->letter ? '-' : ' ',
             option->letter ? option->letter : ' ', option->letter ? ", " : "  ", option->name,
             option->argument ? " " : "", option->argument ? option->argument : "");
    if (strlen(head) + 2 > HELP_COLUMN)
        fprintf(out, "%s\n%*s", head, HELP_COLUMN, "");
    else
        fprintf(out, "%-*s", HELP_COLUMN, head);
    put_wrapped(option->help, HELP_COLUMN, out);
}

void help_write(const Command *command, FILE *out)
{
    fprintf(out, "usage: pliant %s%s%s [options]\n\n", command->name, *command->operands ? " " : "",
            command->operands);
    put_wrapped(command->summary, 0, out);
    fputs("\noptions:\n", out);
    for (int32_t i = 0; i < option_count; i++)
        if (option_table[i].bits & command->bit)
            put_option(&option_table[i], out);
    if (command->bit & (FOR_CHECK | FOR_MERGE))
        fputs("\nA FILE of - is stdout; the table is then not printed.\n"
              "Several models, a folder or a glob are one report.\n"
              "Exit: 0 clean, 1 findings, 2 usage, 3 cannot read, 4 internal.\n",
              out);
}

void help_write_all(FILE *out)
{
    fputs("usage: pliant COMMAND ...\n\nFinds what intersects in animated models: glTF, GLB, VRM, "
          "OBJ, PLY, STL, PC2,\nMDD, FBX.\n\n",
          out);
    for (int32_t i = 0; i < command_count; i++) {
        fprintf(out, "  %-12s", command_table[i].name);
        put_wrapped(command_table[i].summary, 14, out);
    }
    fputs("\nTry: pliant check model.glb\n"
          "     pliant help COMMAND     shows all options of one\n"
          "     pliant --version\n",
          out);
}

/* ---- Completion --------------------------------------------------------------------------------
 */

/* The words that a value can be, "a|b|c" with spaces for bars; files are no word. */
static void put_words(const char *argument, FILE *out)
{
    bool is_first = true;
    for (const char *word = argument; *word;) {
        int length = (int)strcspn(word, "|");
        if (strncmp(word, "FILE", 4) != 0)
            fprintf(out, "%s%.*s", is_first ? "" : " ", length, word);
        is_first = false;
        word += length + (word[length] == '|');
    }
}

static bool takes_words(const char *argument)
{
    return argument && strchr(argument, '|');
}

static bool takes_file(const char *argument)
{
    return argument && (strstr(argument, "FILE") || strstr(argument, "FOLDER"));
}

static void put_bash_values(FILE *out)
{
    fputs("    case $previous in\n", out);
    for (int32_t i = 0; i < option_count; i++) {
        const Option *option = &option_table[i];
        if (option_may_stand_alone(option))
            continue;
        fprintf(out, "    --%s", option->name);
        if (option->letter)
            fprintf(out, " | -%c", option->letter);
        fputs(")\n        COMPREPLY=(", out);
        if (takes_words(option->argument)) {
            fputs("$(compgen -W \"", out);
            put_words(option->argument, out);
            fputs("\" -- \"$word\") ", out);
        }
        fprintf(out, "%s)\n        return ;;\n",
                takes_file(option->argument) ? "$(compgen -f -- \"$word\")" : "");
    }
    fputs("    esac\n", out);
}

static void put_bash_options(FILE *out)
{
    fputs("    case $command in\n", out);
    for (int32_t k = 0; k < command_count; k++) {
        fprintf(out, "    %s) options=\"", command_table[k].name);
        bool is_first = true;
        for (int32_t i = 0; i < option_count; i++)
            if (option_table[i].bits & command_table[k].bit) {
                fprintf(out, "%s--%s", is_first ? "" : " ", option_table[i].name);
                is_first = false;
            }
        fprintf(out, "\" operands=\"%s\" ;;\n",
                command_table[k].words ? command_table[k].words : "");
    }
    fputs("    esac\n", out);
}

static void put_command_names(FILE *out)
{
    for (int32_t i = 0; i < command_count; i++)
        fprintf(out, "%s%s", i ? " " : "", command_table[i].name);
}

static void put_bash(FILE *out)
{
    fputs("# bash completion of pliant; made by: pliant completion bash\n"
          "_pliant()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command=${COMP_WORDS[1]} options=\"\" operands=\"\"\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W \"",
          out);
    put_command_names(out);
    fputs(" --help --version\" -- \"$word\"))\n        return\n    fi\n", out);
    put_bash_values(out);
    put_bash_options(out);
    fputs("    if [[ $word == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "    elif [ -n \"$operands\" ]; then\n"
          "        COMPREPLY=($(compgen -W \"${operands//|/ }\" -- \"$word\"))\n"
          "    else\n"
          "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "    fi\n}\n"
          "complete -o filenames -F _pliant pliant\n",
          out);
}

/* For _arguments: in single quotes, brackets and colons by backslashes. */
static void put_zsh_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", out);
            continue;
        }
        if (strchr("[]:\\", *text))
            putc('\\', out);
        putc(*text, out);
    }
}

static void put_zsh_option(const Option *option, const char *name, FILE *out)
{
    bool is_repeated = option->kind == OPTION_LIST || option->kind == OPTION_MORPH ||
                       option->kind == OPTION_ALLOW || option->kind == OPTION_EXCLUDE;
    fprintf(out, "            '%s%s[", is_repeated ? "*" : "", name);
    put_zsh_text(option->help, out);
    putc(']', out);
    if (option->argument) {
        fputs(option_may_stand_alone(option) ? "::" : ":", out);
        put_zsh_text(option->argument, out);
        putc(':', out);
        if (takes_file(option->argument)) {
            fputs("_files", out);
        } else if (takes_words(option->argument)) {
            putc('(', out);
            put_words(option->argument, out);
            putc(')', out);
        }
    }
    fputs("' \\\n", out);
}

static void put_zsh_command(const Command *command, FILE *out)
{
    fprintf(out, "    %s)\n        _arguments \\\n", command->name);
    for (int32_t i = 0; i < option_count; i++)
        if (option_table[i].bits & command->bit) {
            char name[40];
            snprintf(name, sizeof name, "--%s", option_table[i].name);
            put_zsh_option(&option_table[i], name, out);
            snprintf(name, sizeof name, "-%c", option_table[i].letter);
            if (option_table[i].letter)
                put_zsh_option(&option_table[i], name, out);
        }
    if (command->words) {
        fputs("            '*: :(", out);
        put_words(command->words, out);
        fputs(")' ;;\n", out);
    } else {
        fputs("            '*: :_files' ;;\n", out);
    }
}

static void put_zsh(FILE *out)
{
    fputs("#compdef pliant\n# zsh completion of pliant; made by: pliant completion zsh\n"
          "_pliant()\n{\n"
          "    if (( CURRENT == 2 )); then\n"
          "        local -a names\n        names=(\n",
          out);
    for (int32_t i = 0; i < command_count; i++) {
        fprintf(out, "            '%s:", command_table[i].name);
        put_zsh_text(command_table[i].summary, out);
        fputs("'\n", out);
    }
    fputs("        )\n        _describe command names\n        return\n    fi\n"
          "    local command=${words[2]}\n"
          "    shift words\n    (( CURRENT-- ))\n"
          "    case $command in\n",
          out);
    for (int32_t i = 0; i < command_count; i++)
        put_zsh_command(&command_table[i], out);
    fputs("    esac\n}\n_pliant \"$@\"\n", out);
}

bool completion_write(const char *shell, FILE *out)
{
    if (strcmp(shell, "bash") == 0)
        put_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        put_zsh(out);
    else
        return false;
    return true;
}
