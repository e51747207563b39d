import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ChainHealthService } from 'nestjs-fallback';
import { AppModule } from '../../sample/02-chat/app.module.js';
import { MODELS, ModelsService } from '../../sample/02-chat/models/models.service.js';
import { listen } from '../../sample/02-chat/play/client.js';

const SONATA = 'A fallback is a promise that somebody answers, and that you are told who it was.';
const SONATA_BEGUN = 'A fallback is ';
const ORBIT = 'A fallback answers in the place of another, as well as it can.';

const CHAT = '/chat?prompt=x';
const byOrbit = { status: 200, by: 'orbit', source: 'candidate', text: ORBIT, marked: 0, brokeOff: false };
const brokenOff = { ...byOrbit, by: 'sonata', text: SONATA_BEGUN, brokeOff: true };

/** The application of sample/02-chat with its real model processes, one mishap at a time. */
describe('sample 02: a chat', () => {
  let app: INestApplication;
  let models: ModelsService;
  let health: ChainHealthService;
  let base: string;

  const sonata = () => health.snapshot('chat').candidates[0]!;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    models = app.get(ModelsService);
    health = app.get(ChainHealthService);
    base = await app.getUrl();
  });

  afterEach(async () => {
    await Promise.all(MODELS.map((name) => models.start(name)));
    health.reset();
  });

  afterAll(() => app.close());

  it('each model is understood in its own dialect, to the last word', async () => {
    await expect(listen(base, CHAT)).resolves.toEqual({ ...byOrbit, by: 'sonata', text: SONATA });
    await models.kill('sonata');
    await expect(listen(base, CHAT)).resolves.toEqual(byOrbit);
  });

  it('words pass as they come; a browser that leaves ends the request to the model, and counts against nobody', async () => {
    await models.tell('sonata', 'stalling');
    const held = models.holds('sonata', 1);
    const leaving = new AbortController();
    const response = await fetch(base + CHAT, { signal: leaving.signal });
    const body = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    await expect(body.read()).resolves.toMatchObject({ value: expect.stringContaining('data: A ') });
    await held;

    const released = models.releases('sonata');
    leaving.abort();
    await released;
    expect(sonata()).toMatchObject({ state: 'closed', consecutiveFailures: 0 });
    expect(sonata().counts).not.toHaveProperty('timeout');
  });

  it('a model that dies, or says in band that it fails, before its first word is not noticed', async () => {
    await models.tell('sonata', 'thinking');
    const asked = listen(base, CHAT);
    await models.holds('sonata', 1);
    await models.kill('sonata');
    await expect(asked).resolves.toEqual(byOrbit);

    await models.start('sonata');
    await models.tell('sonata', 'overloaded');
    health.reset();
    await expect(listen(base, CHAT)).resolves.toEqual(byOrbit);
    expect(sonata()).toMatchObject({ state: 'open', lastKind: 'transient' });
  });

  it('a model that never says its first word is given up after its timeout', async () => {
    await models.tell('sonata', 'thinking');
    await expect(listen(base, CHAT)).resolves.toEqual(byOrbit);
    expect(sonata()).toMatchObject({ state: 'open', lastKind: 'timeout' });
  });

  it.each([
    ['says in band that it fails', 'breaking', 'transient'],
    ['falls silent', 'stalling', 'timeout'],
  ] as const)('a model that %s in the middle ends the answer; the next goes to the other', async (_, mood, kind) => {
    await models.tell('sonata', mood);
    await expect(listen(base, CHAT)).resolves.toEqual(brokenOff);
    expect(sonata()).toMatchObject({ state: 'open', lastKind: kind });
    await expect(listen(base, CHAT)).resolves.toEqual(byOrbit);
    expect(sonata().counts).toMatchObject({ [kind]: 1, cooling: 1 });
  });

  it('a model that is killed in the middle ends the answer', async () => {
    await models.tell('sonata', 'stalling');
    const asked = listen(base, CHAT);
    await models.holds('sonata', 1);
    await models.kill('sonata');
    await expect(asked).resolves.toEqual(brokenOff);
    expect(sonata()).toMatchObject({ state: 'open', lastKind: 'transient' });
  });

  it('nobody left: 503, whether the second says so in band or by 429; the suggestions are marked', async () => {
    await models.kill('sonata');
    await models.tell('orbit', 'overloaded');
    await expect(listen(base, CHAT)).resolves.toMatchObject({ status: 503, text: '' });
    expect(health.snapshot('chat').candidates[1]).toMatchObject({ lastKind: 'rate-limited' });

    health.reset();
    await models.tell('orbit', 'limited');
    await expect(listen(base, CHAT)).resolves.toMatchObject({ status: 503, retryAfter: 1 });
    await expect(listen(base, '/suggestions?about=x')).resolves.toEqual({
      status: 200,
      source: 'static',
      reason: 'cooling',
      degraded: 'suggestions;source=static;reason=cooling',
      text: 'What is it? What does it cost?',
      marked: 2,
      brokeOff: false,
    });
  });
});
