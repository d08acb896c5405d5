"""Applies a JSON Schema to JSON files: apply_schema.py SCHEMA FILE... Status 1 and the faults if it does not hold."""
import json
import sys

from jsonschema import Draft202012Validator


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


schema = read(sys.argv[1])
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
status = 0
for path in sys.argv[2:]:
    for fault in list(validator.iter_errors(read(path)))[:10]:
        print(path, "/".join(str(step) for step in fault.absolute_path), fault.message[:300])
        status = 1
sys.exit(status)
