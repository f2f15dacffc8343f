// `npm test`: bundles tests/frontend/*.test.ts into a temporary folder and runs them with Node's own test runner.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const folder = join(root, "tests", "frontend");
const wanted = process.argv[2] ?? "";
const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts") && name.includes(wanted));
const out = mkdtempSync(join(tmpdir(), "quorum-frontend-"));

let status = 1;
try {
  await esbuild.build({
    entryPoints: tests.map((name) => join(folder, name)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    charset: "utf8",
    logLevel: "warning",
    // The compiler is 9 MB; it is loaded from node_modules by its absolute address instead of being bundled.
    plugins: [{
      name: "typescript-outside",
      setup(build) {
        build.onResolve({ filter: /^typescript$/ }, () => ({ path: import.meta.resolve("typescript"), external: true }));
      },
    }],
    define: { PROJECT_ROOT: JSON.stringify(root) },
  });
  const files = tests.map((name) => join(out, name.replace(/\.ts$/, ".mjs")));
  status = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit", cwd: root }).status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
process.exit(status);
