// What the four upstreams have in common. Each is a process of its own that knows nothing of the application.
import { createServer } from 'node:http';

/**
 * Serves `answer(url, mood)`, which gives `{ body, status?, headers? }`, on a port that the system chooses, and tells
 * the parent process the port. The parent may change the mood; in the mood `hanging` requests are taken and never
 * answered.
 */
export function serve(answer) {
  let mood = 'well';
  let held = 0;

  const server = createServer((request, response) => {
    if (mood === 'hanging') {
      process.send({ held: ++held });
      response.on('close', () => process.send({ held: --held }));
      return;
    }
    const { body, status = 200, headers = {} } = answer(new URL(request.url, 'http://upstream'), mood);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });

  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
  process.on('message', (told) => {
    mood = told.mood;
    process.send({ mood });
  });
  // The parent is gone, however it went.
  process.on('disconnect', () => process.exit());
}
