/** Commands to a Redis server from outside any client: what it was asked by its clients, and to make it slow. */
import { connect } from 'node:net';

/** Sends one command and gives the server's whole answer as text. */
export function command(port: number, ...words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(`${words.join(' ')}\r\n`));
    let said = '';
    socket.setEncoding('utf8').on('data', (text: string) => (said += text));
    socket.once('error', reject);
    socket.once('close', () => resolve(said));
  });
}

/** How often each command was called since the server started, by its name in small letters. */
export async function commandsOf(port: number): Promise<Record<string, number>> {
  const stats = await command(port, 'INFO', 'commandstats');
  const lines = stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm);
  return Object.fromEntries(Array.from(lines, ([, name, calls]) => [name!, Number(calls)]));
}
