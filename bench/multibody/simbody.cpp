// SPDX-License-Identifier: MIT
// See simbody.h.
#include "simbody.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <vector>

#include <Simbody.h>

using namespace SimTK;

namespace
{

Vec3 to_vec(const double *x)
{
    return Vec3(x[0], x[1], x[2]);
}

Transform to_transform(const saddle_pose &T)
{
    Mat33 R;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) R[i][j] = T.R[i + 3 * j];
    }
    return Transform(Rotation(R, true), to_vec(T.p));
}

MassProperties to_mass(const saddle_body_inertia &I)
{
    const double *J = I.moment;
    const Inertia central(J[0], J[4], J[8], J[1], J[2], J[5]);
    const Vec3 center = to_vec(I.center);
    return MassProperties(I.mass, center, central.shiftFromMassCenter(center, I.mass));
}

// A system as Simbody wants it: everything is said before the topology is realized.
struct Mechanism {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    std::vector<MobilizedBodyIndex> index;
    std::vector<ConstraintIndex> ball;

    MobilizedBody &at(int body)
    {
        return body < 0 ? static_cast<MobilizedBody &>(matter.updGround())
                        : matter.updMobilizedBody(index[body]);
    }

    void add(const simbody_body &b)
    {
        const Body::Rigid rigid(to_mass(b.inertia));
        const Transform F = to_transform(b.in_parent), M = to_transform(b.in_body);
        MobilizedBody &parent = at(b.parent);
        switch (b.joint) {
        case SIMBODY_PIN:
            index.push_back(MobilizedBody::Pin(parent, F, rigid, M).getMobilizedBodyIndex());
            break;
        case SIMBODY_SLIDER:
            index.push_back(MobilizedBody::Slider(parent, F, rigid, M).getMobilizedBodyIndex());
            break;
        case SIMBODY_BALL:
            index.push_back(MobilizedBody::Ball(parent, F, rigid, M).getMobilizedBodyIndex());
            break;
        case SIMBODY_FREE:
            index.push_back(MobilizedBody::Free(parent, F, rigid, M).getMobilizedBodyIndex());
            break;
        }
    }

    Mechanism(int bodies, const simbody_body *body, int loops, const simbody_loop *loop,
              const double *gravity)
    {
        Force::UniformGravity(forces, matter, to_vec(gravity));
        for (int k = 0; k < bodies; k++) add(body[k]);
        for (int k = 0; k < loops; k++) {
            Constraint::Ball closure(at(loop[k].a), to_vec(loop[k].point_a), at(loop[k].b),
                                     to_vec(loop[k].point_b));
            ball.push_back(closure.getConstraintIndex());
        }
    }
};

void draw(const Mechanism &mechanism, uint64_t seed, State &state)
{
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int k = 0; k < state.getNQ(); k++) state.updQ()[k] += uniform(random);
    mechanism.system.realize(state, Stage::Position);
    mechanism.matter.normalizeQuaternions(state);
    for (int k = 0; k < state.getNU(); k++) state.updU()[k] = uniform(random);
}

void copy(const Vec3 &from, double *to)
{
    for (int i = 0; i < 3; i++) to[i] = from[i];
}

void write_motion(const State &state, const MobilizedBody &body,
                  const SpatialVec &reaction_at_joint, simbody_motion &motion)
{
    const Transform &X = body.getBodyTransform(state);
    const SpatialVec &V = body.getBodyVelocity(state), &A = body.getBodyAcceleration(state);
    const Rotation back = ~X.R();
    copy(X.p(), motion.pose.p);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) motion.pose.R[i + 3 * j] = X.R()[i][j];
    }
    copy(back * V[1], motion.twist);
    copy(back * V[0], motion.twist + 3);
    copy(back * (A[1] - V[0] % V[1]), motion.acceleration); // nu' = R'(a - omega x v)
    copy(back * A[0], motion.acceleration + 3);
    const Vec3 arm = X.R() * body.getOutboardFrame(state).p();
    copy(back * reaction_at_joint[1], motion.reaction);
    copy(back * (reaction_at_joint[0] + arm % reaction_at_joint[1]), motion.reaction + 3);
}

void write_loop_force(const State &state, const Mechanism &mechanism, int k, double *force)
{
    const Constraint &constraint = mechanism.matter.getConstraint(mechanism.ball[k]);
    Vector_<SpatialVec> bodies;
    Vector mobilities;
    constraint.getConstraintForcesAsVectors(state, bodies, mobilities);
    copy(-bodies[1][1], force); // the second constrained body is b; Simbody gives what M du +
                                // G'lambda = f subtracts
}

} // namespace

