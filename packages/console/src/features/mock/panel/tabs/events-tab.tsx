import type { ModelFunction } from '@device-center/contract';
import { Siren } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Collapsible } from './collapsible.tsx';
import { DefaultForm } from './default-form.tsx';
import { FunctionSearch } from './function-search.tsx';
import { FunctionTitle } from './function-title.tsx';
import { OutcomeLine } from './outcome-line.tsx';
import { SenderSelect } from './sender-select.tsx';
import { type DefaultValues, useDefaultValues } from './use-default-values.ts';
import { useSendMessage } from './use-send-message.ts';
import { type Sender, useSender } from './use-sender.ts';
import './tabs.css';

type Event = ModelFunction & { functionType: 22 };

type EventFormProps = { sender: Sender; entry: Event; defaults: DefaultValues };

const EventForm = ({ sender: { deviceId, blockedReason }, entry, defaults }: EventFormProps) => {
  const { t } = useTranslation('mockTabs');
  const { send, outcome, sending } = useSendMessage();
  const action = {
    label: t('sendEvent'),
    disabled: blockedReason !== '',
    loading: sending,
    title: blockedReason,
    run: (value: unknown) => void send([{ deviceId, kind: 'event', name: entry.signCode, value }]),
  };
  return (
    <>
      {entry.description !== '' && <p className="dc-muted dc-small">{entry.description}</p>}
      <DefaultForm entry={entry} defaults={defaults} action={action}>
        <OutcomeLine outcome={outcome} blockedReason={blockedReason} />
      </DefaultForm>
    </>
  );
};

const Events = ({ sender, events }: { sender: Sender; events: Event[] }) => {
  const { t } = useTranslation('mockTabs');
  const defaults = useDefaultValues(sender.deviceId);
  return (
    <FunctionSearch entries={events}>
      {(shown) => (
        <div className="dc-folds">
          {shown.map((entry, index) => (
            <Collapsible
              key={entry.signCode}
              title={<FunctionTitle entry={entry} />}
              aside={defaults.isSaved(entry.signCode) && <span className="dc-tag">{t('ownDefault')}</span>}
              defaultOpen={index === 0}
            >
              {() => <EventForm sender={sender} entry={entry} defaults={defaults} />}
            </Collapsible>
          ))}
        </div>
      )}
    </FunctionSearch>
  );
};

const EventsTab = () => {
  const { t } = useTranslation('mockTabs');
  const sender = useSender();
  const events = sender.functions.filter((entry): entry is Event => entry.functionType === 22);
  return (
    <div className="dc-mock-tab">
      <SenderSelect />
      {events.length === 0 ? (
        <EmptyState icon={<Siren size={22} />} title={t('noEvents')} text={t('noFunctionsText')} />
      ) : (
        <Events key={sender.deviceId} sender={sender} events={events} />
      )}
    </div>
  );
};

export default EventsTab;
