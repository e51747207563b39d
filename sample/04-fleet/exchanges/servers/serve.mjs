// What both exchanges have in common: `GET /NOK` answers how much of it one euro buys.
import { listen } from '../../../stage/child.mjs';

/** Serves `perEuro(currency)`. In the mood `busy` requests are taken, and answered when it is `well` again. */
export function serve(perEuro) {
  const waiting = [];

  const answer = ({ request, response }) => {
    const currency = request.url.slice(1);
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ currency, perEuro: perEuro(currency) }));
  };
  listen((request, response, { mood, hold }) => {
    if (mood === 'well') {
      answer({ request, response });
      return;
    }
    waiting.push({ request, response });
    hold(response);
  });
  process.on('message', ({ mood }) => {
    if (mood === 'well') waiting.splice(0).forEach(answer);
  });
}
