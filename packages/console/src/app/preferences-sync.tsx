import { type Output, personalCalls } from '@device-center/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { z } from 'zod';
import { send } from '../api/send.ts';
import { useSession } from '../api/session.ts';
import { useCall } from '../api/use-call.ts';
import { loadPreferences, resetPreferences, usePreferences } from '../ui/preferences.ts';

const SAVE_AFTER_MS = 800;

/** Stored preferences may come from an older or newer console: values that do not parse keep their default. */
const storedPreferences = z.object({
  theme: z.enum(['light', 'dark', 'system']).optional().catch(undefined),
  density: z.enum(['comfortable', 'compact']).optional().catch(undefined),
  hiddenColumns: z.record(z.string(), z.array(z.string())).optional().catch(undefined),
  guide: z.enum(['dismissed', 'done']).optional().catch(undefined),
});

type Stored = Output<typeof personalCalls.getPreferences>['preferences'];

const present = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;

/** Loads the user's preferences after login and saves changes with a delay. Failures are ignored. */
export const PreferencesSync = () => {
  const session = useSession();
  const client = useQueryClient();
  const active = session !== null && !session.isFirst;
  const { data } = useCall(personalCalls.getPreferences, {}, { enabled: active, staleTime: Number.POSITIVE_INFINITY });
  const others = useRef<Stored>({});
  /** Set while a change is not saved yet: the hub's preferences are then older than those on the screen. */
  const unsaved = useRef(false);
  const changed = usePreferences((state) => state.changed);

  useEffect(() => {
    if (!data) return;
    others.current = data.preferences;
    if (unsaved.current) return;
    loadPreferences(present(storedPreferences.parse(data.preferences)));
  }, [data]);

  useEffect(() => {
    if (session) return;
    resetPreferences();
    client.clear();
  }, [session, client]);

  useEffect(() => {
    if (!active || changed === 0) return;
    unsaved.current = true;
    const timer = setTimeout(() => {
      const { changed: _changed, ...own } = usePreferences.getState();
      const preferences: Stored = { ...others.current, ...own };
      // A lost preference is not important enough for a toast.
      send(personalCalls.savePreferences, { preferences }, { as: 'json' })
        .catch(() => undefined)
        .finally(() => {
          unsaved.current = false;
        });
    }, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [active, changed]);
  return null;
};
