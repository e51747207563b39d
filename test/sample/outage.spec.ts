import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ChainHealthService } from 'nestjs-fallback';
import { AppModule } from '../../sample/01-outage/app.module.js';
import { get } from '../../sample/01-outage/play/client.js';
import { UPSTREAMS, UpstreamsService } from '../../sample/01-outage/upstreams/upstreams.service.js';

/** The application of sample/01-outage with its real upstream processes, one outage at a time. */
describe('sample 01: an outage', () => {
  let app: INestApplication;
  let upstreams: UpstreamsService;
  let base: string;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    upstreams = app.get(UpstreamsService);
    base = await app.getUrl();
  });

  afterEach(async () => {
    await Promise.all(UPSTREAMS.map((name) => upstreams.start(name)));
    app.get(ChainHealthService).reset();
  });

  afterAll(() => app.close());

  it('the model answers; killed, Ada gets her last picks and Bob what is popular', async () => {
    await expect(get(base, '/recommendations/ada')).resolves.toEqual({ status: 200, by: 'model', source: 'candidate' });

    await upstreams.kill('model');
    const ada = await get(base, '/recommendations/ada');
    expect(ada).toMatchObject({ status: 200, source: 'last-known-good', reason: 'transient' });
    expect(ada.age).toBeGreaterThanOrEqual(0);
    await expect(get(base, '/recommendations/bob')).resolves.toMatchObject({
      status: 200,
      source: 'static',
      degraded: expect.stringMatching(/^recommendations;source=static;reason=\w+$/),
    });
  });

  it('a model that hangs is given up after its timeout, and it sees the request end', async () => {
    await upstreams.tell('model', 'hanging');
    const asked = get(base, '/recommendations/cleo');
    await upstreams.holds('model', 1);
    const released = upstreams.releases('model');

    await expect(asked).resolves.toMatchObject({ status: 200, source: 'static', reason: 'timeout' });
    await released;
  });

  it('the geocoders answer for each other, each in its own dialect', async () => {
    await expect(get(base, '/geocode?address=x')).resolves.toEqual({ status: 200, by: 'atlas', source: 'candidate' });

    await upstreams.tell('atlas', 'limited');
    await expect(get(base, '/geocode?address=x')).resolves.toEqual({ status: 200, by: 'beacon', source: 'candidate' });

    await upstreams.tell('beacon', 'limited');
    await expect(get(base, '/geocode?address=x')).resolves.toEqual({
      status: 200,
      by: 'compass',
      source: 'candidate',
      reason: 'thin',
      degraded: 'geocoder;source=candidate;reason=thin',
    });
  });

  it('what does not exist is 404, and no other geocoder is asked', async () => {
    await expect(get(base, '/geocode?address=nowhere')).resolves.toEqual({ status: 404 });
    const { candidates } = app.get(ChainHealthService).snapshot('geocoder');
    expect(candidates.map(({ counts }) => counts)).toEqual([{ terminal: 1 }, {}, {}]);
  });

  it('nobody left: 503, and the health endpoint says so once all circuits are open', async () => {
    await upstreams.kill('atlas', 'beacon', 'compass');
    await expect(get(base, '/geocode?address=x')).resolves.toEqual({ status: 503 });
    await expect(get(base, '/geocode?address=x')).resolves.toEqual({ status: 503, retryAfter: 1 });
    await expect(get(base, '/health')).resolves.toEqual({ status: 503 });
  });
});
