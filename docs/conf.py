"""How Sphinx builds the site from this folder: ``sphinx-build -W --keep-going -b html docs OUT``.

The pages are Markdown that reads as well in the repository; the API's comes from docstrings.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

project = "scrapy_webtext"
author = "The authors of scrapy_webtext"
copyright = author
release = re.search(
    r'__version__ = "(.*)"', (ROOT / "scrapy_webtext" / "__init__.py").read_text("utf-8")
)[1]

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"scrapy_webtext {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False

myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
# Links without a scheme lead to pages and files beside the page, never to addresses.
myst_url_schemes = ["http", "https", "mailto"]

# Docstrings write `name` for code, as the code itself reads.
default_role = "code"
# Optional packages that modules import: their names are enough to read the docstrings.
autodoc_mock_imports = ["pyarrow"]
autodoc_typehints = "signature"
autodoc_class_signature = "separated"
# Classes are frozen dataclasses: their fields say what they take.
autodoc_default_options = {"exclude-members": "__init__, __new__"}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
add_module_names = False
