/* options: what the command line, and the config file, can say.
 *
 * Everything about an option is one row of one table: its name, what it takes, its line of help,
 * the commands that know it and where its value goes. Parsing, --help, completion and the config
 * file all follow from the table, and a test looks each of them up in the man page.
 */
#ifndef TOOLS_OPTIONS_H
#define TOOLS_OPTIONS_H

#include "check/check.h"
#include "view/view.h"

typedef enum CommandBit {
    FOR_CHECK = 1 << 0,
    FOR_INSPECT = 1 << 1,
    FOR_RENDER = 1 << 2,
    FOR_DIFF = 1 << 3,
    FOR_MERGE = 1 << 4,
    FOR_COMPLETION = 1 << 5,
    FOR_HELP = 1 << 6,
    NOT_REPEATED = 1 << 7, /* of an option that changes no answer: no advice repeats it */
    FOR_SUGGEST = 1 << 8,
    NAMED = 1 << 9,       /* of an option that changes what is a finding: reports name it */
    SAME_ANSWER = 1 << 10 /* of an option that a model's report does not depend on */
} CommandBit;

/* How a run ends. */
typedef enum Exit {
    EXIT_CLEAN = 0,
    EXIT_FINDINGS = 1,
    EXIT_USAGE = 2,
    EXIT_UNREADABLE = 3, /* a model or a report */
    EXIT_INTERNAL = 4    /* memory, the library, a file that cannot be written */
} Exit;

typedef enum By { BY_NODE, BY_MATERIAL } By;
typedef enum When { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER } When;
typedef enum ProgressKind {
    PROGRESS_AUTO,
    PROGRESS_BAR,
    PROGRESS_PLAIN,
    PROGRESS_NONE
} ProgressKind;

/* A length as it was written: "0.3", "5mm". */
typedef struct Length {
    double value;
    double meters; /* of its unit; 0: the unit of the file */
} Length;

typedef struct TextList {
    const char **items;
    int32_t count;
} TextList;

/* What was asked for. Values that are not given are the defaults. */
typedef struct Settings {
    TextList files;
    TextList parts, animations, alternatives;
    CheckAllow *allows;
    int32_t allow_count;
    CheckAllow *excludes;
    int32_t exclude_count;
    CheckMorph *morphs;
    int32_t morph_count;
    int32_t by; /* By */
    int32_t frames[3], shard[2], size[2];
    double rate, fps, time_limit;             /* time: seconds, 0: none */
    Length max_depth, max_cut, max_clearance; /* negative: not given */
    int64_t memory_limit;                     /* bytes; -1: by the file */
    int32_t self, depth;                      /* CheckSelf, CheckDepth; depth -1: not given */
    const char *unit;                         /* NULL: not given */
    char *named;                              /* options that reports name; NULL: none */
    char *answers; /* options that a report depends on, as given; NULL: none */
    int64_t max_pairs, jobs;
    const char *baseline;
    bool is_welded, has_hidden, has_volume, is_eager, is_all, is_quiet, is_see_through, has_config;
    bool wants_help;
    const char *html, *json, *csv, *csv_frames, *junit, *sarif, *faces, *output, *config;
    const char *list, *lines, *cache;
    int32_t progress, color; /* ProgressKind, When */
    int64_t frame;           /* -1: not given */
    double time;             /* NAN: not given */
    double yaw, pitch, zoom; /* yaw and pitch NAN: not given */
    bool is_worst;           /* the worst finding is framed */
    CheckAllow worst;        /* of these two parts; or all zeros */
    TextList words; /* what stands behind the command's name, but for what is not repeated */
    char **owned;   /* texts that are neither of the command line nor of the program */
    int32_t owned_count;
} Settings;

typedef struct Command {
    const char *name;
    CommandBit bit;
    const char *operands; /* "FILE" */
    int32_t least, most;  /* operands */
    const char *summary;  /* one line */
    const char *words;    /* that its operands are, "bash|zsh"; NULL: files */
    Exit (*run)(const Settings *settings);
} Command;

extern const Command command_table[];
extern const int32_t command_count;
const Command *command_of(const char *name); /* NULL: there is none */

typedef enum OptionKind {
    OPTION_ON,  /* a flag that sets a bool, */
    OPTION_OFF, /* and one that unsets it */
    OPTION_TEXT,
    OPTION_LIST,   /* may be there more than once */
    OPTION_COUNT,  /* a whole number, not negative */
    OPTION_SIZE,   /* a number, not negative */
    OPTION_NUMBER, /* any */
    OPTION_CHOICE, /* one of the words of its argument, "node|material" */
    OPTION_FRAMES, /* a:b:step */
    OPTION_MORPH,
    OPTION_ALLOW,
    OPTION_EXCLUDE,
    OPTION_LENGTH, /* "0.3", "5mm" */
    OPTION_UNIT,
    OPTION_SELF,    /* sets CheckSelf to all, */
    OPTION_NO_SELF, /* or to none */
    OPTION_SHARD,
    OPTION_PIXELS, /* WxH */
    OPTION_BYTES,  /* 500M, 8G */
    OPTION_WORST,  /* with a pair of parts, or without */
} OptionKind;

typedef struct Option {
    const char *name;
    char letter;          /* or 0 */
    const char *argument; /* NULL: it takes none. "FILE": completed by files. "[A:B]": it may have
                             one, which has a colon */
    OptionKind kind;
    size_t index; /* of the value in Settings */
    unsigned bits;
    const char *help;
} Option;

static inline bool option_may_stand_alone(const Option *option)
{
    return !option->argument || option->argument[0] == '[';
}

extern const Option option_table[];
extern const int32_t option_count;

void settings_init(Settings *settings);
void settings_free(Settings *settings);

/* Reads what stands behind the command's name, and the config file where the command has one. False
 * if it is wrong: that has been said. */
bool settings_read(Settings *settings, const Command *command, int count, char *const *words);

/* Sets one option; `where` begins an error: "--frames", "pliant.conf:3". */
bool settings_apply(Settings *settings, const Option *option, const char *value, const char *where);

const Option *option_of(const char *name, size_t length, unsigned bits);

/* The nearest name to what was written, if one is near: for "did you mean". Bits 0: commands. */
const char *option_nearest(const char *word, unsigned bits);

/* Config files: config.c. One option on a line, as on the command line but without the dashes;
 * # begins a comment. */
bool config_read(Settings *settings, const char *path, bool must_exist, unsigned bits);

/* Texts that follow from the table: help.c */
void help_write(const Command *command, FILE *out);
void help_write_all(FILE *out);
bool completion_write(const char *shell, FILE *out); /* false: no such shell */

#endif
