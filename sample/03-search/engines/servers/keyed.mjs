// The dialect of the paid engines: everything that is no result is an error with a code.
const REFUSALS = {
  limited: [403, { code: 'quota', resetIn: 2 }],
  locked: [403, { code: 'key' }],
  broken: [500, { code: 'trouble' }],
  invalid: [422, { code: 'query' }],
};

const error = ([status, what]) => ({ status, body: { error: what } });

export const keyed = {
  found: (results) => (results.length === 0 ? error([404, { code: 'no-results' }]) : { body: { results } }),
  refused: (why) => error(REFUSALS[why]),
};
