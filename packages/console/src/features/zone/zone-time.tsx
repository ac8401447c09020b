import { RelativeTime } from '../../ui/relative-time.tsx';

/** What is born with the hub has no time of its own until somebody changes it. */
export const ZoneTime = ({ value = '' }: { value?: string | undefined }) =>
  value === '' || Date.parse(value) === 0 ? <span className="dc-muted">—</span> : <RelativeTime value={value} />;
