import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Spec §2: a progress bar at the top shows each route change. */
export const ProgressBar = () => {
  const router = useRouter();
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle');
  useEffect(() => {
    const stops = [
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && setState('busy')),
      router.subscribe('onResolved', () => setState((now) => (now === 'busy' ? 'done' : now))),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [router]);
  return (
    <div className="dc-progress" data-state={state} aria-hidden="true">
      <i />
    </div>
  );
};
