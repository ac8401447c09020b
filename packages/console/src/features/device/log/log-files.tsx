import { recordCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../detail/fetch-file.ts';
import { SaveButton } from '../detail/save-button.tsx';

/** The name is `{deviceId}_{yyyy-MM-dd}.log`; only the day is shown. */
const dayOf = (name: string): string => /_(\d{4}-\d{2}-\d{2})\.log$/.exec(name)?.[1] ?? name;

export const LogFiles = ({ names }: { names: readonly string[] }) => {
  const { t } = useTranslation('deviceDetail');
  return (
    <aside className="dc-card dc-log-files">
      <h2>{t('files')}</h2>
      <p className="dc-muted dc-small">{names.length === 0 ? t('filesEmpty') : t('filesText')}</p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <SaveButton
              type="link"
              failed={t('downloadFailed')}
              label={t('download', { name })}
              save={() => saveFile(recordCalls.downloadDeviceLogFile, { logFileName: name }, name)}
            >
              {dayOf(name)}
            </SaveButton>
          </li>
        ))}
      </ul>
    </aside>
  );
};
