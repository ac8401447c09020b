import { Select } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/button.tsx';
import { StatusDot } from '../../../../ui/status-dot.tsx';
import { usePanel } from '../panel-context.ts';
import { useAutomation, useAutomationState } from './automation.ts';
import { NumberField } from './number-field.tsx';
import { readableOf } from './property-drafts.ts';
import { useMockProfiles } from './use-sender.ts';

const EVERY_MAX_S = 3_600;

/** Sends randomly varying values at an interval while this page is open. */
export const RepeatCard = () => {
  const { t } = useTranslation(['mockTabs', 'common']);
  const ids = { title: useId(), devices: useId(), properties: useId(), every: useId() };
  const { online } = usePanel();
  const bodies = useMockProfiles();
  const automation = useAutomation();
  const { plan, repeated } = useAutomationState();
  const running = repeated !== null;
  const chosen = bodies.filter(({ deviceId }) => plan.deviceIds.includes(deviceId));
  // Two devices of one product share their properties.
  const properties = new Map(
    chosen
      .flatMap(({ functions }) => readableOf(functions))
      .map(({ signCode, functionName }) => [signCode, functionName]),
  );
  const nothing = properties.size === 0 ? t(chosen.length === 0 ? 'repeatNoDevice' : 'noProperties') : '';
  return (
    <section className="dc-tab-section" aria-labelledby={ids.title}>
      <h3 id={ids.title}>{t('repeat')}</h3>
      <p className="dc-muted dc-small">{t('repeatHint')}</p>
      {bodies.length > 1 && (
        <div className="dc-tab-field">
          <label htmlFor={ids.devices}>{t('repeatDevices')}</label>
          <Select<string[]>
            id={ids.devices}
            mode="multiple"
            disabled={running}
            options={bodies.map(({ deviceId, deviceName }) => ({ value: deviceId, label: deviceName }))}
            value={chosen.map(({ deviceId }) => deviceId)}
            showSearch={{ optionFilterProp: 'label' }}
            onChange={(deviceIds) => automation.change({ deviceIds })}
          />
        </div>
      )}
      <div className="dc-tab-field">
        <label htmlFor={ids.properties}>{t('repeatProperties')}</label>
        <Select<string[]>
          id={ids.properties}
          mode="multiple"
          allowClear={{ label: t('common:clear') }}
          disabled={running}
          placeholder={t('repeatAllProperties')}
          options={[...properties].map(([value, label]) => ({ value, label }))}
          value={plan.signCodes.filter((signCode) => properties.has(signCode))}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(signCodes) => automation.change({ signCodes })}
        />
      </div>
      <div className="dc-tab-actions">
        <span className="dc-tab-every">
          <label htmlFor={ids.every}>{t('every')}</label>
          <NumberField
            id={ids.every}
            min={1}
            max={EVERY_MAX_S}
            disabled={running}
            suffix={t('secondsUnit')}
            value={plan.everySeconds}
            onChange={(everySeconds) => automation.change({ everySeconds })}
          />
        </span>
        {running ? (
          <Button onClick={automation.stopRepeat}>{t('stop')}</Button>
        ) : (
          <Button
            type="primary"
            disabled={!online || nothing !== ''}
            title={online ? nothing : t('notOnline')}
            onClick={automation.repeat}
          >
            {t('start')}
          </Button>
        )}
        <span role="status">
          {running && (
            <StatusDot tone={online ? 'running' : 'warning'}>
              {t(online ? 'repeating' : 'repeatWaits', { count: repeated })}
            </StatusDot>
          )}
          {!running && <span className="dc-muted">{online ? nothing : t('notOnline')}</span>}
        </span>
      </div>
    </section>
  );
};
