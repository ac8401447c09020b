import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnline } from '../../ui/media.ts';
import { ErrorCard, type ShownError } from '../../ui/states.tsx';

export type CardQuery<Data> = {
  data: Data | undefined;
  error: ShownError | null;
  dataUpdatedAt: number;
  refetch: () => unknown;
};

type AsOfProps = { query: CardQuery<unknown>; stale?: boolean };

/** Shows the time of the data if it is not current. */
export const AsOf = ({ query: { data, error, dataUpdatedAt, refetch }, stale = false }: AsOfProps) => {
  const { t } = useTranslation(['home', 'common']);
  const online = useOnline();
  if (data === undefined || (!error && online && !stale)) return null;
  return (
    <span className="dc-home-as-of">
      {t('home:asOf', { time: dayjs(dataUpdatedAt).format('HH:mm:ss') })}
      {error && (
        <button type="button" className="dc-link-button" title={error.message} onClick={() => void refetch()}>
          {t('common:retry')}
        </button>
      )}
    </span>
  );
};

/** Placeholder while data loads; the style sheet shows it after a delay. */
export const Skeleton = ({ rows, className = '' }: { rows: number; className?: string }) => (
  <div className={`dc-home-skeleton ${className}`} aria-hidden="true">
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical rows have no key but their index.
      <i key={row} />
    ))}
  </div>
);

type HomeCardProps<Data> = {
  title: string;
  /** Shown next to the title. */
  extra?: ReactNode;
  className?: string;
  query: CardQuery<Data>;
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
};

/** A card with its own call, so that an error affects no other card. */
export const HomeCard = <Data,>({ title, extra, className = '', query, skeleton, children }: HomeCardProps<Data>) => {
  const heading = useId();
  const { data, error, refetch } = query;
  const waiting = data === undefined && error === null;
  return (
    <section className={`dc-card dc-home-card ${className}`} aria-labelledby={heading} aria-busy={waiting}>
      <header>
        <h2 id={heading}>{title}</h2>
        <AsOf query={query} />
        {extra}
      </header>
      {data !== undefined && children(data)}
      {data === undefined && error && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {waiting && skeleton}
    </section>
  );
};
