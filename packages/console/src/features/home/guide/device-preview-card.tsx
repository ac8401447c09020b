import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import type { DevicePreview } from './device-preview.ts';
import type { GuideRun } from './guide-run.ts';
import type { GuideState } from './guide-state.ts';

const CommandButton = ({ state, preview, run }: { state: GuideState; preview: DevicePreview; run: GuideRun }) => {
  const { t } = useTranslation('guide');
  const stepState = state.statuses.command.state;
  if (!state.online || !['ready', 'running', 'done'].includes(stepState)) return null;
  const running = stepState === 'running';
  const first = state.resources?.answer === undefined;
  const { name, text: value } = preview.next;
  return (
    <Button type={first ? 'primary' : 'default'} loading={running} onClick={() => void run.sendCommand()}>
      {running ? t('sendingCommand') : t(first ? 'sendCommand' : 'sendAnother', { name, value })}
    </Button>
  );
};

/** Shows the mock device: its measured value, its setting, and a button that sends the next command. */
export const DevicePreviewCard = ({
  state,
  preview,
  run,
}: {
  state: GuideState;
  preview: DevicePreview;
  run: GuideRun;
}) => {
  const { t } = useTranslation('guide');
  return (
    <section className="dc-guide-preview" aria-label={preview.deviceName}>
      <header>
        <strong>{preview.deviceName}</strong>
        <StatusDot tone={state.online ? 'online' : 'offline'}>
          {t(state.online ? 'deviceOnline' : 'deviceOffline')}
        </StatusDot>
      </header>
      <p className="dc-guide-measured">
        <span>{preview.measured.name}</span>
        <span className="dc-number">{preview.measured.text}</span>
      </p>
      <p className="dc-guide-setting">
        <span>{preview.setting.name}</span>
        <span className="dc-number">{preview.setting.text}</span>
      </p>
      <CommandButton state={state} preview={preview} run={run} />
    </section>
  );
};
