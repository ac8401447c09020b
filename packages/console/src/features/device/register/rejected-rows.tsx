import type { RejectedRow } from '@device-center/contract';
import { FileDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { downloadCsv, escapeFormula } from '../../../ui/csv.ts';

type RejectedRowsTableProps = {
  /** Each with its line in the file. */
  rows: readonly RejectedRow[];
  /** The number of rejected rows; the hub lists the first thousand reasons. */
  all: number;
};

/** The rejected rows with their reasons, to read here or to correct in a spreadsheet. */
export const RejectedRowsTable = ({ rows, all }: RejectedRowsTableProps) => {
  const { t } = useTranslation('device');
  const save = () => {
    const head = ['line', 'deviceId', 'field', 'reason'];
    const body = rows.map(({ index, deviceId, field, message }) => [
      String(index),
      escapeFormula(deviceId),
      field,
      escapeFormula(message),
    ]);
    downloadCsv('refused-devices.csv', [head, ...body]);
  };
  const listed = new Set(rows.map(({ index }) => index)).size;
  const title = t('rejectedTitle', { count: Math.max(all, listed) });
  return (
    <div className="dc-rejected">
      <header>
        <h3>{title}</h3>
        <Button size="small" icon={<FileDown size={14} aria-hidden />} onClick={save}>
          {t('rejectedDownload')}
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section className="dc-rejected-rows" tabIndex={0} aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('line')}</th>
              <th scope="col">{t('deviceId')}</th>
              <th scope="col">{t('field')}</th>
              <th scope="col">{t('rejectReason')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ index, deviceId, field, message }) => (
              <tr key={`${index} ${deviceId} ${field}`}>
                <td className="dc-number">{index}</td>
                <td className="dc-mono">{deviceId || '—'}</td>
                <td className="dc-mono">{field}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {all > listed && <p className="dc-muted">{t('rejectedFirst', { count: listed })}</p>}
    </div>
  );
};
