"""Structured logs: one JSON object per line, with the ids of request and table (`spina serve --log json`)."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

from spina.table import log_context


class ContextFilter(logging.Filter):
    """Adds `request` and `table` to every record, from the task that logs it."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request, record.table = log_context.request(), log_context.table()
        return True


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON. `fields` of a record, if it has any, are added to the object."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "time": time.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": log_context.without_table_id(record.getMessage()),
        }
        for name in ("request", "table"):
            if value := getattr(record, name, ""):
                line[name] = value
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[0] is not None:
            line["exception"] = log_context.without_table_id(self.formatException(record.exc_info))
        return json.dumps(line, default=str)


def configure() -> None:
    """Write the logs of this process to standard error as JSON: warnings of all packages, and what Spina informs of."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(ContextFilter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("spina").setLevel(logging.INFO)
    logging.captureWarnings(True)
