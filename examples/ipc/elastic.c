/* Elasticity: springs and neo-Hookean tetrahedra. Negative eigenvalues of second derivatives are
 * left out, so that Newton's direction always leads to less energy. Those of a tetrahedron are
 * known: "Analytic Eigensystems for Isotropic Distortion Energies" (Smith and others 2019). */
#include "ipc.h"
#include <math.h>
#include <string.h>

double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void cross(const double *a, const double *b, double *c)
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

void add_term(Simulation *sim, const Term *term)
{
    sim->energy += term->energy;
    must(sim->entry_count + 144 <= MAX_ENTRIES ? PLIANT_OK : PLIANT_TOO_LARGE);
    for (int i = 0; i < 3 * term->count && sim->has_derivatives; i++) {
        const int row = 3 * term->vertices[i / 3] + i % 3;
        if (row < 0)
            continue;
        sim->gradient[row] += term->gradient[i];
        for (int j = 0; j <= i; j++) {
            const int column = 3 * term->vertices[j / 3] + j % 3;
            if (column < 0 || term->matrix[i][j] == 0)
                continue;
            sim->rows[sim->entry_count] = row > column ? row : column;
            sim->columns[sim->entry_count] = row > column ? column : row;
            sim->values[sim->entry_count++] = term->matrix[i][j];
        }
    }
}

static void add_spring(Simulation *sim, const Spring *spring)
{
    const int32_t a = spring->vertices[0], b = spring->vertices[1];
    Term term = {2, {a, b, 0, 0}, 0, {0}, {{0}}};
    double way[3];
    for (int k = 0; k < 3; k++)
        way[k] = (double)sim->now[3 * a + k] - (double)sim->now[3 * b + k];
    const double length = sqrt(dot(way, way)), stretch = length - spring->length;
    const double force = spring->stiffness * stretch;
    const double across = fmax(force, 0) / length, along = spring->stiffness - across;
    const double same = spring->is_soft ? 2 : 1, other = spring->is_soft ? 0 : -1;
    term.energy = 0.5 * force * stretch;
    for (int i = 0; i < 6; i++) {
        term.gradient[i] = (i < 3 ? force : -force) * way[i % 3] / length;
        for (int j = 0; j <= i; j++) {
            const double value = along * way[i % 3] * way[j % 3] / (length * length);
            term.matrix[i][j] =
                (i / 3 == j / 3 ? same : other) * (value + (i % 3 == j % 3 ? across : 0));
        }
    }
    add_term(sim, &term);
}

static void rotate(double *x, double *y, double c, double s)
{
    const double before = *x;
    *x = c * before - s * *y;
    *y = s * before + c * *y;
}

/* Makes a symmetric matrix diagonal: its eigenvalues. Columns are eigenvectors. By rotations of
 * Jacobi, of at most 45 degrees. */
static void find_eigenvectors(double m[3][3], double vectors[3][3])
{
    for (int i = 0; i < 9; i++)
        vectors[i / 3][i % 3] = i % 4 == 0;
    for (int round = 0; round < 24; round++) {
        const int p = round % 3, q = (p + 1) % 3;
        const double difference = m[q][q] - m[p][p];
        if (fabs(m[p][q]) <= 1e-15 * (fabs(m[p][p]) + fabs(m[q][q])))
            continue;
        const double angle = difference == 0 ? 0.78539816 : 0.5 * atan(2 * m[p][q] / difference);
        for (int k = 0; k < 3; k++) {
            rotate(&m[k][p], &m[k][q], cos(angle), sin(angle));
            rotate(&vectors[k][p], &vectors[k][q], cos(angle), sin(angle));
        }
        for (int k = 0; k < 3; k++)
            rotate(&m[p][k], &m[q][k], cos(angle), sin(angle));
    }
}

/* Adds an eigenvalue. Its eigenvector is a change of the deformation gradient. */
static void add_mode(Term *term, const Tet *tet, double value, double change[3][3])
{
    double q[12];
    for (int i = 0; i < 12; i++)
        q[i] = dot(change[i % 3], tet->gradients[i / 3]);
    for (int i = 0; i < 12 && value > 0; i++)
        for (int j = 0; j <= i; j++)
            term->matrix[i][j] += tet->volume * value * q[i] * q[j];
}

