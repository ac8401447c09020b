import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';

const CHECK_INTERVAL_MS = 300_000;
/** The file name of the entry script contains a hash of the whole build. */
const ENTRY = /\/assets\/index-[\w-]+\.js/;

const entryOf = (page: string): string | undefined => ENTRY.exec(page)?.[0];

const fetchEntry = async (): Promise<string | null> => {
  const answer = await fetch('/', { headers: { Accept: 'text/html' } }).catch(() => undefined);
  return (answer?.ok ? entryOf(await answer.text()) : undefined) ?? null;
};

/** After an update of the hub, open tabs keep running the old console until they are reloaded. */
export const NewBuildNote = () => {
  const { t } = useTranslation(['shell', 'common']);
  const loaded = entryOf(document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '');
  const { data: served } = useQuery({
    queryKey: ['build'],
    queryFn: fetchEntry,
    enabled: loaded !== undefined,
    refetchInterval: CHECK_INTERVAL_MS,
    staleTime: CHECK_INTERVAL_MS,
  });
  const outdated = loaded !== undefined && served !== undefined && served !== null && served !== loaded;
  return (
    <div role="status" className="dc-offline-slot">
      {outdated && (
        <p className="dc-offline">
          <RefreshCw size={16} aria-hidden /> {t('shell:newBuild')}{' '}
          <button type="button" className="dc-link-button" onClick={() => location.reload()}>
            {t('common:reload')}
          </button>
        </p>
      )}
    </div>
  );
};
