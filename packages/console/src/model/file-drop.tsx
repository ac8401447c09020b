import { type DragEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

type FileDropProps = { enabled: boolean; onFile: (file: File) => void; children: ReactNode };

const hasFile = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

/** Opens a file that is dropped anywhere on the editor for import. */
export const FileDrop = ({ enabled, onFile, children }: FileDropProps) => {
  const { t } = useTranslation('model');
  const [over, setOver] = useState(false);
  if (!enabled) return <div className="dc-model">{children}</div>;
  const drop = (event: DragEvent) => {
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (!hasFile(event) || event.defaultPrevented || !file) return;
    event.preventDefault();
    onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a mouse shortcut; the import button does the same.
    <div
      className="dc-model"
      data-over={over}
      onDragOver={(event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
    >
      {children}
      {over && (
        <div className="dc-file-over" aria-hidden="true">
          {t('dropHere')}
        </div>
      )}
    </div>
  );
};
