import { type FirmwareFile, firmwareCalls, firmwareExtensionOf } from '@device-center/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, NETWORK_CODE } from '../../../api/api-error.ts';
import { announceFailure } from '../../../api/feedback.ts';
import { useCallMutation } from '../../../api/use-call.ts';
import type { FirmwareUpload, Owner, UploadEvents } from './firmware-upload.ts';
import { createSpeedMeter } from './speed.ts';

// Loaded on demand: only an upload needs the tus protocol.
const loadProtocol = () => import('./firmware-upload.ts');
export const forgetFirmwareUpload = async (firmwareUri: string): Promise<void> =>
  (await loadProtocol()).forgetUpload(firmwareUri);

type Sending = { file: File; sent: number };
export type UploadState =
  /** There is no file; `error` is why the last one was rejected. */
  | { kind: 'none'; error: string }
  | ({ kind: 'sending'; speed: number | undefined } & Sending)
  /** By the user, or because of an error, which is the `reason`. */
  | ({ kind: 'paused'; reason: string; offline: boolean } & Sending)
  | { kind: 'checking'; firmwareUri: string }
  | { kind: 'ready'; file: FirmwareFile };

type UploadOptions = {
  owner: Owner | undefined;
  /** An upload starts: the version has no file until it is ready. */
  onBegin: (fileName: string) => void;
  onReady: (file: FirmwareFile) => void;
  /** The file was discarded or rejected. */
  onGone: () => void;
};

/** Uploads one file and follows the hub's check, until a version can use it. */
export const useFirmwareUpload = ({ owner, onBegin, onReady, onGone }: UploadOptions) => {
  const { t } = useTranslation('firmware');
  const [state, setState] = useState<UploadState>({ kind: 'none', error: '' });
  const running = useRef<FirmwareUpload>(undefined);
  // Identifies the active upload: one that was stopped during its lookup must not start.
  const activeToken = useRef<object>(undefined);
  const speed = useRef(createSpeedMeter());
  const remove = useCallMutation(firmwareCalls.deleteDeviceOtaFile);

  // Leaving the page pauses the upload; the hub keeps the received part for a day.
  useEffect(
    () => () => {
      activeToken.current = undefined;
      running.current?.pause();
    },
    [],
  );

  const reset = (error = '') => {
    activeToken.current = undefined;
    running.current = undefined;
    setState({ kind: 'none', error });
    onGone();
  };

  const handleError = (file: File, error: unknown) => {
    if (!(error instanceof ApiError)) return reset(String(error));
    announceFailure(error);
    const retryable = error.status === 0 || error.status >= 500 || error.status === 401 || error.status === 429;
    if (!retryable) return reset(error.message);
    const offline = error.code === NETWORK_CODE;
    setState((now) => ({
      kind: 'paused',
      file,
      sent: 'sent' in now ? now.sent : 0,
      reason: error.message,
      offline,
    }));
  };

  const eventsOf = (file: File): UploadEvents => ({
    onProgress: (sent) =>
      setState((now) =>
        // Progress reported after a pause belongs to the time before it.
        now.kind === 'sending' ? { ...now, sent, speed: speed.current.add(sent, performance.now()) } : now,
      ),
    onUploaded: (firmwareUri) => {
      running.current = undefined;
      setState({ kind: 'checking', firmwareUri });
    },
    onStopped: (error) => handleError(file, error),
  });

  const send = async (file: File, from: Owner) => {
    const token = {};
    activeToken.current = token;
    speed.current.reset();
    setState({ kind: 'sending', file, sent: 0, speed: undefined });
    try {
      const { createFirmwareUpload } = await loadProtocol();
      const upload = await createFirmwareUpload(file, from, eventsOf(file));
      if (activeToken.current !== token) return;
      running.current = upload;
      upload.start();
    } catch (error) {
      if (activeToken.current === token) handleError(file, error);
    }
  };

  const chooseFile = (file: File) => {
    if (!owner) return;
    if (!firmwareExtensionOf(file.name)) return setState({ kind: 'none', error: t('wrongType') });
    if (file.size === 0) return setState({ kind: 'none', error: t('fault_empty') });
    onBegin(file.name);
    void send(file, owner);
  };

  const pause = () => {
    activeToken.current = undefined;
    running.current?.pause();
    setState((now) => (now.kind === 'sending' ? { ...now, kind: 'paused', reason: '', offline: false } : now));
  };

  const resume = () => {
    if (state.kind !== 'paused' || !owner) return;
    // The upload was paused before it started.
    if (!running.current) return void send(state.file, owner);
    speed.current.reset();
    setState({ kind: 'sending', file: state.file, sent: state.sent, speed: undefined });
    running.current.start();
  };

  const resumesOnline = state.kind === 'paused' && state.offline;
  const resumeNow = useRef(resume);
  resumeNow.current = resume;
  useEffect(() => {
    if (!resumesOnline) return;
    const onOnline = () => resumeNow.current();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [resumesOnline]);

  const cancel = async () => {
    await running.current?.cancel();
    reset();
  };

  const discard = async (firmwareUri: string) => {
    // Forget it first, or it would be offered again at once.
    await forgetFirmwareUpload(firmwareUri);
    reset();
    remove.mutate({ name: firmwareUri });
  };

  const settle = (file: FirmwareFile) => {
    if (file.state === 'ready') {
      setState({ kind: 'ready', file });
      return onReady(file);
    }
    const { fault, nickName: name, firmwareUri } = file;
    void forgetFirmwareUpload(firmwareUri);
    reset(t('checkFailed', { name, reason: t(`fault_${fault || 'lost'}`) }));
  };

  const timeOut = (firmwareUri: string) => {
    // Otherwise the same file, chosen again, would resume the upload whose check does not end.
    void forgetFirmwareUpload(firmwareUri);
    reset(t('timedOut'));
  };

  return {
    state,
    chooseFile,
    pause,
    resume,
    cancel,
    discard,
    settle,
    timeOut,
    /** Uses a file that is already on the hub. */
    adopt: (file: FirmwareFile) => {
      onBegin(file.nickName);
      setState({ kind: 'checking', firmwareUri: file.firmwareUri });
    },
  };
};

export type UploadControl = ReturnType<typeof useFirmwareUpload>;
