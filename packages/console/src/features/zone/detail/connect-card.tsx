import { bucketCalls, ServerType, type ZoneDetails, ZoneType } from '@device-center/contract';
import { Trans, useTranslation } from 'react-i18next';
import { CopyId } from '../../../ui/copy-id.tsx';
import { FactList } from '../../../ui/fact-list.tsx';

const PATH = `${bucketCalls.getConnectBucket.method} ${bucketCalls.getConnectBucket.path}`;

type ZoneProps = { zone: ZoneDetails };

const ConnectionFacts = ({ zone: { deviceAddress, topics } }: ZoneProps) => {
  const { t } = useTranslation('zone');
  const lines = [
    { label: t('address'), value: <CopyId value={deviceAddress} label={t('address')} /> },
    { label: t('protocol'), value: t('service_1') },
    { label: t('topicUp'), value: <CopyId value={topics.up} label={t('topicUp')} /> },
    { label: t('topicDown'), value: <CopyId value={topics.down} label={t('topicDown')} /> },
  ];
  return (
    <>
      <p>{t('connectHere')}</p>
      <FactList className="dc-zone-facts" facts={lines} />
    </>
  );
};

const ConnectionInfo = ({ zone }: ZoneProps) => {
  const { t } = useTranslation('zone');
  if (zone.status === 0) return <p>{t('connectDisabled')}</p>;
  const brokers = zone.nodes.some(({ serverType }) => serverType === ServerType.mqtt);
  return brokers ? <ConnectionFacts zone={zone} /> : <p>{t('connectNoNodes')}</p>;
};

/** The connection data that a device of this zone gets. */
export const ConnectCard = ({ zone }: ZoneProps) => {
  const { t } = useTranslation('zone');
  const outer = zone.zoneType === ZoneType.outer;
  return (
    <section className="dc-card dc-padded dc-zone-connect" aria-label={t('connectTitle')}>
      <h2>{t('connectTitle')}</h2>
      {outer ? (
        <p>{t('connectOuter')}</p>
      ) : (
        <>
          <p>
            <Trans
              t={t}
              i18nKey="connectAsk"
              values={{ path: PATH }}
              components={{ code: <code className="dc-mono" /> }}
            />
          </p>
          <ConnectionInfo zone={zone} />
        </>
      )}
    </section>
  );
};
