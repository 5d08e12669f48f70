/* Coefficients and matrices of the model by hand (model.h), as the exporter would write them. */
static const model_index no_index[1] = {0u};

#ifdef EXPLICIT
static const double model_adams[4][3] = {{0.0, 0.0, 0.0},
                                         {1.0, 0.0, 0.0},
                                         {3.0 / 2.0, -1.0 / 2.0, 0.0},
                                         {23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0}};
static const double model_extrapolation[4][3] = {
    {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {2.0, -1.0, 0.0}, {3.0, -3.0, 1.0}};
static const model_index model_is_algebraic[3] = {0u, 0u, 1u};
static const model_index two[2] = {0u, 1u};
static const model_index two_rows[3] = {0u, 1u, 2u};
static const model_index none_of_two[2] = {MODEL_NONE, MODEL_NONE};
static const model_index z_unknown[1] = {2u};
static const model_index z_entry[1] = {2u};
static const model_index z_rows[2] = {0u, 1u};
static const model_index first[1] = {0u};
/* M = 1: solved by division */
static const model_matrix model_slopes_matrix = {
    2u,       2u,          2u,       1u,       0u,       NULL,     no_index, two,
    two,      none_of_two, no_index, two_rows, two,      no_index, no_index, no_index,
    no_index, no_index,    no_index, no_index, no_index, no_index};
/* dg/dz = 1 */
static const model_matrix model_algebraic_matrix = {
    0u,       1u,       1u,       1u,       0u,       NULL,     first,    z_unknown,
    no_index, no_index, z_entry,  z_rows,   first,    no_index, no_index, no_index,
    no_index, no_index, no_index, no_index, no_index, no_index};
#else
static const double model_bdf[4][4] = {{0.0, 0.0, 0.0, 0.0},
                                       {1.0, -1.0, 0.0, 0.0},
                                       {3.0 / 2.0, -2.0, 1.0 / 2.0, 0.0},
                                       {11.0 / 6.0, -3.0, 3.0 / 2.0, -1.0 / 3.0}};
static const model_index both[2] = {0u, 1u};
static const model_index from_m[4] = {0u, MODEL_NONE, MODEL_NONE, 1u};
static const model_index from_k[4] = {MODEL_NONE, 0u, 1u, MODEL_NONE};
static const model_index row_start[3] = {0u, 2u, 4u};
static const model_index column[4] = {0u, 1u, 0u, 1u};
static const model_index entry_start[3] = {0u, 1u, 3u};
static const model_index entry_column[3] = {0u, 0u, 1u};
static const model_index pair_start[4] = {0u, 2u, 4u, 6u};
static const model_index pair_p[6] = {0u, 2u, 1u, 3u, 1u, 3u};
static const model_index pair_q[6] = {0u, 2u, 0u, 2u, 1u, 3u};
static const model_index triple_start[4] = {0u, 0u, 0u, 1u};
static const model_index triple[1] = {1u};
/* alpha*M - h*K, full: the factor of A'A has the rows (0,0) and (1,0), (1,1) */
static const model_matrix model_newton_matrix = {
    2u,         2u,     2u,       0u,           0u,     NULL,  no_index,    both,
    from_m,     from_k, no_index, row_start,    column, both,  entry_start, entry_column,
    pair_start, pair_p, pair_q,   triple_start, triple, triple};
#endif
