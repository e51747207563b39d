// What the four engines have in common: shelves by topic, which is the first word of a query, and a ledger.
import { listen } from '../../../stage/child.mjs';

/**
 * Serves an engine.
 * @param shelves the topics that it knows
 * @param slow the topic about which it never comes to an end, though it works on it
 * @param found `found(hits)` gives `{ status?, headers?, body }`
 * @param refused `refused(mood)`, or `refused('invalid')`, gives the same
 */
export function serve({ shelves, slow, found, refused }) {
  let charged = 0;

  /** What it says; nothing while it works on a query for ever. */
  const answer = ({ pathname, searchParams }, mood) => {
    if (pathname === '/ledger') return { body: { charged } };
    const query = searchParams.get('q') ?? '';
    const topic = query.split(' ')[0];
    if (mood !== 'well' && mood !== 'hanging') return refused(mood);
    if (query === '') return refused('invalid');
    charged++;
    if (mood === 'hanging' || topic === slow) return undefined;
    return found(shelves.includes(topic) ? [{ title: query, url: `https://example.org/${topic}` }] : []);
  };

  listen((request, response, { mood, hold }) => {
    const said = answer(new URL(request.url, 'http://engine'), mood);
    if (said === undefined) {
      hold(response);
      return;
    }
    const { status = 200, headers = {}, body } = said;
    const isPage = typeof body === 'string';
    response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json', ...headers });
    response.end(isPage ? body : JSON.stringify(body));
  });
}
