/* Cubics over time: see cubic.h. kernels/wide_cubic.h does the same in lanes. */
#include "geom/cubic.h"

/* ---- Pieces -------------------------------------------------------------------------------- */

/* A time, and what coefficients that begin or end there are means of. */
typedef struct Split {
    double t, p, q;
} Split;

static Split split_at(const double b[4], double t)
{
    const double p = pli_mean(b[0], b[1], t), q = pli_mean(b[1], b[2], t),
                 w = pli_mean(b[2], b[3], t);
    return (Split){t, pli_mean(p, q, t), pli_mean(q, w, t)};
}

static PliCubicPiece piece_between(const Split *low, const Split *high)
{
    return (PliCubicPiece){{low->t, high->t},
                           {pli_mean(low->p, low->q, low->t), pli_mean(low->p, low->q, high->t),
                            pli_mean(high->p, high->q, low->t),
                            pli_mean(high->p, high->q, high->t)}};
}

PliCubicPiece pli_cubic_piece(const PliCubic *cubic, double low, double high)
{
    const Split first = split_at(cubic->b, low), last = split_at(cubic->b, high);
    return piece_between(&first, &last);
}

/* A number from 0 to 1, of any. */
static double within_step(double t)
{
    return t > 0 ? t < 1 ? t : 1 : 0;
}

/* The slope is a t^2 + 2 b t + c, three times. Any times would do. */
void pli_cubic_divide(const PliCubic *cubic, PliCubicPiece pieces[3])
{
    const double *of = cubic->b;
    const double c = of[1] - of[0], b = (of[2] - of[1]) - c,
                 a = ((of[3] - of[2]) - (of[2] - of[1])) - b,
                 root = sqrt(pli_greater(b * b - a * c, 0)), sum = b < 0 ? root - b : -root - b,
                 first = within_step(sum / a), second = within_step(c / sum);
    const Split splits[4] = {{0, of[0], of[1]},
                             split_at(of, pli_lesser(first, second)),
                             split_at(of, pli_greater(first, second)),
                             {1, of[2], of[3]}};
    for (int i = 0; i < 3; i++)
        pieces[i] = piece_between(&splits[i], &splits[i + 1]);
}

/* ---- Roots --------------------------------------------------------------------------------- */

/* About where the cubic is zero in a piece at whose ends it has opposite signs: by Newton's method,
 * within ends that come closer. Sets the slope there. Nothing depends on how good it is but time.
 */
static double approximate(const PliCubic *cubic, const PliCubicPiece *piece, int low_sign,
                          double *slope)
{
    const double *b = cubic->b, c1 = 3 * (b[1] - b[0]), c2 = 3 * ((b[0] - b[1]) + (b[2] - b[1])),
                 c3 = (b[3] - b[0]) + 3 * (b[1] - b[2]), twice_c2 = 2 * c2, thrice_c3 = 3 * c3;
    double low = piece->times.low, high = piece->times.high;
    double t = low + (high - low) * (piece->b[0] / (piece->b[0] - piece->b[3]));
    for (int i = 0; i < PLI_ROOT_STEPS; i++) {
        const double value = ((c3 * t + c2) * t + c1) * t + b[0];
        *slope = (thrice_c3 * t + twice_c2) * t + c1;
        if (fabs(value) <= cubic->error + PLI_LEAST_WIDTH * t * fabs(*slope))
            break;
        if (value * low_sign > 0)
            low = t;
        else
            high = t;
        const double next = t - value / *slope;
        t = next > low && next < high ? next : pli_mean(low, high, 0.5);
    }
    return t;
}

static int sign_at(const PliCubic *cubic, double t)
{
    const Split split = split_at(cubic->b, t);
    return pli_certain_sign(pli_mean(split.p, split.q, t), cubic->error);
}

static bool catch_root(const PliCubic *cubic, PliCubicPiece *piece, int low_sign)
{
    double slope = 0;
    const double t = approximate(cubic, piece, low_sign, &slope);
    double width = pli_greater(4 * cubic->error / fabs(slope), PLI_LEAST_WIDTH * t);
    for (int i = 0; i < PLI_ROOT_WIDTHS; i++, width *= 16) {
        const double low = pli_greater(piece->times.low, t - width),
                     high = t + width < piece->times.high ? t + width : piece->times.high;
        if (sign_at(cubic, low) == low_sign && sign_at(cubic, high) == -low_sign) {
            piece->times = (PliInterval){low, high};
            return true;
        }
    }
    return false;
}

static PliRootCount count_roots(const int signs[4])
{
    if (signs[0] == 0 || signs[3] == 0)
        return PLI_UNCLEAR_ROOTS;
    if (signs[0] == signs[3])
        return signs[1] == signs[0] && signs[2] == signs[0] ? PLI_NO_ROOT : PLI_UNCLEAR_ROOTS;
    /* One change, whatever an unknown one of the two between is. */
    return signs[1] == signs[0] || signs[2] == signs[3] ? PLI_ONE_ROOT : PLI_UNCLEAR_ROOTS;
}

PliRootCount pli_cubic_catch(const PliCubic *cubic, PliCubicPiece *piece, bool *is_caught)
{
    int signs[4];
    for (int i = 0; i < 4; i++)
        signs[i] = pli_certain_sign(piece->b[i], cubic->error);
    const PliRootCount count = count_roots(signs);
    *is_caught = count == PLI_ONE_ROOT && catch_root(cubic, piece, signs[0]);
    return count;
}
