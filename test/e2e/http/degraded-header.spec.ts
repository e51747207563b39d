import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstItem, members } from '../../support/answers.js';
import { closeAll, listen, platforms } from '../../support/apps.js';
import { Shop, ShopController } from '../../support/shop.js';

const RECOMMENDATIONS = 'recommendations;source=static;reason=transient';

describe.each(platforms)('$name: the Degraded header', (platform) => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await listen(platform, { controllers: [ShopController], providers: [Shop] }));
  });
  afterAll(closeAll);

  const get = (path: string): Promise<Response> => fetch(`${url}/${path}`);
  const degraded = async (path: string): Promise<string | null> => (await get(path)).headers.get('degraded');

  it.each(['untouched', 'calls?of=healthy', 'calls?of=failedOver'])('is absent from %s', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    for (const name of ['degraded', 'age', 'cache-control', 'served-by'])
      expect(response.headers.has(name)).toBe(false);
    expect(await response.json()).not.toHaveProperty('degraded');
  });

  it('names chain, source and reason of a degraded answer, and the body is marked', async () => {
    const response = await get('calls?of=recommendations');
    expect(response.status).toBe(200);
    expect(response.headers.get('degraded')).toBe(RECOMMENDATIONS);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.has('age')).toBe(false);
    expect(await response.json()).toEqual({ text: 'popular', degraded: true });
  });

  it('is there for a decorated handler', async () => {
    const response = await get('handler');
    expect(response.headers.get('degraded')).toBe('handler;source=static;reason=transient');
    expect(await response.json()).toEqual({ text: 'popular', degraded: true });
  });

  it('is there for an answer of a candidate that is declared degraded', async () => {
    const [member] = members(await degraded('calls?of=secondRate'));
    expect(member).toMatchObject({ name: 'second-rate', source: 'candidate' });
  });

  it('is there for a thin answer', async () => {
    expect(await degraded('calls?of=thin')).toBe('thin;source=candidate;reason=thin');
  });

  it('is there for a step that was left out', async () => {
    expect(members(await degraded('calls?of=optional,healthy'))).toEqual([
      { name: 'optional', source: 'skipped', reason: 'transient' },
    ]);
  });

  it('is the only mark of a value that cannot carry one', async () => {
    const response = await get('calls?of=flag');
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('false');
    expect(response.headers.get('degraded')).toBe('flag;source=static;reason=transient');
  });

  it('has a member per degraded call, in the order of their ends', async () => {
    expect(members(await degraded('calls?of=secondRate,healthy,recommendations')).map(({ name }) => name)).toEqual([
      'second-rate',
      'recommendations',
    ]);
    expect(members(await degraded('behind/recommendations')).map(({ name }) => name)).toEqual([
      'recommendations',
      'slow',
    ]);
  });

  it('has at most ten members: the first ten', async () => {
    const names = ['secondRate', ...Array<string>(9).fill('recommendations'), 'thin', 'thin'];
    const found = members(await degraded(`calls?of=${names.join(',')}`)).map(({ name }) => name);
    expect(found).toEqual(['second-rate', ...Array<string>(9).fill('recommendations')]);
  });

  it.each(['outerFull', 'outerRecovers'])('withdraws a call inside %s, which answers in full', async (name) => {
    const response = await get(`calls?of=${name}`);
    expect(response.status).toBe(200);
    expect(response.headers.has('degraded')).toBe(false);
    expect(response.headers.has('cache-control')).toBe(false);
    expect(await response.json()).not.toHaveProperty('degraded');
  });

  it('has one member for a call inside a degraded call: the outermost', async () => {
    expect(await degraded('calls?of=outerPassesOn')).toBe('outer-passes-on;source=static;reason=transient');
    expect(await degraded('calls?of=outerDegraded')).toBe('outer-degraded;source=static;reason=transient');
  });

  it('keeps an outermost call beside a withdrawn one', async () => {
    expect(await degraded('calls?of=outerFull,recommendations,outerRecovers')).toBe(RECOMMENDATIONS);
  });

  it('stays on the answer to an error that came later', async () => {
    const response = await get('calls?of=recommendations,exhausted');
    expect(response.status).toBe(503);
    expect(response.headers.get('degraded')).toBe(RECOMMENDATIONS);
  });

  it('gives a name as a token where it is one, else as a percent-encoded string', async () => {
    expect(firstItem(await degraded('calls?of=unnamed'))).toBe('Shop.unnamed');
    expect(firstItem(await degraded('calls?of=digit'))).toBe('"2nd"');
    expect(firstItem(await degraded('calls?of=sentence'))).toBe('"preise%20f%C3%BCr%20B%C3%BCcher%3B%20100%25"');
  });

  it('lets no name break the header', async () => {
    const response = await get('calls?of=evil');
    expect(response.status).toBe(200);
    expect(response.headers.has('x-evil')).toBe(false);
    expect(firstItem(response.headers.get('degraded'))).toMatch(/^"a%0D%0AX-Evil%3A%201[%A-F0-9]*"$/);
  });

  it('is bounded in length', async () => {
    const header = await degraded(`calls?of=${Array<string>(10).fill('long').join(',')}`);
    expect(members(header)).toHaveLength(10);
    expect(header!.length).toBeLessThan(4_096);
  });

  it('is sent with HEAD too, without a body', async () => {
    const response = await fetch(`${url}/calls?of=recommendations`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('degraded')).toBe(RECOMMENDATIONS);
    expect(await response.text()).toBe('');
  });
});
