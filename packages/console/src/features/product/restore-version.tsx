import { type ModelEffect, modelCalls, type ProductRow } from '@device-center/contract';
import { Alert, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../api/feedback.ts';
import { useCall, useCallMutation } from '../../api/use-call.ts';
import { ChangeList } from '../../model/change-list.tsx';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/detail-page.tsx';

type RestoreVersionProps = { product: ProductRow; version: number; unsaved: boolean; onClose: () => void };

/** Shows the effect of restoring a version and confirms it. */
export const RestoreVersion = ({ product, version, unsaved, onClose }: RestoreVersionProps) => {
  const { t } = useTranslation(['product', 'common']);
  const { productId, modelVersion: current } = product;
  const query = useCall(modelCalls.compareModelVersions, { productId, from: current, to: version });
  const restore = useCallMutation(modelCalls.restoreModelVersion, {
    onSuccess: ({ modelVersion }) => {
      announceSuccess(t('product:restored', { version: modelVersion }));
      onClose();
    },
  });
  const effect = query.data;
  const same = effect !== undefined && effect.changes.length === 0 && !effect.reordered;
  return (
    <Modal
      open
      width={640}
      title={t('product:restoreTitle', { version })}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button
            type="primary"
            danger={effect?.breaking === true}
            disabled={unsaved || effect === undefined || same}
            loading={restore.isPending}
            onClick={() => restore.mutate({ productId, version, modelVersion: current })}
          >
            {t('product:restoreConfirm')}
          </Button>
        </>
      }
    >
      <p className="dc-restore-text">{t('product:restoreText', { current })}</p>
      {unsaved && <Alert className="dc-alert" type="warning" showIcon title={t('product:restoreUnsaved')} />}
      {same && <Alert className="dc-alert" type="info" showIcon title={t('product:restoreSame')} />}
      <Loaded<ModelEffect> query={query}>
        {(shown) => <ChangeList difference={shown} deviceCount={shown.deviceCount} />}
      </Loaded>
      {restore.error && (
        <p role="alert" className="dc-field-error">
          {restore.error.message}
        </p>
      )}
    </Modal>
  );
};
