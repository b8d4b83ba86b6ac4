/* SPDX-License-Identifier: MIT */
/* Names and texts of the status list. */
#include "saddle/status.h"

const char *saddle_status_name(saddle_status status)
{
    switch (status) {
#define NAME_CASE(name, value, text) \
    case name: return #name;
        SADDLE_STATUS_LIST(NAME_CASE)
#undef NAME_CASE
    }
    return "SADDLE_?";
}

const char *saddle_status_text(saddle_status status)
{
    switch (status) {
#define TEXT_CASE(name, value, text) \
    case name: return text;
        SADDLE_STATUS_LIST(TEXT_CASE)
#undef TEXT_CASE
    }
    return "unknown status";
}