extern "C" int simbody_accelerations(int bodies, const simbody_body *body, int loops,
                                     simbody_loop *loop, const double *gravity, uint64_t seed,
                                     simbody_motion *motion, double *force)
try {
    Mechanism open(bodies, body, 0, nullptr, gravity); // where the loops' points are
    State start = open.system.realizeTopology();
    draw(open, seed, start);
    open.system.realize(start, Stage::Position);
    for (int k = 0; k < loops; k++) {
        const Vec3 world = open.at(loop[k].a).findStationLocationInGround(start,
                                                                          to_vec(loop[k].point_a));
        copy(open.at(loop[k].b).findStationAtGroundPoint(start, world), loop[k].point_b);
    }
    Mechanism closed(bodies, body, loops, loop, gravity);
    State state = closed.system.realizeTopology();
    draw(closed, seed, state);
    closed.system.realize(state, Stage::Velocity);
    if (loops > 0) closed.system.projectU(state, 1e-12);
    closed.system.realize(state, Stage::Acceleration);
    Vector_<SpatialVec> reactions;
    closed.matter.calcMobilizerReactionForces(state, reactions);
    for (int k = 0; k < bodies; k++) {
        write_motion(state, closed.at(k), reactions[closed.index[k]], motion[k]);
    }
    for (int k = 0; k < loops; k++) write_loop_force(state, closed, k, force + 3 * k);
    return 0;
} catch (const std::exception &) {
    return -1;
}

extern "C" double simbody_ladder_seconds(int cells, int repeats)
try {
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    Force::UniformGravity(forces, matter, Vec3(0, -9.81, 0));
    const Body::Rigid link(MassProperties(1, Vec3(0, -0.5, 0), Inertia(1.0 / 3, 1e-2, 1.0 / 3)));
    MobilizedBody rail[2] = {matter.updGround(), matter.updGround()};
    for (int k = 0; k < cells; k++) {
        for (int side = 0; side < 2; side++) {
            const Vec3 at = k == 0 ? Vec3(side, 0, 0) : Vec3(0, -1, 0);
            rail[side] = MobilizedBody::Pin(rail[side], Transform(at), link, Transform());
        }
        Constraint::Rod(rail[0], Vec3(0, -1, 0), rail[1], Vec3(0, -1, 0), 1);
    }
    State state = system.realizeTopology();
    for (int k = 0; k < state.getNU(); k++)
        state.updU()[k] = 0.1 * ((k / 2) % 3 - 1); // both rails alike: the rods allow it
    std::vector<double> seconds;
    for (int k = 0; k < repeats; k++) {
        state.updU();
        state.invalidateAllCacheAtOrAbove(Stage::Dynamics);
        system.realize(state, Stage::Velocity);
        const auto begin = std::chrono::steady_clock::now();
        system.realize(state, Stage::Acceleration);
        seconds.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::nth_element(seconds.begin(), seconds.begin() + repeats / 2, seconds.end());
    return seconds[repeats / 2];
} catch (const std::exception &) {
    return -1;
}

extern "C" double simbody_chain_seconds(int links, const double *q, const double *dq, int repeats,
                                        int runs, double *ddq)
try {
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    Force::UniformGravity(forces, matter, Vec3(0, -9.81, 0));
    const Body::Rigid link(
        MassProperties(1, Vec3(0, -0.5, 0),
                       Inertia(1.0 / 12, 1e-2, 1.0 / 12).shiftFromMassCenter(Vec3(0, -0.5, 0), 1)));
    MobilizedBody last = matter.updGround();
    for (int k = 0; k < links; k++)
        last = MobilizedBody::Pin(last, Transform(Vec3(0, k > 0 ? -1 : 0, 0)), link, Transform());
    State state = system.realizeTopology();
    for (int k = 0; k < links; k++) {
        state.updQ()[k] = q[k];
        state.updU()[k] = dq[k];
    }
    system.realize(state, Stage::Acceleration);
    std::vector<double> seconds;
    for (int r = 0; r < repeats; r++) {
        const auto begin = std::chrono::steady_clock::now();
        for (int k = 0; k < runs; k++) {
            state.updQ(); // invalidates the stages from positions on
            system.realize(state, Stage::Acceleration);
        }
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        seconds.push_back(passed.count() / runs);
    }
    for (int k = 0; ddq && k < links; k++) ddq[k] = state.getUDot()[k];
    std::nth_element(seconds.begin(), seconds.begin() + repeats / 2, seconds.end());
    return seconds[repeats / 2];
} catch (const std::exception &) {
    return -1;
}
