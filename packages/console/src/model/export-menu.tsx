import { exportModel, type FunctionWithId } from '@device-center/contract';
import { App, Dropdown } from 'antd';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { downloadText } from './download.ts';
import { PathMessages } from './path-messages.tsx';

type ExportFormat = 'json' | 'tsl';

/** A file name that is valid on every operating system. */
const fileName = (name: string): string => name.replace(/[^\p{L}\p{N}._-]+/gu, '-') || 'model';

/** Downloads the draft and lists what the format cannot express. */
export const useExport = (name: string, functions: FunctionWithId[]) => {
  const { t } = useTranslation('model');
  const { modal } = App.useApp();
  return (format: ExportFormat) => {
    const { notes, ...file } = exportModel(format, { productId: fileName(name), productName: name, functions });
    downloadText(file);
    if (notes.length === 0) return;
    void modal.info({
      title: t('exportNotes'),
      width: 640,
      content: (
        <PathMessages
          title={file.filename}
          entries={notes.map(({ place, text }) => ({ field: place, message: text[currentLanguage()] }))}
        />
      ),
    });
  };
};

type ExportMenuProps = { onExport: (format: ExportFormat) => void; disabled: boolean };

export const ExportMenu = ({ onExport, disabled }: ExportMenuProps) => {
  const { t } = useTranslation('model');
  return (
    <Dropdown
      trigger={['click']}
      disabled={disabled}
      menu={{
        items: [
          { key: 'json', label: t('exportJson'), onClick: () => onExport('json') },
          { key: 'tsl', label: t('exportTsl'), onClick: () => onExport('tsl') },
        ],
      }}
    >
      <Button title={t('export')} icon={<Download size={15} aria-hidden />}>
        {t('export')}
      </Button>
    </Dropdown>
  );
};
