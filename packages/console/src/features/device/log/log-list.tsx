import { visibleText } from '@device-center/contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import dayjs from 'dayjs';
import { Copy } from 'lucide-react';
import { useCallback, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFollowEnd } from '../../../ui/use-follow-end.ts';
import { hasOtherDays, type LogEntry, type LogGap, type LogLine } from './log-buffer.ts';
import { lineText } from './log-filter.ts';
import { LevelBadge } from './log-level.tsx';

const LINE_PX = 21;
const OVERSCAN = 12;

const clock = (time: string): string => dayjs(time).format('HH:mm:ss.SSS');
const dayAndClock = (time: string): string => dayjs(time).format('MM-DD HH:mm:ss.SSS');

type LineProps = { line: LogLine; dated: boolean; onCopy: (text: string) => void };

const Line = ({ line: { row }, dated, onCopy }: LineProps) => {
  const { t } = useTranslation('deviceDetail');
  return (
    <>
      <time dateTime={row.createTime} title={row.createTime}>
        {(dated ? dayAndClock : clock)(row.createTime)}
      </time>
      <LevelBadge level={row.level} />
      <span className="dc-live-text">{visibleText(row.log)}</span>
      <button type="button" aria-label={t('copyLine')} title={t('copyLine')} onClick={() => onCopy(lineText(row))}>
        <Copy size={12} aria-hidden />
      </button>
    </>
  );
};

const Gap = ({ gap: { from, to, dropped } }: { gap: LogGap }) => {
  const { t } = useTranslation('deviceDetail');
  return <em>{dropped ? t('gapDropped') : t('gap', { from: clock(from), to: clock(to) })}</em>;
};

type LogListProps = {
  entries: readonly LogEntry[];
  following: boolean;
  wrap: boolean;
  onLeaveEnd: () => void;
  onReachEnd: () => void;
  onCopy: (text: string) => void;
};

/** A virtual list: only the visible lines are rendered. */
export const LogList = ({ entries, following, wrap, onLeaveEnd, onReachEnd, onCopy }: LogListProps) => {
  const { t } = useTranslation('deviceDetail');
  const frame = useRef<HTMLElement>(null);
  // Stable for the same lines, or the virtualizer would recompute all positions on every scroll.
  const keyOf = useCallback((index: number) => entries[index]?.key ?? index, [entries]);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_PX,
    getItemKey: keyOf,
    overscan: OVERSCAN,
  });

  const dated = useMemo(() => hasOtherDays(entries), [entries]);
  const onScroll = useFollowEnd({ rows, entries, following, onLeaveEnd, onReachEnd });

  return (
    <section
      ref={frame}
      className="dc-live-log"
      data-wrap={wrap}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
      tabIndex={0}
      aria-label={t('logRegion')}
      onScroll={onScroll}
    >
      <div className="dc-live-space" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const entry = entries[index];
          if (!entry) return null;
          return (
            <div
              key={key}
              ref={wrap ? rows.measureElement : undefined}
              data-index={index}
              className="dc-live-line"
              data-kind={entry.kind}
              data-level={entry.kind === 'line' ? entry.row.level : undefined}
              style={{ transform: `translateY(${start}px)` }}
            >
              {entry.kind === 'line' ? <Line line={entry} dated={dated} onCopy={onCopy} /> : <Gap gap={entry} />}
            </div>
          );
        })}
      </div>
    </section>
  );
};
