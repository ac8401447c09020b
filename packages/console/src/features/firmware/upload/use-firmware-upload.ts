import { type FirmwareFile, firmwareCalls, firmwareExtensionOf } from '@device-center/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, NETWORK_CODE } from '../../../api/api-error.ts';
import { announceFailure } from '../../../api/feedback.ts';
import { useCallMutation } from '../../../api/use-call.ts';
import type { FirmwareUpload, Owner, UploadEvents } from './firmware-upload.ts';
import { createSpeed } from './speed.ts';

// Only whoever uploads needs the protocol.
const loadProtocol = () => import('./firmware-upload.ts');
export const forget = async (firmwareUri: string): Promise<void> => (await loadProtocol()).forgetUpload(firmwareUri);

type Sending = { file: File; sent: number };
export type UploadState =
  /** Nothing of ours is on the hub; `refusal` tells why the last file was not taken. */
  | { kind: 'none'; refusal: string }
  | ({ kind: 'sending'; speed: number | undefined } & Sending)
  /** By hand, or for a reason. */
  | ({ kind: 'paused'; reason: string; offline: boolean } & Sending)
  | { kind: 'checking'; firmwareUri: string }
  | { kind: 'ready'; file: FirmwareFile };

type UploadOptions = {
  owner: Owner | undefined;
  /** A file is on its way: until it is ready there is none for the version. */
  onBegin: (fileName: string) => void;
  onReady: (file: FirmwareFile) => void;
  /** Thrown away, or no good. */
  onGone: () => void;
};

/** One file on its way to the hub, through the hub's check, to where a version can use it. */
export const useFirmwareUpload = ({ owner, onBegin, onReady, onGone }: UploadOptions) => {
  const { t } = useTranslation('firmware');
  const [state, setState] = useState<UploadState>({ kind: 'none', refusal: '' });
  const running = useRef<FirmwareUpload>(undefined);
  // What was looked up for an upload that has since been stopped must not start it.
  const wanted = useRef<object>(undefined);
  const speed = useRef(createSpeed());
  const remove = useCallMutation(firmwareCalls.deleteDeviceOtaFile);

  // Whoever leaves the page stops sending; what has arrived waits a day for the rest.
  useEffect(
    () => () => {
      wanted.current = undefined;
      running.current?.pause();
    },
    [],
  );

  const letGo = (refusal = '') => {
    wanted.current = undefined;
    running.current = undefined;
    setState({ kind: 'none', refusal });
    onGone();
  };

  const stop = (file: File, error: unknown) => {
    if (!(error instanceof ApiError)) return letGo(String(error));
    announceFailure(error);
    const passing = error.status === 0 || error.status >= 500 || error.status === 401 || error.status === 429;
    if (!passing) return letGo(error.message);
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
        // What is told after a pause is of before it.
        now.kind === 'sending' ? { ...now, sent, speed: speed.current.add(sent, performance.now()) } : now,
      ),
    onArrived: (firmwareUri) => {
      running.current = undefined;
      setState({ kind: 'checking', firmwareUri });
    },
    onStopped: (error) => stop(file, error),
  });

  const send = async (file: File, from: Owner) => {
    const order = {};
    wanted.current = order;
    speed.current.reset();
    setState({ kind: 'sending', file, sent: 0, speed: undefined });
    try {
      const { createFirmwareUpload } = await loadProtocol();
      const upload = await createFirmwareUpload(file, from, eventsOf(file));
      if (wanted.current !== order) return;
      running.current = upload;
      upload.start();
    } catch (error) {
      if (wanted.current === order) stop(file, error);
    }
  };

  const take = (file: File) => {
    if (!owner) return;
    if (!firmwareExtensionOf(file.name)) return setState({ kind: 'none', refusal: t('wrongType') });
    if (file.size === 0) return setState({ kind: 'none', refusal: t('fault_empty') });
    onBegin(file.name);
    void send(file, owner);
  };

  const pause = () => {
    wanted.current = undefined;
    running.current?.pause();
    setState((now) => (now.kind === 'sending' ? { ...now, kind: 'paused', reason: '', offline: false } : now));
  };

  const resume = () => {
    if (state.kind !== 'paused' || !owner) return;
    // It never came to a start.
    if (!running.current) return void send(state.file, owner);
    speed.current.reset();
    setState({ kind: 'sending', file: state.file, sent: state.sent, speed: undefined });
    running.current.start();
  };

  const waitsForLine = state.kind === 'paused' && state.offline;
  const resumeNow = useRef(resume);
  resumeNow.current = resume;
  useEffect(() => {
    if (!waitsForLine) return;
    const goOn = () => resumeNow.current();
    window.addEventListener('online', goOn);
    return () => window.removeEventListener('online', goOn);
  }, [waitsForLine]);

  const cancel = async () => {
    await running.current?.cancel();
    letGo();
  };

  const discard = async (firmwareUri: string) => {
    // First, or it would be offered again at once.
    await forget(firmwareUri);
    letGo();
    remove.mutate({ name: firmwareUri });
  };

  const settle = (file: FirmwareFile) => {
    if (file.state === 'ready') {
      setState({ kind: 'ready', file });
      return onReady(file);
    }
    const { fault, nickName: name, firmwareUri } = file;
    void forget(firmwareUri);
    letGo(t('checkFailed', { name, reason: t(`fault_${fault || 'lost'}`) }));
  };

  const timeOut = (firmwareUri: string) => {
    // Else the same file, chosen again, would be taken for the one that nothing comes of.
    void forget(firmwareUri);
    letGo(t('timedOut'));
  };

  return {
    state,
    take,
    pause,
    resume,
    cancel,
    discard,
    settle,
    timeOut,
    /** A file that is on the hub already. */
    adopt: (file: FirmwareFile) => {
      onBegin(file.nickName);
      setState({ kind: 'checking', firmwareUri: file.firmwareUri });
    },
  };
};

export type UploadControl = ReturnType<typeof useFirmwareUpload>;
