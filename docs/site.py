# SPDX-License-Identifier: MIT
# Sources of the site: site.py SOURCE OUT copies the pages, and makes a page of each public header and each example.
# sphinx-build then makes HTML of OUT (./dev docs).
import pathlib
import re
import shutil
import sys

source, out = (pathlib.Path(folder).resolve() for folder in sys.argv[1:])


def write(name, text):
    path = out / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# ---- links: what the repository has as files is pages here ----

def place(target, page):
    """Where the site has a file of the repository, relative to a page of the site."""
    path, mark, fragment = target.partition("#")
    file = (page["from"].parent / path).resolve().relative_to(source)
    if file.parts[0] == "docs":
        found = pathlib.Path(*file.parts[1:])
    elif file.parts[0] == "include":
        found = pathlib.Path("api") / (file.stem + ".md")
    elif file.parts[0] == "examples" and file.suffix in (".c", ".cpp", ".py"):
        found = pathlib.Path("examples") / (file.stem + file.suffix.replace(".", "-") + ".md")
    elif (source / file).is_dir():
        found = pathlib.Path("examples/index.md")
    elif str(file) == "README.md":
        found = pathlib.Path("index.md")
    elif len(file.parts) == 1 and file.suffix == ".md":
        found = pathlib.Path(file.name.lower())
    else:
        found = pathlib.Path("files") / file
        (out / found).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / file, out / found)
    up = "../" * (len(pathlib.Path(page["to"]).parts) - 1)
    return up + str(found) + mark + fragment


def copy_page(file, to):
    page = {"from": file, "to": to}

    def change(link):
        target = link.group(1)
        return link.group(0) if re.match(r"(\w+:|#)", target) else f"]({place(target, page)})"
    text = file.read_text(encoding="utf-8")
    parts = re.split(r"(^`{3,}.*?^`{3,}$)", text, flags=re.M | re.S)  # fenced blocks stay as they are
    write(to, "".join(part if part.startswith("```") else re.sub(r"\]\(([^()\s]+)\)", change, part) for part in parts))


# ---- a page for each header: its comments and declarations, each under the names it declares ----

def chunks(text):
    """Paragraphs of declarations: cut at empty lines outside braces and comments."""
    part, depth = [], 0
    for line in text.split("\n"):
        if line.strip() == "" and depth == 0:
            if part:
                yield "\n".join(part)
            part = []
            continue
        part.append(line)
        depth += line.count("{") - line.count("}") + line.count("/*") - line.count("*/")
    if part:
        yield "\n".join(part)


def names(chunk):
    bare = re.sub(r"/\*.*?\*/", "", chunk, flags=re.S)
    found = re.findall(r"SADDLE_API\s[^;(]*?\b(saddle_\w+)\(", bare)
    found += re.findall(r"^\} (saddle_\w+);", bare, flags=re.M)
    found += re.findall(r"^typedef (?:struct|enum) saddle_\w+ (saddle_\w+);", bare, flags=re.M)
    found += re.findall(r"^typedef [^{;]*?\(?\*?\b(saddle_\w+)\)?\(", bare, flags=re.M)
    return list(dict.fromkeys(found))


def header_page(header, index):
    text = header.read_text(encoding="utf-8")
    comment = re.search(r"/\* SPDX.*?\*/\n/\*(.*?)\*/", text, flags=re.S)
    body = re.search(r"SADDLE_BEGIN_DECLARATIONS\n(.*)SADDLE_END_DECLARATIONS", text, flags=re.S)
    page = [f"# saddle/{header.name}", ""]
    if comment:
        lines = [line.removeprefix(" *").removeprefix(" ") for line in comment.group(1).strip().split("\n")]
        page += ["````text", "\n".join(lines), "````", ""]
    for chunk in chunks(body.group(1) if body else re.sub(r"^/\*.*?\*/\n", "", text, flags=re.S)):
        section = re.fullmatch(r"/\* -+ (.*?) -+ ?\*?/?.*", chunk.split("\n")[0])
        if section:
            page += [f"## {section.group(1)}", ""]
        found = names(chunk)
        if found:
            page += [f"### {', '.join(found)}", ""]
        for name in found:
            index.append((name, header.stem))
        page += ["````c", chunk, "````", ""]
    write(f"api/{header.stem}.md", "\n".join(page))


