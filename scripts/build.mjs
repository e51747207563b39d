// Two builds of one source: dist/esm for `import`, dist/cjs for `require`. Each folder says in its own package.json what it is.
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const formats = { esm: 'module', cjs: 'commonjs' };

/** Resolves with the exit code of one TypeScript build. */
function compile(format) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tsc, '-p', `tsconfig.${format}.json`], { cwd: root, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', resolve);
  });
}

rmSync(`${root}/dist`, { recursive: true, force: true });
const codes = await Promise.all(Object.keys(formats).map(compile));
if (codes.some((code) => code !== 0)) process.exit(1);
for (const [format, type] of Object.entries(formats)) {
  writeFileSync(`${root}/dist/${format}/package.json`, `${JSON.stringify({ type })}\n`);
}
