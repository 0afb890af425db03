"""The scenarios of the terminal pack, and groups of them that a skill may start from."""

from __future__ import annotations

from trajmill.schemas.graph import Scenario

SCENARIOS: tuple[Scenario, ...] = (
    # Tables. Facts: Table; comma-separated UTF-8 with a header unless the title says otherwise.
    Scenario("csv-table", "a CSV table with a header", "tables"),
    Scenario("csv-subset", "a CSV table that holds selected rows of another", "tables"),
    Scenario("csv-projection", "a CSV table that holds chosen columns of another", "tables"),
    Scenario("csv-ordered", "a CSV table in a stated order", "tables"),
    Scenario("csv-derived", "a CSV table with a computed column", "tables"),
    Scenario("csv-joined", "a CSV table joined from two", "tables"),
    Scenario("csv-relabelled", "a CSV table with renamed columns", "tables"),
    Scenario("csv-pair", "a CSV table of coded values beside a lookup table of the codes", "tables"),
    Scenario("csv-ragged", "a CSV table in which some lines have too few or too many fields", "tables"),
    Scenario("csv-foreign", "a CSV table in Latin-1 or UTF-16, or with Windows line ends", "tables"),
    Scenario("csv-duplicated", "a CSV table with repeated rows", "tables"),
    Scenario("csv-gaps", "a CSV table with missing values", "tables"),
    Scenario("csv-clean", "a CSV table without repeated rows or missing values", "tables"),
    Scenario("csv-semicolon", "a table separated by semicolons with decimal commas", "tables"),
    Scenario("tsv-table", "a tab-separated table with a header", "tables"),
    Scenario("tsv-export", "a tab-separated copy of a table", "tables"),
    Scenario("group-summary", "a small table of groups and their figures", "tables"),
    Scenario("csv-parts", "a folder with one CSV file per group", "tables"),
    # Dates. Facts: Table.
    Scenario("date-table", "a CSV table with dates that are not ISO", "dates"),
    Scenario("iso-date-table", "a CSV table whose dates are ISO", "dates"),
    Scenario("calendar-summary", "a small table of figures by month or weekday", "dates"),
    # JSON. Facts: Records, except json-nested, json-index, json-summary: Document.
    Scenario("json-records", "a JSON array of flat objects", "json"),
    Scenario("json-subset", "a JSON array of selected objects", "json"),
    Scenario("json-projection", "a JSON array of objects with chosen fields", "json"),
    Scenario("json-ordered", "a JSON array in a stated order", "json"),
    Scenario("json-nested", "a nested JSON document", "json"),
    Scenario("json-lines", "JSON Lines, one flat object per line", "json"),
    Scenario("json-index", "a JSON object keyed by a field", "json"),
    Scenario("json-summary", "a small JSON object of figures", "json"),
    Scenario("json-lines-torn", "JSON Lines with broken lines", "json"),
    # Text. Facts: Lines.
    Scenario("value-list", "a text file with one value per line", "text"),
    Scenario("sorted-list", "a sorted text file with one distinct value per line", "text"),
    Scenario("number-list", "a text file with one number per line", "text"),
    Scenario("plain-text", "a text in plain lines", "text"),
    Scenario("word-tally", "a text file of counts and values", "text"),
    Scenario("text-report", "a short report in plain text or Markdown", "text"),
    Scenario("numbered-text", "a text file with numbered lines", "text"),
    Scenario("text-excerpt", "selected lines of a text", "text"),
    Scenario("text-edited", "a text with some wording changed", "text"),
    # Logs. Facts: Log; log-tally: Lines.
    Scenario("log-file", "a log with time, level and source on each record", "logs"),
    Scenario("log-excerpt", "a part of a log", "logs"),
    Scenario("log-tally", "counts of log records by level, source or hour", "logs"),
    # Files. Facts: Folder, except file-listing and search-hits: Lines.
    Scenario("folder-tree", "a folder with files in subfolders", "files"),
    Scenario("tidy-folder", "a folder whose files are sorted into subfolders", "files"),
    Scenario("renamed-folder", "a folder whose files follow a naming rule", "files"),
    Scenario("linked-folder", "a folder reached or indexed by symbolic links", "files"),
    Scenario("guarded-folder", "a folder with stated permissions", "files"),
    Scenario("file-listing", "a text file that lists paths", "search"),
    Scenario("search-hits", "a text file of lines found in several files", "search"),
    # Archives. Facts: Archive, except checksum-list: Lines, unpacked-folder: Folder.
    Scenario("tar-archive", "a compressed tar archive", "archives"),
    Scenario("zip-archive", "a zip archive", "archives"),
    Scenario("gz-file", "a gzip-compressed file", "archives"),
    Scenario("gz-copy", "a gzip-compressed copy beside its original", "archives"),
    Scenario("checksum-list", "a file of checksums", "archives"),
    Scenario("unpacked-folder", "a folder unpacked from an archive", "archives"),
    # Git. Facts: Repository.
    Scenario("git-repository", "a Git repository with history", "git"),
    Scenario("git-branch", "a Git repository with work on a branch of its own", "git"),
    Scenario("git-release", "a Git repository with a tagged release", "git"),
    Scenario("git-report", "a text file of facts about a repository's history", "git"),
    # SQLite. Facts: Database, except sql-result: Table.
    Scenario("sqlite-database", "a SQLite database with a table of rows", "sqlite"),
    Scenario("sqlite-extended", "a SQLite database with a view, an index or a summary table", "sqlite"),
    Scenario("sql-result", "a CSV file with the result of a query", "sqlite"),
    # Configuration. Facts: Settings, except json-config: Document.
    Scenario("ini-config", "an INI file with sections", "config"),
    Scenario("env-config", "a file of KEY=value settings", "config"),
    Scenario("json-config", "a JSON configuration file", "config"),
    Scenario("config-changed", "a configuration file with values changed", "config"),
    # Scripts. Facts: Script.
    Scenario("shell-script", "an executable script that computes a figure from a file", "scripts"),
    # Encodings. Facts: Text.
    Scenario("latin1-text", "a text file in Latin-1", "encodings"),
    Scenario("utf16-text", "a text file in UTF-16", "encodings"),
    Scenario("bom-text", "a text file in UTF-8 that begins with a byte order mark", "encodings"),
    Scenario("crlf-text", "a text file with Windows line ends", "encodings"),
    Scenario("windows-table", "a CSV table written for Windows", "encodings"),
    Scenario(
        "legacy-text", "a text written for a system that expects Windows line ends, UTF-16 or Latin-1", "encodings"
    ),
    Scenario("utf8-text", "a text file in UTF-8 with Unix line ends", "encodings"),
)

