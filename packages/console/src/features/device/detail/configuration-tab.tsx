import {
  applicationCalls,
  controlCalls,
  type DeviceConfiguration,
  type DeviceDetails,
  type LogLevelId,
  logLevelIds,
  zoneCalls,
} from '@device-center/contract';
import { Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { useApplicationChoices } from '../../../api/choices.ts';
import { useCan } from '../../../api/session.ts';
import { useCall, useCallMutation } from '../../../api/use-call.ts';
import { ChoiceSelect } from '../../../ui/choice-select.tsx';
import { Loaded } from '../../../ui/detail-page.tsx';
import { useReceivedReason } from '../../../ui/received-tag.tsx';
import { ConfigField, commandErrorText } from './config-field.tsx';

type PartProps = { device: DeviceDetails; configuration: DeviceConfiguration; mayWrite: boolean };

const ApplicationPart = ({ device, configuration: { deviceId, applicationId }, mayWrite }: PartProps) => {
  const { t } = useTranslation('deviceDetail');
  // The application list shows device counts.
  const save = useCallMutation(controlCalls.configApplication, {
    alsoRefreshes: [applicationCalls.queryApplicationList],
  });
  const chosen = save.isPending ? save.variables.applicationId : applicationId;
  const choices = useApplicationChoices(chosen, {
    tenancyId: device.tenancyId,
    known: { value: device.applicationId, label: device.applicationName },
  });
  return (
    <ConfigField label={t('application')} hint={t('applicationHint')} save={save}>
      {(id) => (
        <ChoiceSelect
          id={id}
          choices={choices}
          value={chosen}
          disabled={!mayWrite}
          onChange={(next) => next !== undefined && save.mutate({ deviceId, applicationId: next })}
        />
      )}
    </ConfigField>
  );
};

const INNER_ZONE_TYPE = 1;
const ZONES_SHOWN = 200;

const ZonePart = ({ device, configuration: { deviceId, haZoneId }, mayWrite }: PartProps) => {
  const { t } = useTranslation('deviceDetail');
  const save = useCallMutation(controlCalls.configHaArea);
  const received = useReceivedReason(device);
  // Decisions §4: only an inner zone can be assigned to a device.
  const zones = useCall(zoneCalls.queryZoneList, { zoneType: INNER_ZONE_TYPE, pageSize: ZONES_SHOWN });
  const listed = (zones.data?.list ?? []).map(({ id, zoneName, status }) => ({
    value: id,
    label: status === 1 ? zoneName : `${zoneName} (${t('zoneDisabled')})`,
  }));
  const known = listed.some(({ value }) => value === haZoneId);
  const options = known ? listed : [{ value: haZoneId, label: device.zoneName || String(haZoneId) }, ...listed];
  return (
    <ConfigField label={t('zone')} hint={t('zoneHint')} save={save} unavailable={received}>
      {(id) => (
        <Select<number>
          id={id}
          options={options}
          loading={zones.isFetching}
          disabled={!mayWrite || received !== undefined}
          value={save.isPending ? Number(save.variables.haZoneId) : haZoneId}
          onChange={(next) => save.mutate({ deviceId, haZoneId: next })}
        />
      )}
    </ConfigField>
  );
};

const LevelPart = ({ device, configuration: { deviceId, loggerLevel, online }, mayWrite }: PartProps) => {
  const { t } = useTranslation('deviceDetail');
  const save = useCallMutation(controlCalls.configLogLevel);
  const received = useReceivedReason(device);
  const unavailable = received ?? (online === 1 ? undefined : t('notOnline'));
  return (
    <ConfigField
      label={t('logLevel')}
      hint={t('logLevelHint')}
      save={save}
      commandError={commandErrorText(save.data)}
      unavailable={unavailable}
    >
      {(id) => (
        <Select<LogLevelId>
          id={id}
          options={logLevelIds.map((value) => ({ value, label: t(`level_${value}`) }))}
          disabled={!mayWrite || unavailable !== undefined}
          loading={save.isPending}
          value={loggerLevel}
          onChange={(logLevel) => save.mutate({ deviceId, logLevel })}
        />
      )}
    </ConfigField>
  );
};

const PushPart = ({ device, configuration: { deviceId, realTimePushSwitch, online }, mayWrite }: PartProps) => {
  const { t } = useTranslation('deviceDetail');
  const save = useCallMutation(controlCalls.configLogSwitch);
  const received = useReceivedReason(device);
  const unavailable = received ?? (online === 1 ? undefined : t('notOnline'));
  return (
    <ConfigField
      label={t('push')}
      hint={t('pushHint')}
      save={save}
      commandError={commandErrorText(save.data)}
      unavailable={unavailable}
    >
      {(id) => (
        <Switch
          id={id}
          disabled={!mayWrite || unavailable !== undefined}
          loading={save.isPending}
          checked={realTimePushSwitch === 1}
          onChange={(on) => save.mutate({ deviceId, logSwitch: on ? 1 : 0 })}
        />
      )}
    </ConfigField>
  );
};

/** Each field is saved when it changes, and shows the result. */
const ConfigurationTab = ({ device }: { device: DeviceDetails }) => {
  const { t } = useTranslation('deviceDetail');
  const mayWrite = useCan('device:write');
  const query = useCall(controlCalls.getDeviceConfiguration, { deviceId: device.deviceId });
  return (
    <Loaded<DeviceConfiguration> query={query}>
      {(configuration) => {
        // The streamed presence is newer than the fetched configuration.
        const part = { device, configuration: { ...configuration, online: device.online }, mayWrite };
        return (
          <section className="dc-card dc-configuration" aria-label={t('configuration')}>
            <ApplicationPart {...part} />
            <ZonePart {...part} />
            <LevelPart {...part} />
            <PushPart {...part} />
          </section>
        );
      }}
    </Loaded>
  );
};

export default ConfigurationTab;
