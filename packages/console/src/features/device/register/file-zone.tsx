import { Button } from 'antd';
import { Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

type FileZoneProps = { name: string | undefined; disabled: boolean; onFile: (file: File) => void };

export const FileZone = ({ name, disabled, onFile }: FileZoneProps) => {
  const { t } = useTranslation('device');
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (file: File | undefined) => {
    if (file && !disabled) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same by key.
    <div
      className="dc-sheet-drop"
      data-over={over && !disabled}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Upload size={18} aria-hidden />
      <span>{disabled ? t('sheetProductFirst') : (name ?? t('sheetDrop'))}</span>
      <Button size="small" disabled={disabled} onClick={() => input.current?.click()}>
        {t(name === undefined ? 'sheetChoose' : 'sheetReplace')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv,text/plain"
        hidden
        disabled={disabled}
        aria-label={t('sheetChoose')}
        onChange={({ target }) => {
          take(target.files?.[0]);
          target.value = '';
        }}
      />
    </div>
  );
};
