import { Input, Select } from 'antd';
import { Download, Eraser, Pause, Play, Search } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadText } from '../../../model/download.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-id.tsx';
import type { Entry } from './message-entry.ts';
import { directions, functionKinds, jsonLines, type MessageFilter } from './message-filter.ts';
import { usePanel } from './panel-context.ts';

type FilterProps = { filter: MessageFilter; onFilter: (filter: MessageFilter) => void };

/** Filters a gateway's messages by device. */
const DeviceFilter = ({ filter, onFilter }: FilterProps) => {
  const { t } = useTranslation('mockPanel');
  const { details } = usePanel();
  if (details.children.length === 0) return null;
  const devices = [details, ...details.children].map(({ deviceId, deviceName }) => ({
    value: deviceId,
    label: deviceName,
  }));
  return (
    <Select<string>
      aria-label={t('device')}
      popupMatchSelectWidth={false}
      value={filter.deviceId}
      options={[{ value: '', label: t('allDevices') }, ...devices]}
      onChange={(deviceId) => onFilter({ ...filter, deviceId })}
    />
  );
};

const Filters = ({ filter, onFilter }: FilterProps) => {
  const { t } = useTranslation(['mockPanel', 'deviceDetail']);
  return (
    <search className="dc-messages-filters">
      <Select<MessageFilter['functionType']>
        aria-label={t('mockPanel:functionType')}
        popupMatchSelectWidth={false}
        value={filter.functionType}
        options={functionKinds.map((value) => ({ value, label: t(`mockPanel:kind_${value}`) }))}
        onChange={(functionType) => onFilter({ ...filter, functionType })}
      />
      <Select<MessageFilter['direction']>
        aria-label={t('mockPanel:direction')}
        popupMatchSelectWidth={false}
        value={filter.direction}
        options={directions.map((value) => ({ value, label: t(`mockPanel:direction_${value}`) }))}
        onChange={(direction) => onFilter({ ...filter, direction })}
      />
      <Select<MessageFilter['dataFlow']>
        aria-label={t('mockPanel:dataFlow')}
        popupMatchSelectWidth={false}
        value={filter.dataFlow}
        options={[
          { value: 'all', label: t('mockPanel:dataFlow_all') },
          { value: 0, label: t('deviceDetail:request') },
          { value: 1, label: t('deviceDetail:response') },
        ]}
        onChange={(dataFlow) => onFilter({ ...filter, dataFlow })}
      />
      <DeviceFilter filter={filter} onFilter={onFilter} />
      <Input
        className="dc-messages-search"
        type="search"
        allowClear
        prefix={<Search size={14} aria-hidden />}
        aria-label={t('mockPanel:searchMessages')}
        placeholder={t('mockPanel:searchMessages')}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
      />
    </search>
  );
};

type MessageToolsProps = FilterProps & {
  shownEntries: () => readonly Entry[];
  noneShown: boolean;
  /** The log has no messages. */
  isEmpty: boolean;
  paused: boolean;
  onPause: () => void;
  onFollow: () => void;
  onClear: () => void;
};

export const MessageTools = memo((props: MessageToolsProps) => {
  const { filter, onFilter, shownEntries, noneShown, isEmpty, paused, onPause, onFollow, onClear } = props;
  const { t } = useTranslation('mockPanel');
  const { details } = usePanel();
  const download = () =>
    downloadText({
      filename: `${details.deviceId}-messages.jsonl`,
      contentType: 'application/jsonl',
      text: jsonLines(shownEntries()),
    });
  return (
    <header className="dc-messages-tools">
      <h2>{t('messages')}</h2>
      <span className="dc-messages-buttons">
        {paused ? (
          <Button size="small" type="primary" needsHub={false} icon={<Play size={13} aria-hidden />} onClick={onFollow}>
            {t('follow')}
          </Button>
        ) : (
          <Button size="small" icon={<Pause size={13} aria-hidden />} onClick={onPause}>
            {t('pause')}
          </Button>
        )}
        {!noneShown && (
          <>
            <CopyButton value={() => jsonLines(shownEntries())}>{t('copyShown')}</CopyButton>
            <Button size="small" icon={<Download size={13} aria-hidden />} onClick={download}>
              {t('download')}
            </Button>
          </>
        )}
        <Button size="small" disabled={isEmpty} icon={<Eraser size={13} aria-hidden />} onClick={onClear}>
          {t('clear')}
        </Button>
      </span>
      <Filters filter={filter} onFilter={onFilter} />
    </header>
  );
});
MessageTools.displayName = 'MessageTools';
