import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { FleetModule } from '../../sample/04-fleet/fleet/fleet.module.js';
import { FleetService, PROGRAM } from '../../sample/04-fleet/fleet/fleet.service.js';
import { ask, askDuringProbe } from '../../sample/04-fleet/play/ask.js';
import { compileProgram, project } from '../support/child-program.js';
import type { ChildProgram } from '../support/child-program.js';
import { describeWithRedis } from '../support/redis-server.js';

// Three Nest applications start for each test: seconds, but a machine may be busy.
jest.setTimeout(60_000);

const NOK = '/rates/NOK';
const FOLDER = join(project, 'sample/04-fleet/app');

/** The fleet of sample/04-fleet: three real processes, real exchanges, and a real Redis of its own. */
describeWithRedis('sample 04: a fleet', () => {
  let program: ChildProgram;
  let app: INestApplication;
  let fleet: FleetService;

  beforeAll(async () => {
    const parts = await readdir(FOLDER);
    program = await compileProgram(
      join(FOLDER, 'main.ts'),
      parts.filter((name) => name !== 'main.ts').map((name) => join(FOLDER, name)),
    );
  });

  beforeEach(async () => {
    const module = await Test.createTestingModule({ imports: [FleetModule] })
      .overrideProvider(PROGRAM)
      .useValue(pathToFileURL(program.path))
      .compile();
    app = module.createNestApplication({ logger: false });
    await app.init();
    fleet = app.get(FleetService);
  });

  afterEach(() => app.close());

  afterAll(() => program.remove());

  const askEach = async (path: string, times = 1) => {
    return (await ask(fleet.processes, path, times)).map(({ by }) => by);
  };
  /** Who answered, each once. */
  const answerers = async (path: string, times = 1) => [...new Set(await askEach(path, times))];

  it('what one process learns of the bourse, the others know without a call of their own; one probe for all', async () => {
    const { bourse, exchanges, processes } = fleet;
    const [first, ...others] = processes;
    await expect(askEach(NOK)).resolves.toEqual(['bourse', 'bourse', 'bourse']);

    await exchanges.kill('bourse');
    await ask([first], NOK, 2);
    await fleet.untilAll('open');
    expect(bourse.asked).toBe(5);
    const answers = await ask(others, NOK, 5);
    expect(answers.map(({ by, source }) => `${by} ${source}`)).toEqual(Array(10).fill('kiosk candidate'));
    expect(bourse.asked).toBe(5);

    await exchanges.start('bourse');
    await exchanges.tell('bourse', 'busy');
    const whileProbed = await askDuringProbe(fleet, NOK);
    expect(bourse.asked).toBe(6);
    expect(whileProbed.filter(({ by }) => by === 'bourse')).toHaveLength(1);
    await fleet.untilAll('closed');
    await expect(answerers(NOK)).resolves.toEqual(['bourse']);
  });

  it('a last known good of one process is served by another, marked', async () => {
    const { exchanges, processes } = fleet;
    const [first, , third] = processes;
    await ask([first], '/rates/CHF');
    await exchanges.kill('bourse', 'kiosk');

    const [answer] = await ask([third], '/rates/CHF');
    expect(answer).toMatchObject({ status: 200, source: 'last-known-good', reason: 'transient' });
    expect(answer!.degraded).toMatch(/^rates;source=last-known-good;reason=transient;age=\d+$/);
  });

  it('without Redis each goes by its own memory and says so once; with it they agree again', async () => {
    const { bourse, exchanges, processes, redis } = fleet;
    for (const process of processes) process.forgetEvents();
    await redis.kill();
    await expect(answerers(NOK, 3)).resolves.toEqual(['bourse']);
    const { asked } = bourse;

    await exchanges.kill('bourse');
    await expect(answerers(NOK, 4)).resolves.toEqual(['kiosk']);
    await fleet.untilAll('open');
    expect(bourse.asked - asked).toBe(6);
    await fleet.untilAllTold('store.failed');

    await redis.start();
    await fleet.untilAllTold('store.recovered');
    await exchanges.start('bourse');
    await exchanges.tell('bourse', 'busy');
    await askDuringProbe(fleet, NOK);
    expect(bourse.asked - asked).toBe(7);
    await fleet.untilAll('closed');
    await expect(answerers(NOK)).resolves.toEqual(['bourse']);
    expect([fleet.told('store.failed'), fleet.told('store.recovered')]).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
  });
});
