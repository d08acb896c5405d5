"""Applies a JSON Schema to a JSON file: apply_schema.py SCHEMA FILE. Status 1 and the faults if it does not hold."""
import json
import sys

from jsonschema import Draft202012Validator

schema, instance = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
Draft202012Validator.check_schema(schema)
faults = list(Draft202012Validator(schema).iter_errors(instance))
for fault in faults[:10]:
    print("/".join(str(step) for step in fault.absolute_path), fault.message[:300])
sys.exit(1 if faults else 0)
