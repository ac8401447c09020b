import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import type { Face } from './device-preview.ts';
import type { GuideRun } from './guide-run.ts';
import type { GuideState } from './guide-state.ts';

const CommandButton = ({ state, face, run }: { state: GuideState; face: Face; run: GuideRun }) => {
  const { t } = useTranslation('guide');
  const tick = state.ticks.command.state;
  if (!state.online || !['ready', 'running', 'done'].includes(tick)) return null;
  const running = tick === 'running';
  const first = state.made?.answer === undefined;
  const { name, text: value } = face.next;
  return (
    <Button type={first ? 'primary' : 'default'} loading={running} onClick={() => void run.sendCommand()}>
      {running ? t('sendingCommand') : t(first ? 'sendCommand' : 'sendAnother', { name, value })}
    </Button>
  );
};

/** The device as one would see it on the wall: what it measures, what it was told, and what to tell it. */
export const DeviceFace = ({ state, face, run }: { state: GuideState; face: Face; run: GuideRun }) => {
  const { t } = useTranslation('guide');
  return (
    <section className="dc-guide-face" aria-label={face.deviceName}>
      <header>
        <strong>{face.deviceName}</strong>
        <StatusDot tone={state.online ? 'online' : 'offline'}>
          {t(state.online ? 'deviceOnline' : 'deviceOffline')}
        </StatusDot>
      </header>
      <p className="dc-guide-measured">
        <span>{face.measured.name}</span>
        <span className="dc-number">{face.measured.text}</span>
      </p>
      <p className="dc-guide-setting">
        <span>{face.setting.name}</span>
        <span className="dc-number">{face.setting.text}</span>
      </p>
      <CommandButton state={state} face={face} run={run} />
    </section>
  );
};
