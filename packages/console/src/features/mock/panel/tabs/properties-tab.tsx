import { Checkbox } from 'antd';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Collapsible } from './collapsible.tsx';
import { FunctionSearch } from './function-search.tsx';
import { OutcomeLine } from './outcome-line.tsx';
import { type Property, type PropertyDrafts, readableOf, usePropertyDrafts } from './property-drafts.ts';
import { PropertyRow } from './property-row.tsx';
import { RawSend } from './raw-send.tsx';
import { SenderSelect } from './sender-select.tsx';
import { type DefaultValues, useDefaultValues } from './use-default-values.ts';
import { usePresentValues } from './use-present-values.ts';
import { useSendMessage } from './use-send-message.ts';
import { type Sender, useSender } from './use-sender.ts';
import './tabs.css';

type ActionsProps = { sender: Sender; properties: Property[]; drafts: PropertyDrafts; refresh: () => void };

/** Sends the selected properties, all, or all after a random change. */
const SendActions = ({ sender, properties, drafts, refresh }: ActionsProps) => {
  const { t } = useTranslation('mockTabs');
  const { send, outcome, sending } = useSendMessage();
  const [wrong, setWrong] = useState<Property[]>([]);
  const { deviceId, body, blockedReason } = sender;
  const chosen = properties.filter(({ signCode }) => drafts.chosen.has(signCode));

  const report = (value: Record<string, unknown>) => void send([{ deviceId, kind: 'property', name: '', value }]);
  const sendProperties = (entries: Property[]) => {
    const unfit = drafts.wrongOf(entries);
    setWrong(unfit);
    if (unfit.length > 0) return;
    const values = body.set(drafts.valuesOf(entries));
    drafts.forget(Object.keys(values));
    refresh();
    report(values);
  };
  const wander = () => {
    const values = body.move();
    refresh();
    report(values);
  };
  const shared = { disabled: blockedReason !== '' || sending, title: blockedReason };
  return (
    <>
      <div className="dc-tab-actions">
        <Button
          type="primary"
          {...shared}
          disabled={shared.disabled || chosen.length === 0}
          onClick={() => sendProperties(chosen)}
        >
          {t('sendChosen', { count: chosen.length })}
        </Button>
        <Button {...shared} onClick={() => sendProperties(properties)}>
          {t('sendAll')}
        </Button>
        <Button {...shared} title={blockedReason || t('randomChangeHint')} onClick={wander}>
          {t('randomChange')}
        </Button>
      </div>
      {wrong.length > 0 && (
        <p className="dc-field-error" role="alert">
          {t('unfit', { names: wrong.map(({ functionName }) => functionName).join(', ') })}
        </p>
      )}
      <OutcomeLine outcome={outcome} blockedReason={blockedReason} />
    </>
  );
};

type DefaultActionsProps = {
  properties: Property[];
  drafts: PropertyDrafts;
  defaults: DefaultValues;
  refresh: () => void;
};

const DefaultActions = ({ properties, drafts, defaults, refresh }: DefaultActionsProps) => {
  const { t } = useTranslation('mockTabs');
  const chosen = properties.filter(({ signCode }) => drafts.chosen.has(signCode));
  const codes = chosen.map(({ signCode }) => signCode);
  const after = () => {
    drafts.forget(codes);
    refresh();
  };
  return (
    <>
      <Button
        size="small"
        loading={defaults.saving}
        disabled={chosen.length === 0 || drafts.wrongOf(chosen).length > 0}
        title={t('saveDefaultsHint')}
        onClick={() => defaults.save(drafts.valuesOf(chosen), after)}
      >
        {t('saveDefaults')}
      </Button>
      <Button
        size="small"
        disabled={defaults.saving || !codes.some(defaults.isSaved)}
        title={t('backToModelHint')}
        onClick={() => defaults.forget(codes, after)}
      >
        {t('backToModel')}
      </Button>
      {defaults.problem !== '' && (
        <span className="dc-field-error" role="alert">
          {defaults.problem}
        </span>
      )}
    </>
  );
};

const Properties = ({ sender, properties }: { sender: Sender; properties: Property[] }) => {
  const { t } = useTranslation('mockTabs');
  const codes = properties.map(({ signCode }) => signCode);
  const { values, refresh } = usePresentValues(sender.deviceId, codes);
  const drafts = usePropertyDrafts(values);
  const defaults = useDefaultValues(sender.deviceId);
  const count = codes.filter((code) => drafts.chosen.has(code)).length;
  return (
    <>
      <SendActions {...{ sender, properties, drafts, refresh }} />
      <div className="dc-tab-actions dc-tab-choice">
        <Checkbox
          checked={count === codes.length}
          indeterminate={count > 0 && count < codes.length}
          onChange={({ target }) => drafts.choose(codes, target.checked)}
        >
          {t('chosenOf', { count, total: codes.length })}
        </Checkbox>
        <DefaultActions {...{ properties, drafts, defaults, refresh }} />
      </div>
      <FunctionSearch entries={properties}>
        {(shown) => (
          <ul className="dc-property-list">
            {shown.map((entry) => (
              <PropertyRow
                key={entry.signCode}
                entry={entry}
                value={values[entry.signCode]}
                saved={defaults.isSaved(entry.signCode)}
                drafts={drafts}
              />
            ))}
          </ul>
        )}
      </FunctionSearch>
      <Collapsible title={t('rawTitle')}>{() => <RawSend suggestion={values} />}</Collapsible>
    </>
  );
};

const PropertiesTab = () => {
  const { t } = useTranslation('mockTabs');
  const sender = useSender();
  const properties = readableOf(sender.functions);
  return (
    <div className="dc-mock-tab">
      <SenderSelect />
      {properties.length === 0 ? (
        <EmptyState icon={<SlidersHorizontal size={22} />} title={t('noProperties')} text={t('noFunctionsText')} />
      ) : (
        <Properties key={sender.deviceId} sender={sender} properties={properties} />
      )}
    </div>
  );
};

export default PropertiesTab;
