import { type SyncCountRow, type SyncRecordRow, syncCalls } from '@device-center/contract';
import { Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../../api/feedback.ts';
import { useCallMutation } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import type { DataType } from '../sync-badges.tsx';
import { Preview } from './preview.tsx';
import './send-dialog.css';

export type SendRequest = {
  zone: Pick<SyncCountRow, 'zoneId' | 'zoneName'>;
  dataType: DataType;
  /** Selected records; if omitted, all that are not synchronised. */
  records?: readonly Pick<SyncRecordRow, 'syncId'>[];
  done?: () => void;
};

/** Sends the selected records or all of a type, and announces how many are being sent. */
export const useSend = () => {
  const { t } = useTranslation('sync');
  const onSuccess = ({ requested }: { requested: number }) =>
    announceSuccess(requested === 0 ? t('requestedNone') : t('requested', { count: requested }));
  const request = useCallMutation(syncCalls.request, { onSuccess });
  const oneKey = useCallMutation(syncCalls.oneKey, { onSuccess });
  return {
    busy: request.isPending || oneKey.isPending,
    send: ({ zone: { zoneId }, dataType, records }: SendRequest): Promise<unknown> =>
      records
        ? request.mutateAsync({ zoneId, syncIds: records.map(({ syncId }) => syncId) })
        : oneKey.mutateAsync({ zoneId, dataType }),
  };
};

/** Shows a preview before sending. An error of the hub replaces it. */
export const SendDialog = ({ ask, onClose }: { ask: SendRequest; onClose: () => void }) => {
  const { t } = useTranslation(['sync', 'common']);
  const { busy, send } = useSend();
  const [errorMessage, setErrorMessage] = useState<string>();
  const { zone, dataType, records, done } = ask;
  const name = zone.zoneName;
  const confirm = async () => {
    try {
      await send(ask);
      done?.();
      onClose();
    } catch (error) {
      setErrorMessage(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Modal
      open
      title={
        records
          ? t('sync:requestTitle', { name, count: records.length })
          : t('sync:oneKeyTitle', { name, type: t(`sync:type_${dataType}`) })
      }
      onCancel={onClose}
      width={640}
      footer={
        <>
          <Button onClick={onClose}>{t(errorMessage === undefined ? 'common:cancel' : 'common:close')}</Button>
          {errorMessage === undefined && (
            <Button type="primary" loading={busy} onClick={() => void confirm()}>
              {t('sync:sendNow')}
            </Button>
          )}
        </>
      }
    >
      {errorMessage === undefined ? <Preview ask={ask} paused={busy} /> : <div role="alert">{errorMessage}</div>}
    </Modal>
  );
};
