// What all upstream servers have in common. Each is a process of its own that knows nothing of the application.
import { createServer } from 'node:http';

/**
 * Listens on a port that the system chooses and tells it to the parent process, which may change the mood. `hold`
 * leaves a response open and tells the parent how many are.
 * @param answer `answer(request, response, { mood, hold })`
 */
export function listen(answer) {
  let mood = 'well';
  let held = 0;

  const hold = (response) => {
    process.send({ held: ++held });
    response.on('close', () => process.send({ held: --held }));
  };
  const server = createServer((request, response) => answer(request, response, { mood, hold }));

  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
  process.on('message', (told) => {
    mood = told.mood;
    process.send({ mood });
  });
  // The parent is gone, however it went.
  process.on('disconnect', () => process.exit());
}