COMMA_TABLES = (
    "csv-table",
    "csv-subset",
    "csv-projection",
    "csv-ordered",
    "csv-derived",
    "csv-joined",
    "csv-relabelled",
    "csv-clean",
    "iso-date-table",
    "sql-result",
)
"""Comma-separated tables with a header and no known defect: facts are a Table whose dialect has a comma."""

JSON_ARRAYS = ("json-records", "json-subset", "json-projection", "json-ordered")
"""JSON arrays of flat objects: facts are Records."""

LINE_FILES = (
    "value-list",
    "sorted-list",
    "number-list",
    "plain-text",
    "word-tally",
    "text-report",
    "numbered-text",
    "text-excerpt",
    "text-edited",
)
"""Plain text files: facts are Lines."""

CERTAIN_FILES = (
    *COMMA_TABLES,
    "tsv-table",
    "group-summary",
    "calendar-summary",
    *JSON_ARRAYS,
    "json-lines",
    "json-index",
    "json-summary",
    *LINE_FILES,
    "log-excerpt",
    "log-tally",
    "file-listing",
    "search-hits",
    "git-report",
    "config-changed",
    "utf8-text",
    "tsv-export",
    "windows-table",
    "legacy-text",
)
"""Single files; a skill that only needs bytes (compress, copy, check) must still ask ``state.tree.file(path)``: a
table or a JSON file is certain to the byte only where its task compares bytes."""

FOLDERS = ("folder-tree", "tidy-folder", "renamed-folder", "unpacked-folder", "csv-parts")
"""Folders of files: facts are a Folder."""
