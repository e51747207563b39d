// What package.json must say about the entry points: '.' is lib/index.ts, './<name>' is lib/<name>/index.ts.
// `node scripts/entry-points.mjs --write` puts it there; without the flag a difference is an error.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifestFile = `${root}/package.json`;

/** The public folders. One that has no index.ts yet is not exported. */
const publicFolders = [
  'core',
  'redis',
  'terminus',
  'opentelemetry',
  'prometheus',
  'swagger',
  'dashboard',
  'testing',
].filter((folder) => existsSync(`${root}/lib/${folder}/index.ts`));

const target = (format, path) => ({
  types: `./dist/${format}/${path}index.d.ts`,
  default: `./dist/${format}/${path}index.js`,
});
const conditions = (path) => ({ import: target('esm', path), require: target('cjs', path) });

const expected = {
  exports: {
    '.': conditions(''),
    ...Object.fromEntries(publicFolders.map((folder) => [`./${folder}`, conditions(`${folder}/`)])),
    './package.json': './package.json',
  },
  // For `moduleResolution: node10`, which does not read `exports`.
  typesVersions: publicFolders.length
    ? { '*': Object.fromEntries(publicFolders.map((folder) => [folder, [`./dist/cjs/${folder}/index.d.ts`]])) }
    : undefined,
};

const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
const differs = Object.keys(expected).filter((field) => !isDeepStrictEqual(manifest[field], expected[field]));

if (differs.length > 0 && process.argv.includes('--write')) {
  const { exports: _exports, typesVersions: _typesVersions, ...rest } = manifest;
  const ordered = Object.entries(rest).flatMap((entry) =>
    entry[0] === 'types' ? [entry, ...Object.entries(expected)] : [entry],
  );
  writeFileSync(manifestFile, `${JSON.stringify(Object.fromEntries(ordered), null, 2)}\n`);
} else if (differs.length > 0) {
  console.error(`package.json: ${differs.join(' and ')} do not match lib. Run: npm run entries`);
  process.exit(1);
}
