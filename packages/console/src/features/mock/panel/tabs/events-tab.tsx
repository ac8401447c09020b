import type { ModelFunction } from '@device-center/contract';
import { Siren } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { DefaultForm } from './default-form.tsx';
import { Fold } from './fold.tsx';
import { FunctionSearch } from './function-search.tsx';
import { FunctionTitle } from './function-title.tsx';
import { OutcomeLine } from './outcome-line.tsx';
import { SenderSelect } from './sender-select.tsx';
import { type DefaultValues, useDefaultValues } from './use-default-values.ts';
import { useSendMessage } from './use-send-message.ts';
import { type Speaking, useSender } from './use-sender.ts';
import './tabs.css';

type Event = ModelFunction & { functionType: 22 };

type EventFormProps = { speaker: Speaking; entry: Event; defaults: DefaultValues };

const EventForm = ({ speaker: { deviceId, unable }, entry, defaults }: EventFormProps) => {
  const { t } = useTranslation('mockTabs');
  const { say, outcome, sending } = useSendMessage();
  const action = {
    label: t('sendEvent'),
    disabled: unable !== '',
    loading: sending,
    title: unable,
    run: (value: unknown) => void say([{ deviceId, kind: 'event', name: entry.signCode, value }]),
  };
  return (
    <>
      {entry.description !== '' && <p className="dc-muted dc-small">{entry.description}</p>}
      <DefaultForm entry={entry} defaults={defaults} action={action}>
        <OutcomeLine outcome={outcome} unable={unable} />
      </DefaultForm>
    </>
  );
};

const Events = ({ speaker, events }: { speaker: Speaking; events: Event[] }) => {
  const { t } = useTranslation('mockTabs');
  const defaults = useDefaultValues(speaker.deviceId);
  return (
    <FunctionSearch entries={events}>
      {(shown) => (
        <div className="dc-folds">
          {shown.map((entry, place) => (
            <Fold
              key={entry.signCode}
              title={<FunctionTitle entry={entry} />}
              aside={defaults.isSaved(entry.signCode) && <span className="dc-tag">{t('ownDefault')}</span>}
              openAtFirst={place === 0}
            >
              {() => <EventForm speaker={speaker} entry={entry} defaults={defaults} />}
            </Fold>
          ))}
        </div>
      )}
    </FunctionSearch>
  );
};

const EventsTab = () => {
  const { t } = useTranslation('mockTabs');
  const speaker = useSender();
  const events = speaker.functions.filter((entry): entry is Event => entry.functionType === 22);
  return (
    <div className="dc-mock-tab">
      <SenderSelect />
      {events.length === 0 ? (
        <EmptyState icon={<Siren size={22} />} title={t('noEvents')} text={t('noFunctionsText')} />
      ) : (
        <Events key={speaker.deviceId} speaker={speaker} events={events} />
      )}
    </div>
  );
};

export default EventsTab;
