import { type FirmwareFile, firmwareExtensions } from '@device-center/contract';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/session.ts';
import { Button } from '../../../ui/button.tsx';
import { FileZone } from '../../../ui/file-zone.tsx';
import { CheckWait } from './check-wait.tsx';
import { FileFacts } from './file-facts.tsx';
import { UnusedUploads } from './unused-uploads.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { type UploadControl, useFirmwareUpload } from './use-firmware-upload.ts';
import './firmware-field.css';

const ACCEPT = firmwareExtensions.map((extension) => `.${extension}`).join(',');

/** The file that a version has already. */
export type PresentFile = Pick<FirmwareFile, 'firmwareUri' | 'nickName' | 'size' | 'md5' | 'sha256'>;

export type ChosenFile = Pick<FirmwareFile, 'firmwareUri' | 'nickName'>;

type FirmwareFieldProps = {
  /** Whose the file will be; undefined until that is known. */
  tenancyId: string | undefined;
  present?: PresentFile;
  /** Its own name as soon as it is chosen, its address once it is good; neither when it is gone. */
  onFile: (file: ChosenFile) => void;
  /** From the form. */
  id?: string;
};

type ChooseProps = Pick<FirmwareFieldProps, 'tenancyId'> & { control: UploadControl; refusal: string };

const ChooseFile = ({ tenancyId, control, refusal }: ChooseProps) => {
  const { t } = useTranslation('firmware');
  const userId = useSession()?.userId ?? '';
  return (
    <>
      {tenancyId !== undefined && <UnusedUploads owner={{ userId, tenancyId }} control={control} />}
      <FileZone
        text={t(tenancyId === undefined ? 'productFirst' : 'dropFile')}
        button={t('chooseFile')}
        accept={ACCEPT}
        note={t('fileNote', { extensions: firmwareExtensions.join(t('listSeparator')) })}
        disabled={tenancyId === undefined}
        onFile={control.take}
      />
      {refusal !== '' && (
        <p role="alert" className="dc-field-error">
          {refusal}
        </p>
      )}
    </>
  );
};

const UploadSteps = ({ control, tenancyId }: Omit<ChooseProps, 'refusal'>) => {
  const { t } = useTranslation('firmware');
  const { state } = control;
  if (state.kind === 'none') return <ChooseFile tenancyId={tenancyId} control={control} refusal={state.refusal} />;
  if (state.kind === 'sending' || state.kind === 'paused') return <UploadProgress state={state} control={control} />;
  if (state.kind === 'checking') {
    const { firmwareUri } = state;
    return (
      <CheckWait
        key={firmwareUri}
        firmwareUri={firmwareUri}
        onSettled={control.settle}
        onTimeout={() => control.timeOut(firmwareUri)}
      />
    );
  }
  const { file } = state;
  return (
    <div className="dc-upload" data-kind="ready">
      <p role="status" className="dc-upload-ready">
        <CircleCheck size={16} aria-hidden />
        {t('ready')}
      </p>
      <FileFacts file={file} />
      <div className="dc-upload-buttons">
        <Button size="small" onClick={() => void control.discard(file.firmwareUri)}>
          {t('removeFile')}
        </Button>
      </div>
    </div>
  );
};

/** Chosen or dropped, sent in pieces, checked by the hub; the form holds what the hub calls it, once it is good. */
export const FirmwareField = ({ tenancyId, present, onFile, id }: FirmwareFieldProps) => {
  const { t } = useTranslation('firmware');
  const userId = useSession()?.userId ?? '';
  const [replacing, setReplacing] = useState(present === undefined);
  const control = useFirmwareUpload({
    owner: tenancyId === undefined ? undefined : { userId, tenancyId },
    onBegin: (nickName) => onFile({ firmwareUri: '', nickName }),
    onReady: ({ firmwareUri, nickName }) => onFile({ firmwareUri, nickName }),
    onGone: () => onFile({ firmwareUri: '', nickName: '' }),
  });
  const keep = () => {
    if (!present) return;
    setReplacing(false);
    onFile({ firmwareUri: present.firmwareUri, nickName: present.nickName });
  };
  return (
    // The form moves here when the file is missing.
    <section id={id} className="dc-firmware-field" aria-label={t('fileSection')} tabIndex={-1}>
      {replacing ? <UploadSteps control={control} tenancyId={tenancyId} /> : present && <FileFacts file={present} />}
      {present && (
        <div className="dc-upload-buttons">
          {replacing ? (
            control.state.kind === 'none' && (
              <Button size="small" onClick={keep}>
                {t('keepFile')}
              </Button>
            )
          ) : (
            <Button size="small" onClick={() => setReplacing(true)}>
              {t('replaceFile')}
            </Button>
          )}
        </div>
      )}
    </section>
  );
};
