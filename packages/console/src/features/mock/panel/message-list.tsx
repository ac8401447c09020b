import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useMobile } from '../../../ui/media.ts';
import { useFollowEnd } from '../../../ui/use-follow-end.ts';
import type { Entry } from './message-entry.ts';
import { MessageLine } from './message-line.tsx';
import { wordsOf } from './message-texts.ts';
import { usePanel } from './panel-context.ts';

/** Heights as in messages.css: on narrow screens the value has its own line. */
const LINE_PX = { wide: 24, narrow: 44 };
const OVERSCAN = 2;
/** More than are ever visible. Lines are keyed by index modulo SLOTS, so that React reuses their elements. */
const SLOTS = 128;

type MessageListProps = {
  entries: readonly Entry[];
  following: boolean;
  onLeaveEnd: () => void;
  onReachEnd: () => void;
  onOpen: (entry: Entry) => void;
};

/** Virtual list: only visible lines are rendered. */
export const MessageList = ({ entries, following, onLeaveEnd, onReachEnd, onOpen }: MessageListProps) => {
  const { t } = useTranslation('mockPanel');
  const { details } = usePanel();
  const words = useMemo(() => wordsOf(details), [details]);
  const linePx = useMobile() ? LINE_PX.narrow : LINE_PX.wide;
  const frame = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => frame.current,
    estimateSize: () => linePx,
    overscan: OVERSCAN,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another line height moves every line.
  useLayoutEffect(() => rows.measure(), [linePx, rows]);

  const onScroll = useFollowEnd({ rows, entries, following, onLeaveEnd, onReachEnd });

  return (
    <section
      ref={frame}
      className="dc-messages-list"
      data-family={details.children.length > 0}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable by keyboard.
      tabIndex={0}
      aria-label={t('messageRegion')}
      onScroll={onScroll}
    >
      <div className="dc-messages-space" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index];
          return (
            entry && (
              <MessageLine
                key={index % SLOTS}
                entry={entry}
                words={words}
                withDevice={details.children.length > 0}
                start={start}
                onOpen={onOpen}
              />
            )
          );
        })}
      </div>
    </section>
  );
};
