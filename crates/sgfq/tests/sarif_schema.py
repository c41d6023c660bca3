"""Holds what `sgfq check --diag sarif` writes to the schema of SARIF 2.1.0. Arguments: sgfq, the schema, and inputs."""

import json
import subprocess
import sys

import jsonschema

sgfq, schema, inputs = sys.argv[1], sys.argv[2], sys.argv[3:]
with open(schema, encoding="utf-8") as file:
    schema = json.load(file)
validator = jsonschema.validators.validator_for(schema)(schema)
validated = 0
for options in [], ["--level", "note", "--legality"], ["--charset", "detect"], ["--max-findings", "3"]:
    for arguments in [*([each] for each in inputs), inputs, ["no-such-file.sgf"]]:
        done = subprocess.run([sgfq, "check", "--diag", "sarif", "-q", *options, *arguments], capture_output=True)
        assert done.returncode in (0, 1, 2), done.stderr
        log = json.loads(done.stdout)
        results = log["runs"][0]["results"]
        # Of a hundred thousand results some are validated: one takes a millisecond.
        log["runs"][0]["results"] = results[:: 1 + len(results) // 1000]
        for error in validator.iter_errors(log):
            raise AssertionError(f"{options} {arguments}: {error.json_path}: {error.message}")
        validated += len(log["runs"][0]["results"])
print(f"{validated} results of SARIF as the schema has them")
