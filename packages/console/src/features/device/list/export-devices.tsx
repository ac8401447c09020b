import { deviceCalls } from '@device-center/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announceFailure } from '../../../api/feedback.ts';
import { Button } from '../../../ui/button.tsx';
import { saveFile } from '../detail/fetch-file.ts';
import type { DeviceListSearch } from './device-search.ts';

const NOT_FILTERS = new Set(['pageIndex', 'pageSize', 'sortField', 'sortMode']);

/** Exports all devices that match the filters, not only the current page. */
export const ExportDevices = ({ search }: { search: DeviceListSearch }) => {
  const { t } = useTranslation('device');
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const filters = Object.fromEntries(Object.entries(search).filter(([key]) => !NOT_FILTERS.has(key)));
      const day = new Date().toISOString().slice(0, 10);
      await saveFile(deviceCalls.exportDeviceList, filters, `devices-${day}.csv`);
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
