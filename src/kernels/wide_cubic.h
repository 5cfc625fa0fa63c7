/* Cubics over time, in lanes of doubles: the same operations in the same order as geom/cubic.c. */
#ifndef PLI_WIDE_CUBIC_H
#define PLI_WIDE_CUBIC_H

#include "geom/cubic.h"
#include "kernels/wide_doubles.h"

/* Coefficients over [0, 1], and what they are off by at most. */
typedef struct Cubic {
    Doubles b[4], error;
} Cubic;

static inline Doubles mean(Doubles p, Doubles q, Doubles t)
{
    return p + (q - p) * t;
}

/* Where all is certain to have one sign. */
typedef struct Signs {
    Longs are_above, are_below;
} Signs;

static inline Signs signs_of(Doubles x, Doubles error)
{
    return (Signs){x > error, x < -error};
}

/* ---- Roots ----------------------------------------------------------------------------------- */

typedef struct Split {
    Doubles t, p, q;
} Split;

static inline Split split_at(const Doubles b[4], Doubles t)
{
    const Doubles p = mean(b[0], b[1], t), q = mean(b[1], b[2], t), w = mean(b[2], b[3], t);
    return (Split){t, mean(p, q, t), mean(q, w, t)};
}

static inline Doubles value_at(const Doubles b[4], Doubles t)
{
    const Split split = split_at(b, t);
    return mean(split.p, split.q, t);
}

/* An interval, the cubic at its ends, and in which lanes it has one root. */
typedef struct Piece {
    Doubles low, high, at_low, at_high;
    Longs has_one, is_pending;
} Piece;

static inline Doubles approximate(const Cubic *cubic, const Piece *piece, Doubles *slope)
{
    const Doubles *b = cubic->b;
    const Doubles c1 = 3 * (b[1] - b[0]), c2 = 3 * ((b[0] - b[1]) + (b[2] - b[1])),
                  c3 = (b[3] - b[0]) + 3 * (b[1] - b[2]), twice_c2 = 2 * c2, thrice_c3 = 3 * c3;
    const Doubles sign = choose_doubles(piece->at_low > 0, same(1), same(-1));
    Doubles low = piece->low, high = piece->high;
    Doubles t = low + (high - low) * (piece->at_low / (piece->at_low - piece->at_high));
    Longs is_left = piece->has_one;
    for (int i = 0; i < PLI_ROOT_STEPS; i++) {
        const Doubles value = ((c3 * t + c2) * t + c1) * t + b[0],
                      here = (thrice_c3 * t + twice_c2) * t + c1;
        *slope = choose_doubles(is_left, here, *slope);
        is_left &= ~(size_of(value) <= cubic->error + PLI_LEAST_WIDTH * t * size_of(here));
        if (bits_of(is_left) == 0)
            break;
        const Longs is_low = value * sign > 0;
        low = choose_doubles(is_left & is_low, t, low);
        high = choose_doubles(is_left & ~is_low, t, high);
        const Doubles next = t - value / here;
        t = choose_doubles(
            is_left, choose_doubles((next > low) & (next < high), next, mean(low, high, same(0.5))),
            t);
    }
    return t;
}

/* Narrows the intervals of lanes with one root. Returns those in which it is caught. */
static inline Longs catch_roots(const Cubic *cubic, const Piece *piece, Doubles *low, Doubles *high)
{
    Doubles slope = same(0);
    const Doubles t = approximate(cubic, piece, &slope);
    Doubles width = most(4 * cubic->error / size_of(slope), PLI_LEAST_WIDTH * t);
    Longs is_caught = {0};
    for (int i = 0; i < PLI_ROOT_WIDTHS; i++, width *= 16) {
        const Doubles to = t + width, l = most(piece->low, t - width),
                      h = choose_doubles(to < piece->high, to, piece->high);
        const Signs at_low = signs_of(value_at(cubic->b, l), cubic->error),
                    at_high = signs_of(value_at(cubic->b, h), cubic->error);
        const Longs is_down = piece->at_low > 0;
        const Longs is_new = piece->has_one & ~is_caught &
                             ((is_down & at_low.are_above & at_high.are_below) |
                              (~is_down & at_low.are_below & at_high.are_above));
        *low = choose_doubles(is_new, l, *low);
        *high = choose_doubles(is_new, h, *high);
        is_caught |= is_new;
        if (bits_of(piece->has_one & ~is_caught) == 0)
            break;
    }
    return is_caught;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

static inline Piece piece_between(const Split *low, const Split *high, Doubles error)
{
    const Doubles at_low = mean(low->p, low->q, low->t), at_high = mean(high->p, high->q, high->t);
    const Signs first = signs_of(at_low, error),
                second = signs_of(mean(low->p, low->q, high->t), error),
                third = signs_of(mean(high->p, high->q, low->t), error),
                last = signs_of(at_high, error);
    const Longs has_none = (first.are_above & second.are_above & third.are_above & last.are_above) |
                           (first.are_below & second.are_below & third.are_below & last.are_below);
    const Longs has_one =
        (first.are_above & last.are_below & (second.are_above | third.are_below)) |
        (first.are_below & last.are_above & (second.are_below | third.are_above));
    return (Piece){low->t, high->t, at_low, at_high, has_one, ~has_none};
}

static inline Doubles within_step(Doubles t)
{
    return choose_doubles(t > 0, choose_doubles(t < 1, t, same(1)), same(0));
}

static inline void divide(const Cubic *cubic, Piece pieces[3])
{
    const Doubles *of = cubic->b;
    const Doubles c = of[1] - of[0], b = (of[2] - of[1]) - c,
                  a = ((of[3] - of[2]) - (of[2] - of[1])) - b,
                  root = square_root(most(b * b - a * c, same(0))),
                  sum = choose_doubles(b < 0, root - b, -root - b), first = within_step(sum / a),
                  second = within_step(c / sum);
    const Split splits[4] = {{same(0), of[0], of[1]},
                             split_at(of, least(first, second)),
                             split_at(of, most(first, second)),
                             {same(1), of[2], of[3]}};
    for (int i = 0; i < 3; i++)
        pieces[i] = piece_between(&splits[i], &splits[i + 1], cubic->error);
}

#endif