/* The deformation gradient is u * diagonal(sizes) * v^T. Three eigenvectors change the sizes; in
 * the others, two elements beside the diagonal change equally or oppositely. */
static void add_modes(Term *term, const Tet *tet, double f[3][3], double log_volume)
{
    const double c = tet->shear - tet->bulk * log_volume;
    double squares[3][3], u[3][3], v[3][3], sizes[3], scaling[3][3], vectors[3][3];
    for (int i = 0; i < 9; i++)
        squares[i / 3][i % 3] =
            f[0][i / 3] * f[0][i % 3] + f[1][i / 3] * f[1][i % 3] + f[2][i / 3] * f[2][i % 3];
    find_eigenvectors(squares, v);
    for (int i = 0; i < 3; i++)
        sizes[i] = sqrt(squares[i][i]);
    for (int i = 0; i < 9; i++) {
        const int r = i / 3, k = i % 3;
        u[r][k] = (f[r][0] * v[0][k] + f[r][1] * v[1][k] + f[r][2] * v[2][k]) / sizes[k];
        scaling[r][k] = (r == k ? tet->shear + c / (sizes[r] * sizes[r]) : 0) +
                        tet->bulk / (sizes[r] * sizes[k]);
    }
    find_eigenvectors(scaling, vectors);
    for (int mode = 0; mode < 9; mode++) {
        const int i = mode / 3, j = mode % 3;
        const double sign = i < j ? 1 : -1;
        double value = tet->shear + sign * c / (sizes[i] * sizes[j]), change[3][3] = {{0}};
        for (int k = 0; k < 9; k++) {
            const int r = k / 3, s = k % 3;
            if (i != j)
                change[r][s] = (u[r][i] * v[s][j] + sign * u[r][j] * v[s][i]) * 0.70710678118654752;
            for (int n = 0; n < 3 && i == j; n++)
                change[r][s] += vectors[n][i] * u[r][n] * v[s][n];
        }
        add_mode(term, tet, i == j ? scaling[i][i] : value, change);
    }
}

static void add_tet(Simulation *sim, const Tet *tet)
{
    Term term = {4, {0}, INFINITY, {0}, {{0}}};
    double f[3][3] = {{0}}, cofactors[3][3];
    memcpy(term.vertices, tet->vertices, sizeof term.vertices);
    for (int i = 0; i < 36; i++)
        f[i / 3 % 3][i % 3] +=
            (double)sim->now[3 * tet->vertices[i / 9] + i / 3 % 3] * tet->gradients[i / 9][i % 3];
    for (int i = 0; i < 3; i++)
        cross(f[(i + 1) % 3], f[(i + 2) % 3], cofactors[i]);
    const double volume = dot(f[0], cofactors[0]), l = log(volume);
    if (volume > 0) { /* else it is inside out: the line search goes back */
        const double squares = dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]);
        const double pressure = (tet->bulk * l - tet->shear) / volume;
        term.energy =
            tet->volume * (tet->shear * (0.5 * squares - 1.5 - l) + 0.5 * tet->bulk * l * l);
        for (int i = 0; i < 12; i++)
            term.gradient[i] =
                tet->volume * (tet->shear * dot(f[i % 3], tet->gradients[i / 3]) +
                               pressure * dot(cofactors[i % 3], tet->gradients[i / 3]));
        if (sim->has_derivatives)
            add_modes(&term, tet, f, l);
    }
    add_term(sim, &term);
}

/* Inertia pulls vertices to where they would fly. */
static void add_inertia(Simulation *sim)
{
    for (int32_t v = 0; v < sim->vertex_count; v++) {
        Term term = {1, {v, 0, 0, 0}, 0, {0}, {{0}}};
        for (int k = 0; k < 3; k++) {
            const double way = (double)sim->now[3 * v + k] - sim->goal[3 * v + k];
            term.matrix[k][k] = sim->masses[v] / (sim->dt * sim->dt);
            term.gradient[k] = term.matrix[k][k] * way;
            term.energy += 0.5 * term.gradient[k] * way;
        }
        add_term(sim, &term);
    }
}

void add_elastic(Simulation *sim)
{
    add_inertia(sim);
    for (int32_t i = 0; i < sim->spring_count; i++)
        add_spring(sim, &sim->springs[i]);
    for (int32_t i = 0; i < sim->tet_count; i++)
        add_tet(sim, &sim->tets[i]);
}
