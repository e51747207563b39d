// What the four upstreams have in common: each answers JSON.
import { listen } from '../../../stage/child.mjs';

/**
 * Serves `answer(url, mood)`, which gives `{ body, status?, headers? }`. In the mood `hanging` requests are taken and
 * never answered.
 */
export function serve(answer) {
  listen((request, response, { mood, hold }) => {
    if (mood === 'hanging') {
      hold(response);
      return;
    }
    const { body, status = 200, headers = {} } = answer(new URL(request.url, 'http://upstream'), mood);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
}
