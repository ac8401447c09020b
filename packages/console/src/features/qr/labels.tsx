import { memo } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { CodePicture } from './code-picture.tsx';
import type { Labelled } from './content.ts';
import type { Drawing } from './drawing.ts';
import type { LabelSize } from './label-paper.ts';

export type Label = { device: Labelled; drawing: Drawing };
type LabelsProps = { labels: readonly Label[]; columns: number; size: LabelSize };

const LabelList = memo(({ labels }: { labels: readonly Label[] }) => {
  const { t } = useTranslation('qrCode');
  return labels.map(({ device: { deviceId, deviceName }, drawing }) => (
    <li key={deviceId} className="dc-label">
      <CodePicture drawing={drawing} title={t('pictureOf', { name: deviceName })} />
    </li>
  ));
});

/** Print preview, scaled down if the space is too narrow. */
export const SheetPreview = ({ labels, columns, size }: LabelsProps) => (
  <ul className="dc-label-sheet" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, ${size}mm))` }}>
    <LabelList labels={labels} />
  </ul>
);

/** Rendered outside of the page frame, whose fixed height would prevent page breaks when printing. */
export const PrintedSheet = ({ labels, columns, size }: LabelsProps) =>
  createPortal(
    <ul className="dc-label-sheet dc-print-sheet" style={{ gridTemplateColumns: `repeat(${columns}, ${size}mm)` }}>
      <LabelList labels={labels} />
    </ul>,
    document.body,
  );
