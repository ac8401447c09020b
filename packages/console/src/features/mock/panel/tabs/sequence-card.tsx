import { MOCK_STEPS_MAX } from '@device-center/contract';
import { Circle, Download, Play, Repeat, Save, Square, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadText } from '../../../../model/download.ts';
import { Button } from '../../../../ui/button.tsx';
import { FileZone } from '../../../../ui/file-zone.tsx';
import { StatusDot } from '../../../../ui/status-dot.tsx';
import { usePanel } from '../panel-context.ts';
import { useAutomation, useAutomationState } from './automation.ts';
import { isSameSequence, readSequence, sequenceText } from './sequence-file.ts';
import { SequenceSteps } from './sequence-steps.tsx';
import { useRun } from './use-run.ts';

/** Record and playback buttons with the current state. */
const SequenceControls = () => {
  const { t } = useTranslation('mockTabs');
  const { online } = usePanel();
  const automation = useAutomation();
  const { steps, recording, playing } = useAutomationState();
  const cannotPlay = !online || steps.length === 0 || recording;
  const why = online ? '' : t('notOnline');
  if (playing)
    return (
      <div className="dc-tab-actions">
        <Button icon={<Square size={14} aria-hidden />} onClick={automation.stopPlaying}>
          {t('stop')}
        </Button>
        <StatusDot tone={online ? 'running' : 'warning'}>
          {t(playing.loop ? 'playingLoop' : 'playing', { place: playing.index + 1, total: steps.length })}
        </StatusDot>
      </div>
    );
  return (
    <div className="dc-tab-actions">
      {recording ? (
        <Button danger icon={<Square size={14} aria-hidden />} onClick={automation.stopRecording}>
          {t('stopRecording')}
        </Button>
      ) : (
        <Button
          icon={<Circle size={14} aria-hidden />}
          disabled={steps.length >= MOCK_STEPS_MAX}
          onClick={automation.record}
        >
          {t(steps.length === 0 ? 'record' : 'recordMore')}
        </Button>
      )}
      <Button
        disabled={cannotPlay}
        title={why}
        icon={<Play size={14} aria-hidden />}
        onClick={() => automation.play(false)}
      >
        {t('playOnce')}
      </Button>
      <Button
        disabled={cannotPlay}
        title={why}
        icon={<Repeat size={14} aria-hidden />}
        onClick={() => automation.play(true)}
      >
        {t('playLoop')}
      </Button>
      <span role="status">
        {recording && <StatusDot tone="failed">{t('recording', { count: steps.length })}</StatusDot>}
        {!recording && <span className="dc-muted">{why}</span>}
      </span>
    </div>
  );
};

type FileState = { tone: 'online' | 'failed'; text: string } | null;

const useImport = (): [FileState, (file: File) => Promise<void>] => {
  const { t } = useTranslation('mockTabs');
  const { mock } = usePanel();
  const automation = useAutomation();
  const [state, setState] = useState<FileState>(null);
  const take = async (file: File) => {
    const read = readSequence(await file.text(), mock.deviceIds, mock.device.deviceId);
    if (!read.ok) {
      setState({ tone: 'failed', text: t(`import_${read.problem}`, { place: read.stepNumber, max: MOCK_STEPS_MAX }) });
      return;
    }
    automation.stopRecording();
    automation.write(read.steps);
    const text = t('imported', { count: read.steps.length });
    const moved = read.moved > 0 ? ` ${t('importMoved', { count: read.moved })}` : '';
    setState({ tone: 'online', text: text + moved });
  };
  return [state, take];
};

/** A recorded sequence: play it, save it on the hub, export or import it. */
export const SequenceCard = () => {
  const { t } = useTranslation(['mockTabs', 'common']);
  const title = useId();
  const { details } = usePanel();
  const automation = useAutomation();
  const { steps, recording, playing } = useAutomationState();
  const { saved, save, saving, problem } = useRun();
  const [imported, takeFile] = useImport();
  const isSaved = isSameSequence(steps, saved.sequence);
  const busy = recording || playing !== null;
  return (
    <section className="dc-tab-section" aria-labelledby={title}>
      <h3 id={title}>
        {t('sequence')} {steps.length > 0 && <small>{t('stepCount', { count: steps.length })}</small>}
        {!isSaved && <span className="dc-tag">{t('notSaved')}</span>}
      </h3>
      <p className="dc-muted dc-small">{t('sequenceHint', { max: MOCK_STEPS_MAX })}</p>
      <SequenceControls />
      {steps.length > 0 && <SequenceSteps />}
      <div className="dc-tab-actions">
        <Button
          type="primary"
          disabled={isSaved || busy}
          loading={saving}
          icon={<Save size={14} aria-hidden />}
          onClick={() => save({ sequence: steps })}
        >
          {t('saveSequence')}
        </Button>
        <Button
          disabled={steps.length === 0}
          icon={<Download size={14} aria-hidden />}
          onClick={() =>
            downloadText({
              filename: `${details.deviceId}-sequence.json`,
              contentType: 'application/json',
              text: sequenceText(steps),
            })
          }
        >
          {t('exportSequence')}
        </Button>
        <Button
          type="text"
          disabled={steps.length === 0 || busy}
          icon={<Trash2 size={14} aria-hidden />}
          onClick={() => automation.write([])}
        >
          {t('clearSequence')}
        </Button>
      </div>
      {problem !== '' && (
        <p className="dc-field-error" role="alert">
          {problem}
        </p>
      )}
      <FileZone
        text={t('importHint')}
        button={t('importSequence')}
        accept=".json,application/json"
        disabled={busy}
        onFile={(file) => void takeFile(file)}
      />
      <p className="dc-say-outcome" role="status">
        {imported && <StatusDot tone={imported.tone}>{imported.text}</StatusDot>}
      </p>
    </section>
  );
};
