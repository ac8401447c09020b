import { Progress } from 'antd';
import { Pause, Play, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { durationText, percentOf, sizeText } from '../sizes.ts';
import type { UploadControl, UploadState } from './use-firmware-upload.ts';

type UploadProgressProps = {
  state: Extract<UploadState, { kind: 'sending' | 'paused' }>;
  control: Pick<UploadControl, 'pause' | 'resume' | 'cancel'>;
};

const Pace = ({ state }: Pick<UploadProgressProps, 'state'>) => {
  const { t } = useTranslation('firmware');
  if (state.kind === 'paused') return <span>{t('paused')}</span>;
  const { speed, sent, file } = state;
  if (speed === undefined) return <span>{t('sending')}</span>;
  return (
    <>
      <span>{t('speed', { speed: sizeText(speed) })}</span>
      {speed > 0 && <span>{t('timeLeft', { time: durationText((file.size - sent) / speed) })}</span>}
    </>
  );
};

export const UploadProgress = ({ state, control }: UploadProgressProps) => {
  const { t } = useTranslation(['firmware', 'common']);
  const { file, sent, kind } = state;
  const percent = percentOf(sent, file.size);
  return (
    <div className="dc-upload" data-kind={kind}>
      <p className="dc-upload-name">
        <strong title={file.name}>{file.name}</strong>
        <span className="dc-number">{percent}%</span>
      </p>
      <Progress
        percent={percent}
        showInfo={false}
        status={kind === 'sending' ? 'active' : 'normal'}
        strokeColor={kind === 'sending' ? 'var(--brand)' : 'var(--warning)'}
        railColor="var(--line)"
        aria-label={t('firmware:progressOf', { name: file.name })}
      />
      <p className="dc-upload-pace dc-number">
        <span>{t('firmware:sentOf', { sent: sizeText(sent), size: sizeText(file.size) })}</span>
        <Pace state={state} />
      </p>
      {kind === 'paused' && state.reason !== '' && (
        <p role="alert" className="dc-field-error">
          {state.reason}
          {state.offline && ` ${t('firmware:resumesItself')}`}
        </p>
      )}
      <div className="dc-upload-buttons">
        {kind === 'sending' ? (
          <Button size="small" icon={<Pause size={14} aria-hidden />} onClick={control.pause}>
            {t('firmware:pause')}
          </Button>
        ) : (
          <Button size="small" type="primary" icon={<Play size={14} aria-hidden />} onClick={control.resume}>
            {t('firmware:resume')}
          </Button>
        )}
        <Button size="small" icon={<X size={14} aria-hidden />} onClick={() => void control.cancel()}>
          {t('firmware:cancelUpload')}
        </Button>
      </div>
    </div>
  );
};
