import { fields, LOG_LINE_MAX_BYTES, type LogLevelId, logLevelIds } from '@device-center/contract';
import { Input, Select } from 'antd';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/button.tsx';
import { usePanel } from '../panel-context.ts';
import { NumberField } from './number-field.tsx';
import { OutcomeLine } from './outcome-line.tsx';
import { SenderSelect } from './sender-select.tsx';
import { useSendMessage } from './use-send-message.ts';
import { useSender } from './use-sender.ts';
import './tabs.css';

type Level = Exclude<LogLevelId, 8>;
const levels = logLevelIds.filter((level): level is Level => level !== 8);
const INFO = 4;
const LINES_MAX = 1_000;

/** The device's log level; undefined before it is online, because the hub sends it at login. */
const useDeviceLogLevel = (deviceId: string): LogLevelId | undefined => {
  const { mock } = usePanel();
  const [, rerender] = useState(0);
  useEffect(() => mock.device.on('settings', () => rerender((times) => times + 1)), [mock]);
  return mock.isOnline(deviceId) ? mock.settingsOf(deviceId)?.loggerLevel : undefined;
};

const LogsTab = () => {
  const { t } = useTranslation(['mockTabs', 'deviceDetail']);
  const ids = { level: useId(), text: useId(), count: useId() };
  const { deviceId, blockedReason } = useSender();
  const deviceLevel = useDeviceLogLevel(deviceId);
  const { send, outcome, sending } = useSendMessage();
  const [level, setLevel] = useState<Level>(INFO);
  const [text, setText] = useState('');
  const [count, setCount] = useState(10);
  const isBelowLevel = deviceLevel !== undefined && level < deviceLevel;

  const sendLines = (lines: readonly string[]) =>
    void send(
      lines.map((value) => ({ deviceId, kind: 'log', name: String(level), value })),
      t(isBelowLevel ? 'logLeftOut' : 'logStored', { count: lines.length }),
    );
  const isTooLong = (line: string) => fields.utf8Bytes(line) > LOG_LINE_MAX_BYTES;
  const numbered = (index: number) => `${text} ${index}/${count}`;
  const cannotSend = blockedReason !== '' || text.trim() === '';
  const shared = { title: blockedReason, loading: sending };
  return (
    <div className="dc-mock-tab">
      <SenderSelect />
      {deviceLevel !== undefined && (
        <p className="dc-muted">{t('ownLevel', { level: t(`deviceDetail:level_${deviceLevel}`) })}</p>
      )}
      <div className="dc-log-fields">
        <div className="dc-tab-field">
          <label htmlFor={ids.level}>{t('logLevel')}</label>
          <Select<Level>
            id={ids.level}
            options={levels.map((value) => ({ value, label: t(`deviceDetail:level_${value}`) }))}
            value={level}
            onChange={setLevel}
          />
        </div>
        <div className="dc-tab-field">
          <label htmlFor={ids.text}>{t('logText')}</label>
          <Input.TextArea
            id={ids.text}
            rows={3}
            placeholder={t('logExample')}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <span role="alert" className="dc-field-error">
            {isTooLong(text) && t('logTooLong', { max: LOG_LINE_MAX_BYTES })}
          </span>
        </div>
      </div>
      {isBelowLevel && <p className="dc-tab-warning">{t('willBeLeftOut')}</p>}
      <div className="dc-tab-actions">
        <Button type="primary" {...shared} disabled={cannotSend || isTooLong(text)} onClick={() => sendLines([text])}>
          {t('sendLine')}
        </Button>
        <span className="dc-send-lines">
          <label htmlFor={ids.count}>{t('lineCount')}</label>
          <NumberField id={ids.count} min={1} max={LINES_MAX} value={count} onChange={setCount} />
          <Button
            {...shared}
            disabled={cannotSend || isTooLong(numbered(count))}
            onClick={() => sendLines(Array.from({ length: count }, (_, index) => numbered(index + 1)))}
          >
            {t('sendLines', { count })}
          </Button>
        </span>
      </div>
      <OutcomeLine outcome={outcome} blockedReason={blockedReason} />
    </div>
  );
};

export default LogsTab;