def api():
    index, headers = [], sorted((source / "include/saddle").glob("*.h"))
    for header in headers:
        header_page(header, index)
    write("api/names.md", "# Names\n\n" + "\n".join(f"- [`{name}`]({page}.md)" for name, page in sorted(set(index))) + "\n")
    tree = "\n".join(header.stem for header in headers)
    write("api/index.md", "# The interface, by header\n\nEach page is a header: the equations first, then each declaration "
          f"with shapes, units, ownership and errors.\n\n```{{toctree}}\n:maxdepth: 1\n\nnames\n{tree}\n```\n")


# ---- a page for each example: the program, and what it prints ----

def examples():
    pages = []
    for file in sorted(file for kind in ("*.c", "*.cpp", "*.py") for file in (source / "examples").rglob(kind)):
        language = {".c": "c", ".cpp": "cpp", ".py": "python"}[file.suffix]
        said = file.with_suffix(".txt")
        name = file.stem + file.suffix.replace(".", "-")
        output = ""
        if said.exists() and language != "python":
            output = f"\nIt prints\n\n````text\n{said.read_text(encoding='utf-8')}````\n"
        write(f"examples/{name}.md", f"# {file.name}\n\n````{language}\n{file.read_text(encoding='utf-8')}````\n{output}")
        pages.append(name)
    more = []
    for file in sorted([*(source / "examples/scenes").glob("*.json"), *(source / "examples/models").glob("*")]):
        (out / "files" / file.name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, out / "files" / file.name)
        more.append(f"- [{file.name}](../files/{file.name})")
    write("examples/index.md", "# Examples\n\nPrograms to copy; the tests run them.\n\n"
          "```{toctree}\n:maxdepth: 1\n\n" + "\n".join(pages)
          + "\n```\n\nScenes and models, for `saddle simulate`:\n\n" + "\n".join(more) + "\n")


# ---- the contents: known pages in their order, then those that are new ----

CHAPTERS = {
    "Tutorial": ("tutorial/*.md", []),
    "How to": ("howto/*.md", ["howto/embed", "howto/accuracy", "howto/benchmark", "gallery"]),
    "Reference": ("*.md", ["command", "library", "api/index", "examples/index", "formats", "solvers", "theory", "accuracy",
                           "benchmarks", "performance", "references", "contributing", "changelog"]),
}


def contents():
    text, placed = "", {"index"}
    for chapter, (pattern, known) in CHAPTERS.items():
        placed.update(known)
        pages = [str(page.relative_to(source / "docs").with_suffix("")) for page in sorted((source / "docs").glob(pattern))]
        new = [page for page in pages if page not in placed]
        placed.update(new)
        text += f"\n```{{toctree}}\n:hidden:\n:caption: {chapter}\n\n" + "\n".join(known + new) + "\n```\n"
    return text


shutil.rmtree(out, ignore_errors=True)
for one in sorted((source / "docs").rglob("*")):
    if one.suffix == ".md":
        copy_page(one, str(one.relative_to(source / "docs")))
    elif one.suffix in (".png", ".svg", ".json"):
        (out / one.relative_to(source / "docs")).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(one, out / one.relative_to(source / "docs"))
for one in ("CONTRIBUTING.md", "CHANGELOG.md"):
    copy_page(source / one, one.lower())
with (out / "index.md").open("a", encoding="utf-8") as file:
    file.write(contents())
api()
examples()
shutil.copy(source / "docs/conf.py", out / "conf.py")
