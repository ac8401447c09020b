import { visibleText } from '@device-center/contract';
import { memo } from 'react';
import type { Entry } from './message-entry.ts';
import { reasonOf, type Words } from './message-texts.ts';
import { preciseClockText } from './use-current-time.ts';

const FunctionNames = ({ entry, words }: { entry: Entry; words: Words }) => {
  const functions = words.functions(entry);
  const [only] = functions;
  return (
    <span className="dc-message-function">
      {functions.length === 1 && only && only.name !== '' && <i>{only.name}</i>}
      {functions.map(({ code }) => code).join(', ')}
    </span>
  );
};

type MessageLineProps = {
  entry: Entry;
  words: Words;
  withDevice: boolean;
  start: number;
  onOpen: (entry: Entry) => void;
};

/** Plain elements without hooks, because fast scrolling renders dozens of lines per frame. */
export const MessageLine = memo(({ entry, words, withDevice, start, onOpen }: MessageLineProps) => {
  const { at, direction, envelope } = entry;
  const value = visibleText(entry.value);
  const reason = reasonOf(entry);
  return (
    <button
      type="button"
      className="dc-message"
      data-direction={direction}
      data-refused={reason !== ''}
      style={{ transform: `translateY(${start}px)` }}
      onClick={() => onOpen(entry)}
    >
      <time>{preciseClockText(at)}</time>
      <span className="dc-message-direction" role="img" aria-label={words.direction(entry)}>
        {direction === 'up' ? '↑' : '↓'}
      </span>
      {withDevice && <span className="dc-message-device">{words.device(envelope.deviceId)}</span>}
      <span className="dc-message-kind">{words.kind(entry)}</span>
      <FunctionNames entry={entry} words={words} />
      <span className="dc-message-flow">{words.flow(entry)}</span>
      <span className="dc-message-code">{envelope.code ?? ''}</span>
      <span className="dc-message-size">{envelope.length} B</span>
      <span className="dc-message-value" title={reason || value}>
        {reason || value}
      </span>
    </button>
  );
});
MessageLine.displayName = 'MessageLine';
