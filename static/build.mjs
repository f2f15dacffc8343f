// `npm run build`: one bundle per page, one script per language, fixed names in static/dist (hashed at collectstatic).
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { catalogueScript, parsePo } from "./tools/po.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "static", "dist");
const watch = process.argv.includes("--watch");

/** @param {string} folder */
function entriesIn(folder) {
  const path = join(root, "static", "src", folder);
  return existsSync(path) ? readdirSync(path).filter((name) => /\.tsx?$/.test(name)).map((name) => join(path, name)) : [];
}

/** Django's folder zh_Hans is the page's language zh-hans. */
function writeCatalogues() {
  const locale = join(root, "locale");
  for (const folder of existsSync(locale) ? readdirSync(locale) : []) {
    const path = join(locale, folder, "LC_MESSAGES", "djangojs.po");
    if (!existsSync(path)) continue;
    const language = folder.replaceAll("_", "-").toLowerCase();
    writeFileSync(join(dist, `catalog.${language}.js`), catalogueScript(language, parsePo(readFileSync(path, "utf8"))));
  }
}

/** @type {esbuild.BuildOptions} */
const options = {
  entryPoints: [...entriesIn("pages"), ...entriesIn("workers")],
  outdir: dist,
  entryNames: "[name]",
  bundle: true,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  minify: !watch,
  // Served without source maps: Django's hashed storage would look for each map it finds named.
  sourcemap: watch ? "inline" : false,
  logLevel: "info",
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
writeCatalogues();
if (watch) await (await esbuild.context(options)).watch();
else await esbuild.build(options);
