import { type ZoneRow, zoneCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { ConfirmDelete } from '../../ui/confirm-delete.tsx';
import type { AskToDelete } from '../../ui/delete-rows.tsx';

type DeleteZoneProps = AskToDelete & {
  zone: Pick<ZoneRow, 'id' | 'zoneName' | 'builtin' | 'deviceCount'>;
};

/** Confirms the deletion of a zone, or explains why it is impossible. The row may be outdated, so the hub checks too. */
export const DeleteZone = ({
  zone: { id, zoneName, builtin, deviceCount = 0 },
  leaves = false,
  onClose,
  onDeleted,
}: DeleteZoneProps) => {
  const { t } = useTranslation('zone');
  const remove = useCallMutation(zoneCalls.removeZone, { toast: true, leaves });
  const blockedReason = (): string | undefined => {
    if (builtin === 1) return t('deleteBuiltin');
    return deviceCount > 0 ? t('deleteHeld', { count: deviceCount }) : undefined;
  };
  return (
    <ConfirmDelete
      open
      title={t('deleteTitle', { name: zoneName })}
      text={t('deleteText')}
      blockedReason={blockedReason()}
      onConfirm={async () => {
        await remove.mutateAsync({ id });
        onDeleted();
      }}
      onClose={onClose}
    />
  );
};
