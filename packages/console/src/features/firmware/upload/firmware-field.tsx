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

/** The current file of a version. */
export type CurrentFile = Pick<FirmwareFile, 'firmwareUri' | 'nickName' | 'size' | 'md5' | 'sha256'>;

export type ChosenFile = Pick<FirmwareFile, 'firmwareUri' | 'nickName'>;

type FirmwareFieldProps = {
  /** The tenant that will own the file; undefined until it is known. */
  tenancyId: string | undefined;
  currentFile?: CurrentFile;
  /** Called with the file name once it is chosen, with its firmwareUri once it is verified, with neither if removed. */
  onFile: (file: ChosenFile) => void;
  /** Set by the form item. */
  id?: string;
};

type ChooseProps = Pick<FirmwareFieldProps, 'tenancyId'> & { control: UploadControl; error: string };

const ChooseFile = ({ tenancyId, control, error }: ChooseProps) => {
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
        onFile={control.chooseFile}
      />
      {error !== '' && (
        <p role="alert" className="dc-field-error">
          {error}
        </p>
      )}
    </>
  );
};

const UploadSteps = ({ control, tenancyId }: Omit<ChooseProps, 'error'>) => {
  const { t } = useTranslation('firmware');
  const { state } = control;
  if (state.kind === 'none') return <ChooseFile tenancyId={tenancyId} control={control} error={state.error} />;
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

/** Uploads a file in chunks and waits for the hub's check. The form value is the firmwareUri of a verified file. */
export const FirmwareField = ({ tenancyId, currentFile, onFile, id }: FirmwareFieldProps) => {
  const { t } = useTranslation('firmware');
  const userId = useSession()?.userId ?? '';
  const [replacing, setReplacing] = useState(currentFile === undefined);
  const control = useFirmwareUpload({
    owner: tenancyId === undefined ? undefined : { userId, tenancyId },
    onBegin: (nickName) => onFile({ firmwareUri: '', nickName }),
    onReady: ({ firmwareUri, nickName }) => onFile({ firmwareUri, nickName }),
    onGone: () => onFile({ firmwareUri: '', nickName: '' }),
  });
  const keepCurrent = () => {
    if (!currentFile) return;
    setReplacing(false);
    onFile({ firmwareUri: currentFile.firmwareUri, nickName: currentFile.nickName });
  };
  return (
    // The form focuses this section if the file is missing.
    <section id={id} className="dc-firmware-field" aria-label={t('fileSection')} tabIndex={-1}>
      {replacing ? (
        <UploadSteps control={control} tenancyId={tenancyId} />
      ) : (
        currentFile && <FileFacts file={currentFile} />
      )}
      {currentFile && (
        <div className="dc-upload-buttons">
          {replacing ? (
            control.state.kind === 'none' && (
              <Button size="small" onClick={keepCurrent}>
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
