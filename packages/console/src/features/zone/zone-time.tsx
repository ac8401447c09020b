import { RelativeTime } from '../../ui/relative-time.tsx';

/** Built-in zones have no creation time, and no update time until they are changed. */
export const ZoneTime = ({ value = '' }: { value?: string | undefined }) =>
  value === '' || Date.parse(value) === 0 ? <span className="dc-muted">—</span> : <RelativeTime value={value} />;
