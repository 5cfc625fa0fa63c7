/* The float32 filter on pairs that were made to mislead it.
 *
 * Found as the hard signs in test_orient.c were, with the roundings of float32 for those of double.
 * In the first rows the sign of a corner against a plane is wrong as computed, in the others the
 * comparison of two interval ends. The filter must not decide them, or decide them right. */
#include "kernels/kernels.h"
#include "unit.h"

static const struct {
    float a[9], b[9];
    bool meet;
} hard[] = {
    {{0x1.80312ep-9f, -0x1.49cdecp-9f, -0x1.0ff738p-10f, 0x1.086a9p-3f, -0x1.0753p-8f,
      0x1.037768p-3f, 0x1.8052b8p-9f, -0x1.49b99ap-9f, -0x1.1150bcp-10f},
     {0x1.804a3ap-9f, -0x1.49920ap-9f, -0x1.10348p-10f, 0x1.80482ep-9f, -0x1.024dacp0f,
      0x1.017e6ep0f, 0x1.033f64p0f, 0x1.01da9ap0f, -0x1.104748p-10f},
     true},
    {{0x1.46d896p-9f, -0x1.e806ccp-16f, -0x1.0913fcp-13f, -0x1.0163ap-4f, -0x1.7a955cp-15f,
      0x1.00e2e8p-7f, 0x1.46b73ep-9f, -0x1.e74e4cp-16f, -0x1.09e14p-13f},
     {0x1.46fe16p-9f, -0x1.e77422p-16f, -0x1.0a9bcap-13f, 0x1.46abecp-9f, 0x1.00aa2ap-6f,
      0x1.00932ap-3f, -0x1.0159dep0f, -0x1.008226p-6f, -0x1.0a7004p-13f},
     true},
    {{-0x1.206e9p-12f, -0x1.7299f4p-9f, -0x1.5e147cp-12f, -0x1.206038p-12f, 0x1.027598p0f,
      0x1.012b56p0f, 0x1.03a3a8p0f, -0x1.0124eap0f, -0x1.5e0034p-12f},
     {-0x1.1fc9dap-12f, -0x1.7277e4p-9f, -0x1.64cf82p-12f, 0x1.05cd7ap-5f, -0x1.3c6f28p-9f,
      0x1.0365a8p-5f, -0x1.21e2b4p-12f, -0x1.720104p-9f, -0x1.5eb98ep-12f},
     true},
    {{0x1.46fe16p-15f, -0x1.e77422p-8f, -0x1.0a9bcap-14f, 0x1.46abecp-15f, 0x1.00aa2ap2f,
      0x1.00932ap-4f, -0x1.0159dep-6f, -0x1.008226p2f, -0x1.0a7004p-14f},
     {0x1.474626p-15f, -0x1.e6788ep-8f, -0x1.0ad726p-14f, 0x1.46f96p-15f, -0x1.e6eb5cp-8f,
      -0x1.0b611cp-14f, -0x1.0163ap-10f, -0x1.7a955cp-7f, 0x1.00e2e8p-8f},
     false},
    {{-0x1.2634dep-12f, -0x1.729a4ep-9f, -0x1.5b649ap-12f, 0x1.05cd7ap-5f, -0x1.3c6f28p-9f,
      0x1.0365a8p-5f, -0x1.25b7bp-12f, -0x1.738826p-9f, -0x1.5ee02cp-12f},
     {-0x1.206e9p-12f, -0x1.7299f4p-9f, -0x1.5e147cp-12f, -0x1.206038p-12f, 0x1.027598p0f,
      0x1.012b56p0f, 0x1.03a3a8p0f, -0x1.0124eap0f, -0x1.5e0034p-12f},
     false},
    {{0x1.804a3ap-11f, -0x1.49920ap-9f, -0x1.10348p-14f, 0x1.80482ep-11f, -0x1.024dacp0f,
      0x1.017e6ep-4f, 0x1.033f64p-2f, 0x1.01da9ap0f, -0x1.104748p-14f},
     {0x1.80577cp-11f, -0x1.485356p-9f, -0x1.0e341ap-14f, 0x1.7ffb72p-11f, -0x1.494b0ap-9f,
      -0x1.10152ap-14f, 0x1.086a9p-5f, -0x1.0753p-8f, 0x1.037768p-7f},
     false},
    {{-0x1.d45a8ep-11f, -0x1.c45b5p-13f, 0x1.21f2c2p-10f, -0x1.d43874p-11f, -0x1.be01d2p-13f,
      0x1.204756p-10f, 0x1.fe311cp-3f, -0x1.b8p-13f, -0x1.fdc31cp-3f},
     {-0x1.d329fp-11f, -0x1.c124ep-13f, 0x1.21b994p-10f, -0x1.e25p-11f, 0x1.fff908p-1f,
      -0x1.ff8074p-1f, 0x1.000e74p0f, -0x1.0024e4p0f, 0x1.67p-12f},
     true},
    {{0x1.07da8p-11f, -0x1.4f19p-21f, -0x1.bbeecp-11f, -0x1.915cp-7f, 0x1.00250cp-5f,
      -0x1.feb8bcp2f, 0x1.00d722p2f, -0x1.00b15ep-5f, -0x1.2e2p-8f},
     {0x1.002768p0f, -0x1.1fp-21f, -0x1.0022ecp1f, 0x1.0785fap-11f, -0x1.8a8772p-21f,
      -0x1.c144b4p-11f, 0x1.07d588p-11f, -0x1.0b5c36p-21f, -0x1.ce8abap-11f},
     true},
    {{-0x1.87c8fp-11f, 0x1.f991p-8f, -0x1.40d8p-11f, -0x1.87b1d2p-11f, -0x1.010dcep0f,
      -0x1.018c88p0f, 0x1.190316p-2f, -0x1.4569c8p0f, 0x1.55468ap-2f},
     {-0x1.021bcp0f, 0x1.8bb15ap-7f, -0x1.010922p0f, -0x1.5c09dap-1f, -0x1.e7e3bap-2f,
      -0x1.2cd7eap0f, 0x1.00ad42p0f, -0x1.00990cp0f, -0x1.40d082p-11f},
     true},
    {{-0x1.3087eep-4f, 0x1.8f8288p1f, 0x1.dcab1ap2f, -0x1.54950ap-10f, -0x1.9928p-9f, 0x1.0186p-5f,
      -0x1.54728ep-10f, 0x1.00afcap2f, 0x1.02e1acp4f},
     {0x1.886bf2p-4f, 0x1.87b876p-1f, 0x1.e7c562p3f, 0x1.011b82p-2f, 0x1.0325fcp2f, 0x1.01bcp-5f,
      -0x1.0162a2p-2f, 0x1.3f92c4p-5f, 0x1.05aa1ep4f},
     true},
    {{0x1.83882ap-11f, 0x1.3acbp-8f, -0x1.dbf5p-8f, 0x1.83a12ap-11f, -0x1.03f192p0f, 0x1.02d92ep0f,
      0x1.651736p-2f, -0x1.4ed24ep-1f, 0x1.84b774p-2f},
     {-0x1.aa7b3ap-2f, -0x1.38924ep-1f, 0x1.8d6d12p-1f, 0x1.01e954p0f, -0x1.00b6fp0f,
      -0x1.dc38a4p-8f, -0x1.0562e6p0f, -0x1.198abcp-12f, 0x1.04c5a4p0f},
     true},
    {{0x1.898b12p-5f, -0x1.b2a79ep-8f, -0x1.bc2fdap2f, -0x1.87c8fp-15f, 0x1.f991p-13f,
      -0x1.40d8p-8f, -0x1.87b1d2p-15f, -0x1.010dcep-5f, -0x1.018c88p3f},
     {0x1.00ad42p-4f, -0x1.00990cp-5f, -0x1.40d082p-8f, -0x1.021bcp-4f, 0x1.8bb15ap-12f,
      -0x1.010922p3f, -0x1.4fd8ep-4f, -0x1.a194e2p-5f, -0x1.62c9c4p3f},
     false},
    {{0x1.4e005cp-1f, -0x1.67b574p-4f, 0x1.60c0aep-2f, -0x1.54950ap-8f, -0x1.9928p-11f,
      0x1.0186p-9f, -0x1.54728ep-8f, 0x1.00afcap0f, 0x1.02e1acp0f},
     {-0x1.0162a2p0f, 0x1.3f92c4p-7f, 0x1.05aa1ep0f, -0x1.ad761ap-3f, 0x1.8f4588p-1f,
      0x1.e5e42ap-1f, 0x1.011b82p0f, 0x1.0325fcp0f, 0x1.01bcp-9f},
     false},
    {{0x1.83a12ap-8f, -0x1.03f192p4f, 0x1.02d92ep-3f, -0x1.8a14ecp0f, -0x1.b2db7cp3f,
      0x1.c442d8p-6f, 0x1.83882ap-8f, 0x1.3acbp-4f, -0x1.dbf5p-11f},
     {0x1.116ee8p0f, -0x1.1d608p3f, 0x1.3f3e2cp-4f, 0x1.01e954p3f, -0x1.00b6fp4f, -0x1.dc38a4p-11f,
      -0x1.0562e6p3f, -0x1.198abcp-8f, 0x1.04c5a4p-3f},
     false},
    {{0x1.f66022p0f, -0x1.6aad62p-2f, -0x1.3a7fep1f, 0x1.bfd7bp-11f, 0x1.4cc438p-11f,
      -0x1.864df4p-10f, -0x1.e26p-10f, 0x1.ffac24p-1f, -0x1.febaf4p-1f},
     {0x1.20eedep-2f, 0x1.1a99f8p0f, -0x1.20a04p-2f, -0x1.00f496p0f, 0x1.0142f4p0f, -0x1.3978p-10f,
      0x1.0058bap0f, 0x1.d2cp-13f, -0x1.00675p0f},
     true},
    {{0x1.85a76p-14f, -0x1.116558p-16f, 0x1.5ff7p-10f, 0x1.eb8p-14f, 0x1.ff389cp-6f, -0x1.ff5754p1f,
      0x1.99b6dap-4f, 0x1.751482p-6f, -0x1.72f57cp1f},
     {-0x1.015336p-1f, 0x1.0092e8p-5f, 0x1.809cp-7f, 0x1.000cdep-1f, -0x1.01ap-16f, -0x1.ffd954p1f,
      -0x1.6488aep-4f, 0x1.d48a34p-7f, -0x1.5b05a4p1f},
     true},
};

static void test_hard_pairs(void **state)
{
    (void)state;
    static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                     PLIANT_CPU_AVX512};
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        PliKernels kernels;
        pli_kernels_fill(&kernels, masks[m]);
        for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
            uint8_t verdict;
            kernels.filter_pairs(hard[i].a, hard[i].b, (const uint32_t[2]){0, 0}, 1, &verdict);
            if (verdict != PLI_UNDECIDED && verdict != hard[i].meet)
                fail_msg("pair %zu with %s is wrong", i, pliant_cpu_name(masks[m]));
            PliCounts counts = {0};
            assert_int_equal(pli_triangles_meet(hard[i].a, hard[i].b, &counts), hard[i].meet);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hard_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
