import { BATCH_MAX } from '@device-center/contract';
import { Alert, Input, Segmented, Select } from 'antd';
import { Printer, QrCode } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { LoadingCard } from '../../ui/detail-page.tsx';
import { EmptyState, ErrorCard } from '../../ui/states.tsx';
import { fillContent, type Labelled } from './content.ts';
import { ContentField } from './content-field.tsx';
import type { Design, DesignProps } from './design.ts';
import { drawCode, isDrawingError } from './drawing.ts';
import { drawingErrorText } from './error-texts.ts';
import { columnsThatFit, type LabelSize, labelSizes } from './label-paper.ts';
import { LabelledField } from './labelled-field.tsx';
import { type Label, PrintedSheet, SheetPreview } from './labels.tsx';
import { StyleSection } from './style-section.tsx';
import { useLabelledDevices } from './use-labelled-devices.ts';
import type { Logo } from './use-logo.ts';
import { useSheetIds } from './use-sheet-ids.ts';

/** Resolution of a label, enough for the largest code; its printed size is in millimetres. */
const LABEL_PIXELS = 480;

type Rejected = { deviceId: string; reason: string };

/** Labels of the devices, and the devices without a label with the reason. */
const drawLabels = (devices: readonly Labelled[], design: Design, logo: string | undefined) => {
  const labels: Label[] = [];
  const rejected: Rejected[] = [];
  for (const device of devices) {
    const { deviceId, deviceName } = device;
    const caption = design.caption ? { name: deviceName, id: deviceId } : undefined;
    const style = { ...design, size: LABEL_PIXELS, logo };
    const drawn = drawCode(fillContent(design.content, device), caption, style);
    if (isDrawingError(drawn)) rejected.push({ deviceId, reason: drawingErrorText(drawn) });
    else labels.push({ device, drawing: drawn });
  }
  return { labels, rejected };
};

type PaperProps = {
  size: LabelSize;
  columns: number;
  onSize: (size: LabelSize) => void;
  onColumns: (n: number) => void;
};

const PaperSection = ({ size, columns, onSize, onColumns }: PaperProps) => {
  const { t } = useTranslation('qrCode');
  return (
    <section className="dc-card dc-form-section" aria-label={t('paper')}>
      <h2>{t('paper')}</h2>
      <div className="dc-form-pair">
        <div className="dc-qr-field">
          <span className="dc-qr-label">{t('labelSize')}</span>
          <Segmented<LabelSize>
            aria-label={t('labelSize')}
            value={size}
            options={labelSizes.map((value) => ({ value, label: `${value} mm` }))}
            onChange={onSize}
          />
        </div>
        <LabelledField label={t('columns')} hint={t('columnsHint', { count: columnsThatFit(size) })}>
          {({ id }) => (
            <Select<number>
              id={id}
              value={columns}
              options={Array.from({ length: columnsThatFit(size) }, (_none, index) => ({
                value: index + 1,
                label: String(index + 1),
              }))}
              onChange={onColumns}
            />
          )}
        </LabelledField>
      </div>
    </section>
  );
};

const Missing = ({ unknown, rejected }: { unknown: readonly string[]; rejected: readonly Rejected[] }) => {
  const { t } = useTranslation('qrCode');
  return (
    <>
      {unknown.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('unknownIds', { count: unknown.length })}
          description={<span className="dc-mono">{unknown.join(', ')}</span>}
        />
      )}
      {rejected.length > 0 && (
        <Alert
          type="error"
          showIcon
          title={t('withoutCode', { count: rejected.length })}
          description={
            <ul>
              {rejected.map(({ deviceId, reason }) => (
                <li key={deviceId}>
                  <span className="dc-mono">{deviceId}</span> {reason}
                </li>
              ))}
            </ul>
          }
        />
      )}
    </>
  );
};

type LabelSheetProps = DesignProps & { ids: string; logo: Logo };

/** Page of labels for printing. */
export const LabelSheet = ({ ids: given, design, onDesign, logo }: LabelSheetProps) => {
  const { t } = useTranslation('qrCode');
  const { typed, setTyped, ids } = useSheetIds(given);
  const tooMany = ids.length > BATCH_MAX;
  const { devices, unknown, pending, error, retry } = useLabelledDevices(tooMany ? [] : ids);
  const [size, setSize] = useState<LabelSize>(40);
  const [wanted, setWanted] = useState(4);
  const columns = Math.min(wanted, columnsThatFit(size));
  // Drawing a hundred codes takes longer than a key press, so it is deferred.
  const drawnDesign = useDeferredValue(design);
  const { labels, rejected } = useMemo(
    () => drawLabels(devices, drawnDesign, logo.logo),
    [devices, drawnDesign, logo.logo],
  );
  const sheet = { labels, columns, size };
  return (
    <div className="dc-form-columns">
      <div className="dc-form-main">
        <section className="dc-card dc-form-section" aria-label={t('whatIsIn')}>
          <h2>{t('whatIsIn')}</h2>
          <LabelledField
            label={t('deviceIds')}
            required
            hint={t('deviceIdsHint', { max: BATCH_MAX })}
            problem={tooMany ? t('tooMany', { max: BATCH_MAX, count: ids.length }) : ''}
          >
            {(control) => (
              <Input.TextArea
                {...control}
                className="dc-qr-content"
                value={typed}
                rows={4}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </LabelledField>
          <ContentField design={design} onDesign={onDesign} problem="" />
        </section>
        <PaperSection size={size} columns={columns} onSize={setSize} onColumns={setWanted} />
        <StyleSection design={design} onDesign={onDesign} logo={logo} withSize={false} />
      </div>
      <aside className="dc-card dc-padded dc-qr-preview dc-qr-sheet" aria-label={t('preview')}>
        <div className="dc-qr-sheet-head">
          <span role="status">{t('labelCount', { count: labels.length })}</span>
          <Button
            type="primary"
            icon={<Printer size={16} aria-hidden />}
            disabled={labels.length === 0 || pending}
            onClick={() => window.print()}
          >
            {t('print')}
          </Button>
        </div>
        {error && <ErrorCard error={error} onRetry={retry} />}
        <Missing unknown={unknown} rejected={rejected} />
        {pending && labels.length === 0 && <LoadingCard />}
        {labels.length > 0 && (
          <div className="dc-qr-paper">
            <SheetPreview {...sheet} />
          </div>
        )}
        {labels.length === 0 && !pending && !error && (
          <EmptyState icon={<QrCode size={22} />} title={t('noLabels')} text={t('noLabelsText')} />
        )}
      </aside>
      {labels.length > 0 && <PrintedSheet {...sheet} />}
    </div>
  );
};
