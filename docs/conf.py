# SPDX-License-Identifier: MIT
# Sphinx, with Markdown by MyST: docs/site.py makes the sources.
project = "saddle"
author = "the saddle authors"
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1300px", "code_font_size": "13px", "body_max_width": "none", "fixed_sidebar": True,
                      "show_powered_by": False}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_show_copyright = False
html_copy_source = False
highlight_language = "none"
pygments_style = "friendly"
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
