import type { RefusedRow } from '@device-center/contract';
import { FileDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { downloadCsv, harmless } from '../../../ui/csv.ts';

type RefusedTableProps = {
  /** Each with its line in the file. */
  rows: readonly RefusedRow[];
  /** How many were refused: the hub lists the first thousand reasons. */
  all: number;
};

/** What was refused, each with its reason, to read here or to mend in a spreadsheet. */
export const RefusedTable = ({ rows, all }: RefusedTableProps) => {
  const { t } = useTranslation('device');
  const save = () => {
    const head = ['line', 'deviceId', 'field', 'reason'];
    const body = rows.map(({ index, deviceId, field, message }) => [
      String(index),
      harmless(deviceId),
      field,
      harmless(message),
    ]);
    downloadCsv('refused-devices.csv', [head, ...body]);
  };
  const listed = new Set(rows.map(({ index }) => index)).size;
  const title = t('refusedTitle', { count: Math.max(all, listed) });
  return (
    <div className="dc-refused">
      <header>
        <h3>{title}</h3>
        <Button size="small" icon={<FileDown size={14} aria-hidden />} onClick={save}>
          {t('refusedSave')}
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="dc-refused-rows" tabIndex={0} aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('line')}</th>
              <th scope="col">{t('deviceId')}</th>
              <th scope="col">{t('field')}</th>
              <th scope="col">{t('why')}</th>
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
      {all > listed && <p className="dc-muted">{t('refusedFirst', { count: listed })}</p>}
    </div>
  );
};
