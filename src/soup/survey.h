/* A sample of the primitives of a soup: where most of them are, and how large. */
#ifndef PLI_SURVEY_H
#define PLI_SURVEY_H

#include "soup/soup.h"

/* Sets middles and usual_size. */
void pli_soup_survey(PliSoup *soup);

#endif
