import type { Virtualizer } from '@tanstack/react-virtual';
import { type UIEvent, useLayoutEffect, useRef } from 'react';

/** A distance from the end below this counts as the end. */
const END_PX = 24;

type FollowEnd = {
  rows: Pick<Virtualizer<HTMLElement, Element>, 'scrollToIndex'>;
  entries: readonly { key: string | number }[];
  following: boolean;
  onLeaveEnd: () => void;
  onReachEnd: () => void;
};

/** Scrolls a list to its end while `following`. Returns the scroll handler. */
export const useFollowEnd = ({ rows, entries, following, onLeaveEnd, onReachEnd }: FollowEnd) => {
  const lastTop = useRef(0);
  const lastKey = entries[entries.length - 1]?.key;
  useLayoutEffect(() => {
    if (following && lastKey !== undefined) rows.scrollToIndex(entries.length - 1, { align: 'end' });
  }, [following, lastKey, entries.length, rows]);

  return ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent<HTMLElement>) => {
    const atEnd = scrollHeight - scrollTop - clientHeight < END_PX;
    // Following scrolls down only, so scrolling up comes from the user.
    if (scrollTop < lastTop.current && !atEnd) onLeaveEnd();
    else if (atEnd && scrollTop > lastTop.current) onReachEnd();
    lastTop.current = scrollTop;
  };
};
