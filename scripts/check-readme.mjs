// Runs the README's own test command in a fresh copy of what git would ship: no build, no installed packages.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```(?:sh|bash|shell)\n(.*?)^```/gms)].map((match) => match[1]);
const block = blocks.find((text) => /\bnpm (run )?test\b/.test(text));
if (block === undefined) {
  console.error('README.md has no shell block with `npm test`: say how the tests are run.');
  process.exit(1);
}

// The copy stands for the clone, so getting one is left out.
const commands = block.split('\n').filter((line) => !/^\s*(git clone|cd)\b/.test(line));
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const folder = mkdtempSync(join(tmpdir(), 'nestjs-fallback-readme-'));
try {
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    cpSync(join(root, file), join(folder, file));
  }
  execFileSync('bash', ['-euxo', 'pipefail', '-c', commands.join('\n')], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, npm_config_prefer_offline: 'true' },
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
