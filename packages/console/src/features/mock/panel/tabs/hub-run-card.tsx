import { MockRunMode } from '@device-center/contract';
import { Radio, Switch } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/button.tsx';
import { useAutomationState } from './automation.ts';
import { NumberField } from './number-field.tsx';
import { useRun } from './use-run.ts';

const EVERY_MAX_S = 3_600;

/** Settings for running the device on the hub while no page does, and what it then sends. */
export const HubRunCard = () => {
  const { t } = useTranslation(['mockTabs', 'common']);
  const ids = { title: useId(), run: useId(), every: useId() };
  const { saved, save, saving, problem } = useRun();
  const { steps } = useAutomationState();
  const [runInHub, setRunInHub] = useState(saved.runInHub);
  const [mode, setMode] = useState(saved.mode);
  const [everySeconds, setEverySeconds] = useState(saved.everySeconds);
  const same = runInHub === saved.runInHub && mode === saved.mode && everySeconds === saved.everySeconds;
  const noSequence = mode === MockRunMode.sequence && steps.length === 0;
  return (
    <section className="dc-tab-section" aria-labelledby={ids.title}>
      <h3 id={ids.title}>{t('hubRun')}</h3>
      <div className="dc-switch-line">
        <Switch id={ids.run} checked={runInHub === 1} onChange={(on) => setRunInHub(on ? 1 : 0)} />
        <label htmlFor={ids.run}>{t('hubRunSwitch')}</label>
      </div>
      <p className="dc-muted dc-small">{t('hubRunHint')}</p>
      {runInHub === 1 && (
        <div className="dc-hub-run">
          <Radio.Group
            aria-label={t('hubRunMode')}
            value={mode}
            onChange={({ target }) => setMode(target.value as typeof mode)}
            options={[
              { value: MockRunMode.wander, label: t('hubRunRandom') },
              { value: MockRunMode.sequence, label: t('hubRunSequence') },
            ]}
          />
          {mode === MockRunMode.wander && (
            <span className="dc-tab-every">
              <label htmlFor={ids.every}>{t('every')}</label>
              <NumberField
                id={ids.every}
                min={1}
                max={EVERY_MAX_S}
                suffix={t('secondsUnit')}
                value={everySeconds}
                onChange={setEverySeconds}
              />
            </span>
          )}
          {mode === MockRunMode.sequence && (
            <p className={noSequence ? 'dc-field-error' : 'dc-muted dc-small'} role={noSequence ? 'alert' : undefined}>
              {t(noSequence ? 'hubRunNoSequence' : 'hubRunSavedSteps', { count: steps.length })}
            </p>
          )}
        </div>
      )}
      <div className="dc-tab-actions">
        <Button
          type="primary"
          disabled={same || (runInHub === 1 && noSequence)}
          loading={saving}
          onClick={() =>
            save({ runInHub, mode, everySeconds, ...(mode === MockRunMode.sequence ? { sequence: steps } : {}) })
          }
        >
          {t('common:save')}
        </Button>
        {!same && <span className="dc-muted">{t('notSaved')}</span>}
      </div>
      {problem !== '' && (
        <p className="dc-field-error" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
};
