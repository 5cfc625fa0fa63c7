// What all that is asked of Embree shares: a device, and trees of user primitives that are
// refitted.
#ifndef BENCH_EMBREE_TREES_H
#define BENCH_EMBREE_TREES_H

#include <embree3/rtcore.h>

#include <cstdio>
#include <cstdlib>
#include <string>

inline void embree_stop(void *, RTCError code, const char *text)
{
    std::fprintf(stderr, "Embree error %d: %s\n", static_cast<int>(code), text);
    std::exit(1);
}

// Stops the program at any error.
inline RTCDevice embree_device(int threads = 1)
{
    const std::string settings = "threads=" + std::to_string(threads) + ",set_affinity=0";
    RTCDevice device = rtcNewDevice(settings.c_str());
    if (!device)
        embree_stop(nullptr, rtcGetDeviceError(nullptr), "no device");
    rtcSetDeviceErrorFunction(device, embree_stop, nullptr);
    return device;
}

// One user primitive a triangle.
struct EmbreeTree {
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;

    // Only a scene that is both dynamic and of low quality keeps a tree for each geometry that can
    // be refitted: without either, every commit rebuilds, at 20 times the cost. The quality of the
    // geometry decides how its tree is built: at low along a curve, at medium with the surface area
    // heuristic, and so at refit the first time.
    void build(RTCDevice device, RTCBuildQuality quality, int32_t triangle_count, void *user,
               RTCBoundsFunction bounds)
    {
        scene = rtcNewScene(device);
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
        geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryBuildQuality(geometry, quality);
        rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned int>(triangle_count));
        rtcSetGeometryUserData(geometry, user);
        rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene, geometry);
        rtcCommitScene(scene);
    }

    void commit()
    {
        rtcCommitGeometry(geometry);
        rtcCommitScene(scene);
    }

    void release()
    {
        rtcReleaseGeometry(geometry);
        rtcReleaseScene(scene);
    }
};

#endif
