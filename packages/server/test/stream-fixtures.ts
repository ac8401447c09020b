import { recordCalls, type Sent } from '@device-center/contract';
import { expect } from 'vitest';

export type StreamedEvent = { event: string; id: string; data: Record<string, unknown> };

const parse = (block: string): StreamedEvent | null => {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
  return field('event') === '' ? null : { event: field('event'), id: field('id'), data: JSON.parse(field('data')) };
};

/** Opens a server-sent event stream as a browser does. */
export const openStream = async (
  url: string,
  token: string,
  sent: Partial<Sent<typeof recordCalls.streamDevices>> = {},
) => {
  const leave = new AbortController();
  const address = new URL(recordCalls.streamDevices.path, url);
  for (const [name, value] of Object.entries(sent)) address.searchParams.set(name, String(value));
  const response = await fetch(address, { headers: { Authorization: token }, signal: leave.signal });
  const blocks: string[] = [];
  const ended = (async () => {
    let text = '';
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      blocks.push(...parts);
    }
  })();
  // The test itself aborts the request.
  ended.catch(() => undefined);
  return {
    response,
    ended,
    blocks,
    events: () => blocks.flatMap((block) => parse(block) ?? []),
    /** The id of the last event; before any event, that of the start. */
    cursor: (): string => /^id: (.*)$/m.exec(blocks.findLast((block) => block.includes('id: ')) ?? '')?.[1] ?? '',
    leave: () => leave.abort(),
  };
};
export type OpenedStream = Awaited<ReturnType<typeof openStream>>;

/** Opens a stream and waits until it has started: it contains all events from now on. */
export const openStartedStream = async (...asked: Parameters<typeof openStream>): Promise<OpenedStream> => {
  const stream = await openStream(...asked);
  await expect.poll(() => stream.blocks.length).toBeGreaterThan(0);
  return stream;
};

export const expectEvents = (stream: OpenedStream) =>
  expect.poll(() => stream.events().map(({ event, data }) => [event, data]), { interval: 50 });
