// Packs the package and lets publint and attw judge the tarball; first, the declarations of '.' must stand on their own.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const faults = [];

/** What a consumer of '.' needs to have installed for its types: Nest and rxjs, which are required peers, and nothing else. */
const allowedInDeclarations = /^(@nestjs\/(common|core)|rxjs)$/;

function checkDeclarations(file, seen = new Set()) {
  if (seen.has(file)) return;
  seen.add(file);
  const info = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
  const where = relative(root, file);
  for (const { fileName } of info.typeReferenceDirectives) faults.push(`${where} references the types of ${fileName}`);
  for (const { fileName } of info.importedFiles) {
    if (!fileName.startsWith('.')) {
      if (!allowedInDeclarations.test(fileName)) faults.push(`${where} names a type of ${fileName}`);
      continue;
    }
    const next = resolve(dirname(file), fileName.replace(/\.js$/, '.d.ts'));
    if (existsSync(next)) checkDeclarations(next, seen);
    else faults.push(`${where} imports ${fileName}, which the build did not write`);
  }
}

for (const format of ['esm', 'cjs']) checkDeclarations(join(root, 'dist', format, 'index.d.ts'));

const folder = mkdtempSync(join(tmpdir(), 'nestjs-fallback-'));
try {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root, encoding: 'utf8' });
  const [{ filename, entryCount, size }] = JSON.parse(packed);
  const tarball = join(folder, filename);
  console.log(`${filename}: ${entryCount} files, ${(size / 1024).toFixed(1)} kB`);

  const buffer = readFileSync(tarball);
  const { messages } = await publint({
    pack: { tarball: buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength) },
    strict: true,
  });
  for (const message of messages) faults.push(`publint: ${formatMessage(message, manifest) ?? message.code}`);

  // The strict profile is all four: node10, node16 from CommonJS, node16 from ESM, bundler.
  const attw = createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json');
  const cli = join(dirname(attw), JSON.parse(readFileSync(attw, 'utf8')).bin.attw);
  execFileSync(process.execPath, [cli, tarball, '--profile', 'strict', '--no-emoji'], { cwd: root, stdio: 'inherit' });
} catch (error) {
  faults.push(error instanceof Error ? error.message : String(error));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
