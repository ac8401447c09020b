import type { MockStep } from '@device-center/contract';
import { Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/button.tsx';
import { useAutomation, useAutomationState } from './automation.ts';
import { useMockProfiles } from './use-sender.ts';

const useStepText = () => {
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
  const words = useStepText();
  const bodies = useMockProfiles();
  const automation = useAutomation();
  const { steps, playing } = useAutomationState();
  const nameOf = (deviceId: string): string =>
    bodies.find((body) => body.deviceId === deviceId)?.deviceName ?? deviceId;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable by keyboard.
    <section className="dc-steps-scroll" aria-label={t('steps')} tabIndex={0}>
      <ol className="dc-sequence">
        {steps.map((step, index) => (
          // Steps have no other identity than their index, and equal steps may occur twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: rows hold no state.
          <li key={index} aria-current={playing?.index === index ? 'step' : undefined}>
            <span className="dc-sequence-place dc-number">{index + 1}</span>
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
              aria-label={t('removeStep', { place: index + 1 })}
              onClick={() => automation.write(steps.filter((_, other) => other !== index))}
            />
          </li>
        ))}
      </ol>
    </section>
  );
};
