import type { MockStep } from '@device-center/contract';
import { Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/button.tsx';
import { useStudio, useStudioState } from './automation.ts';
import { useBodies } from './use-sender.ts';

const useStepWords = () => {
  const { t } = useTranslation(['mockTabs', 'deviceDetail']);
  return ({ kind, name }: MockStep): string => {
    if (kind === 'property') return t('stepProperty');
    if (kind === 'event') return t('stepEvent', { name });
    return t('stepLog', { level: t(`deviceDetail:level_${name}` as 'deviceDetail:level_4') });
  };
};

const pauseText = (ms: number): string => `+${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;

/** The messages of the sequence with their pauses; the last sent one is marked. */
export const SequenceSteps = () => {
  const { t } = useTranslation('mockTabs');
  const words = useStepWords();
  const bodies = useBodies();
  const studio = useStudio();
  const { steps, playing } = useStudioState();
  const nameOf = (deviceId: string): string =>
    bodies.find((body) => body.deviceId === deviceId)?.deviceName ?? deviceId;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
    <section className="dc-steps-scroll" aria-label={t('steps')} tabIndex={0}>
      <ol className="dc-sequence">
        {steps.map((step, place) => (
          // Steps have no other identity than their index, and equal steps may occur twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: rows hold no state.
          <li key={place} aria-current={playing?.place === place ? 'step' : undefined}>
            <span className="dc-sequence-place dc-number">{place + 1}</span>
            <span className="dc-sequence-pause dc-number">{pauseText(step.after)}</span>
            <span className="dc-sequence-what">
              <span>
                {words(step)}
                {bodies.length > 1 && <span className="dc-tag">{nameOf(step.deviceId)}</span>}
              </span>
              <code className="dc-mono">
                {typeof step.value === 'string' ? step.value : JSON.stringify(step.value)}
              </code>
            </span>
            <Button
              type="text"
              size="small"
              disabled={playing !== null}
              icon={<Trash2 size={14} aria-hidden />}
              aria-label={t('removeStep', { place: place + 1 })}
              onClick={() => studio.write(steps.filter((_, index) => index !== place))}
            />
          </li>
        ))}
      </ol>
    </section>
  );
};
