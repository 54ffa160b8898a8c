"""Run as a script: a workbook on standard input, the cells of its first filled sheet as JSON on standard output."""

import datetime
import io
import json
import sys

MEMORY = 4 * 2 ** 30


def main(max_cells):
    limit_memory()
    print(json.dumps(read(sys.stdin.buffer.read(), max_cells)))


def limit_memory():
    """Where the system can: an allocation beyond it fails at once, instead of the machine slowing to a halt."""
    try:
        import resource
    except ImportError:     # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def read(data, max_cells):
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = [sheet for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
        visible = [sheet.name for sheet in sheets if sheet.visible == SheetVisibleEnum.Visible]
        names = visible or [sheet.name for sheet in sheets]
        for name in names:
            sheet = book.get_sheet_by_name(name)
            if sheet.start is None:
                continue
            if sheet.height * sheet.width > max_cells:
                return {"problem": "large"}
            return {"sheets": names, "sheet": name, "line": sheet.start[0] + 1,
                    "rows": [[text(cell) for cell in row] for row in sheet.to_python()]}
    except PasswordError:
        return {"problem": "password"}
    except CalamineError:
        return {"problem": "damaged"}
    return {"problem": "empty"}


def text(cell):
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    return str(cell)


if __name__ == "__main__":
    main(int(sys.argv[1]))
