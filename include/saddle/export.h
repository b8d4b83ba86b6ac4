/* SPDX-License-Identifier: MIT */
/* Symbols of the shared library: public functions carry SADDLE_API, all others are hidden. */
#ifndef SADDLE_EXPORT_H
#define SADDLE_EXPORT_H

#if defined(SADDLE_STATIC)
#define SADDLE_API
#elif defined(_WIN32)
#ifdef SADDLE_BUILDING
#define SADDLE_API __declspec(dllexport)
#else
#define SADDLE_API __declspec(dllimport)
#endif
#else
#define SADDLE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
#define SADDLE_BEGIN_DECLARATIONS extern "C" {
#define SADDLE_END_DECLARATIONS }
#else
#define SADDLE_BEGIN_DECLARATIONS
#define SADDLE_END_DECLARATIONS
#endif

#endif
