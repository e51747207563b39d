/** Streams: what an element costs after the commit, and how long the first takes, against the source itself. */
import { compileFunction } from 'node:vm';
import { Observable } from 'rxjs';
import { compare } from '../measure.mjs';
import { row } from '../rows.mjs';
import { ANSWER, createFallbackChain, provider } from '../subjects.mjs';

/** So many that the beginning of a stream does not count. */
const ELEMENTS = 20_000;

async function* generator() {
  for (let place = 0; place < ELEMENTS; place++) yield place;
}

/** A source, and a loop in it, of its own for each subject: a shared one would call all subscribers through one site. */
const observable = () => {
  const body = `for (let place = 0; place < ${ELEMENTS} && !subscriber.closed; place++) subscriber.next(place);
    subscriber.complete();`;
  const subscribed = compileFunction(body, ['subscriber']);
  return () => new Observable(subscribed);
};

/** What is written by hand to know how a stream has ended. */
async function* relayed(source) {
  const iterator = source[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const result = await iterator.next();
      if (result.done) break;
      yield result.value;
    }
    isOver = true;
  } finally {
    if (!isOver) await iterator.return?.();
  }
}

const readAll = async (source) => {
  for await (const element of source) if (element < 0) throw new Error('never');
  return ANSWER;
};

const subscribeToAll = (source) =>
  new Promise((resolve, reject) => {
    let sum = 0;
    source.subscribe({
      next: (element) => (sum += element),
      error: reject,
      complete: () => (sum > 0 ? resolve(ANSWER) : reject(new Error('nothing came'))),
    });
  });

const readFirst = async (source) => {
  const iterator = source[Symbol.asyncIterator]();
  await iterator.next();
  await iterator.return();
  return ANSWER;
};

const firstOf = (source) =>
  new Promise((resolve, reject) => {
    source.subscribe({ next: () => resolve(ANSWER), error: reject });
  });

export async function measure({ rounds }) {
  const chain = createFallbackChain([generator, generator]);
  const options = { stream: 'observable' };
  const host = await provider({ watch: { candidates: [observable(), observable()], options } });
  const single = await provider({ watch: { candidates: [() => new Observable((s) => s.next(0))], options } });
  const bare = observable();
  const { ratio } = await compare(
    {
      iterated: () => readAll(generator()),
      relayed: () => readAll(relayed(generator())),
      engine: () => readAll(chain.stream()),
      subscribed: () => subscribeToAll(bare()),
      decorated: () => subscribeToAll(host.watch()),
    },
    { rounds },
  );
  const first = await compare(
    {
      iterated: () => readFirst(generator()),
      engine: () => readFirst(chain.stream()),
      subscribed: () => firstOf(new Observable((subscriber) => subscriber.next(0))),
      decorated: () => firstOf(single.watch()),
    },
    { rounds },
  );
  return [
    row(10, 'an element, async generator: engine / for await', ratio('engine', 'iterated'), 'itself', 1.2),
    row(10, 'an element, async generator: engine / a relay by hand', ratio('engine', 'relayed'), 'hand', 1),
    row(10, 'an element, Observable: decorated / subscribe', ratio('decorated', 'subscribed'), 'itself', 1.2),
    row(
      10,
      'to the first element, async generator: engine',
      `${us(first.ns('engine') - first.ns('iterated'))} more`,
      'info',
    ),
    row(
      10,
      'to the first element, Observable: decorated',
      `${us(first.ns('decorated') - first.ns('subscribed'))} more`,
      'info',
    ),
  ];
}

const us = (ns) => `${(ns / 1_000).toFixed(1)} us`;
