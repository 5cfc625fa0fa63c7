// FCL's distance of two trees, which are refit in every frame.
//
// As in free_fcl.cpp the traversal that fcl::distance() would start is started here directly, since
// it copies models with axis-aligned boxes. It begins with the distance of the two triangles that
// were closest in the last frame: FCL itself would begin with the first two of the models.
//
// Axis-aligned boxes are its fastest: those of 2 x 20,480 triangles are refit in 1.7 ms, swept
// spheres (RSS) in 57 ms, and OBBRSS in 73 ms.
#include "distance_runs.h"

#include <fcl/math/bv/utility.h> // before the models, which call its fit()

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/detail/traversal/distance/mesh_distance_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/traversal_recurse.h>

namespace
{
template <class Bounds> class Node : public fcl::detail::MeshDistanceTraversalNode<Bounds>
{
  public:
    using Real = typename Bounds::S;
    using Model = fcl::BVHModel<Bounds>;

    Node(Model *a, Model *b, fcl::DistanceResult<Real> *found)
    {
        this->model1 = a;
        this->model2 = b;
        this->vertices1 = a->vertices;
        this->vertices2 = b->vertices;
        this->tri_indices1 = a->tri_indices;
        this->tri_indices2 = b->tri_indices;
        this->request = fcl::DistanceRequest<Real>(false, false, 0, 0);
        this->rel_err = this->abs_err = 0;
        this->result = found;
    }

    void begin(int a, int b)
    {
        const fcl::Triangle &i = this->tri_indices1[a], &k = this->tri_indices2[b];
        fcl::Vector3<Real> p, q;
        const Real distance = fcl::detail::TriangleDistance<Real>::triDistance(
            this->vertices1[i[0]], this->vertices1[i[1]], this->vertices1[i[2]],
            this->vertices2[k[0]], this->vertices2[k[1]], this->vertices2[k[2]], p, q);
        this->result->update(distance, this->model1, this->model2, a, b);
    }
};

template <class Bounds> class FclDistance : public DistancePeer
{
  public:
    using Real = typename Bounds::S;
    using Model = fcl::BVHModel<Bounds>;

    FclDistance(const char *name_, const FreeScene &scene_, const float *const *rest_vertices)
        : title(name_), scene(scene_), models(scene_.size())
    {
        for (size_t i = 0; i < models.size(); i++) {
            std::vector<fcl::Vector3<Real>> points;
            std::vector<fcl::Triangle> triangles;
            for (int32_t k = 0; k < scene[i].vertex_count; k++)
                points.push_back(point_of(rest_vertices[i], k));
            for (int32_t k = 0; k < scene[i].triangle_count; k++) {
                const uint32_t *index = free_indices(scene[i], static_cast<uint32_t>(k));
                triangles.emplace_back(index[0], index[1], index[2]);
            }
            models[i].beginModel(scene[i].triangle_count, scene[i].vertex_count);
            models[i].addSubModel(points, triangles);
            models[i].endModel();
        }
    }

    const char *name() const override
    {
        return title;
    }

    void update(const float *const *vertices) override
    {
        for (size_t i = 0; i < models.size(); i++) {
            models[i].beginReplaceModel();
            for (int32_t k = 0; k < scene[i].vertex_count; k++)
                models[i].replaceVertex(point_of(vertices[i], k));
            models[i].endReplaceModel(true, true);
        }
    }

    double least() override
    {
        fcl::DistanceResult<Real> found;
        Node<Bounds> node(&models[0], &models[1], &found);
        fcl::detail::DistanceTraversalNodeBase<Real> *base = &node;
        node.begin(last[0], last[1]);
        fcl::detail::distanceRecurse(base, 0, 0, nullptr);
        last[0] = static_cast<int>(found.b1);
        last[1] = static_cast<int>(found.b2);
        return static_cast<double>(found.min_distance);
    }

  private:
    static fcl::Vector3<Real> point_of(const float *vertices, int32_t i)
    {
        const float *p = free_vertex(vertices, static_cast<uint32_t>(i));
        return fcl::Vector3<Real>(static_cast<Real>(p[0]), static_cast<Real>(p[1]),
                                  static_cast<Real>(p[2]));
    }

    const char *title;
    FreeScene scene;
    std::vector<Model> models;
    int last[2] = {0, 0};
};
} // namespace

std::unique_ptr<DistancePeer> make_distance_fcl(const FreeScene &scene,
                                                const float *const *rest_vertices)
{
    return std::make_unique<FclDistance<fcl::AABB<float>>>("FCL", scene, rest_vertices);
}
