// An endpoint of webhooks that keeps what it has received, and when.
import { createServer } from 'node:http';

export class Receiver {
  /** What has arrived, repetitions included: `{ id, event, at }`. */
  received = [];

  /** @param answer by default 204 */
  static async open(answer = (response) => response.writeHead(204).end()) {
    const receiver = new Receiver();
    receiver.server = createServer((request, response) => {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('error', () => {});
      request.on('end', () => {
        const event = JSON.parse(Buffer.concat(parts).toString());
        receiver.received.push({ id: request.headers['webhook-id'], event, at: performance.now() });
        answer(response);
      });
    });
    await new Promise((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    receiver.url = `http://127.0.0.1:${receiver.server.address().port}/`;
    return receiver;
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }
}
