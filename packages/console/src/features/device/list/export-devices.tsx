import { deviceCalls } from '@device-center/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announceFailure } from '../../../api/feedback.ts';
import { Button } from '../../../ui/button.tsx';
import { saveFile } from '../detail/fetch-file.ts';
import type { DeviceListSearch } from './device-search.ts';

const NOT_ASKED = new Set(['pageIndex', 'pageSize', 'sortField', 'sortMode']);

/** The devices of the list as the filters have it, not only the page in sight. */
export const ExportDevices = ({ search }: { search: DeviceListSearch }) => {
  const { t } = useTranslation('device');
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const asked = Object.fromEntries(Object.entries(search).filter(([key]) => !NOT_ASKED.has(key)));
      const day = new Date().toISOString().slice(0, 10);
      await saveFile(deviceCalls.exportDeviceList, asked, `devices-${day}.csv`);
    } catch (error) {
      announceFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      icon={<Download size={16} aria-hidden />}
      loading={busy}
      title={t('exportHint')}
      onClick={() => void save()}
    >
      {t('export')}
    </Button>
  );
};
