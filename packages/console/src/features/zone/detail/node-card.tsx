import { ServerType, type ZoneDetails, type ZoneNode, ZoneType } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { type Fact, FactList } from '../../../ui/fact-list.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { StatusDot, type Tone } from '../../../ui/status-dot.tsx';
import { CertificateCard } from '../certificate-card.tsx';
import { NodeTestButton, type TestedNode } from '../node-test.tsx';
import { useMayChangeZones } from '../zone-access.ts';

const tones: Record<ZoneNode['state'], Tone> = {
  unused: 'offline',
  connecting: 'running',
  connected: 'online',
  failed: 'failed',
};

const NodeState = ({ node: { state, message, since, bucketUrl } }: { node: ZoneNode }) => {
  const { t } = useTranslation('zone');
  // The hub has no permanent connection to another platform; it checks periodically.
  const text = state === 'connected' && bucketUrl !== '' ? t('stateReachable') : t(`state_${state}`);
  return (
    <div className="dc-node-state">
      <StatusDot tone={tones[state]}>{text}</StatusDot>
      {since !== null && (
        <span className="dc-muted">
          {t('stateSince')} <RelativeTime value={since} />
        </span>
      )}
      {message !== '' && <p className="dc-node-problem">{message}</p>}
    </div>
  );
};

const useNodeFacts = ({ zoneType }: ZoneDetails, node: ZoneNode): Fact[] => {
  const { t } = useTranslation('zone');
  const storedText = (has: 0 | 1) => t(has === 1 ? 'stored' : 'notStored');
  // An existing certificate has its own card.
  const noCertificate = node.certificate ? [] : [{ label: t('certificate'), value: t('notStored') }];
  if (zoneType === ZoneType.outer) {
    return [
      { label: t('bucketUrl'), value: <code className="dc-mono">{node.bucketUrl}</code> },
      { label: t('bucketZoneId'), value: node.bucketZoneId },
      { label: t('apiKey'), value: storedText(node.hasApiKey) },
      ...noCertificate,
    ];
  }
  return [
    { label: t('nodeAddress'), value: <code className="dc-mono">{node.hostName}</code> },
    { label: t('port'), value: node.port },
    { label: t('serverType'), value: t(`service_${node.serverType}`) },
    { label: t('tls'), value: t(node.tls === 1 ? 'tlsOn' : 'tlsOff') },
    { label: t('account'), value: node.username || t('noAccount') },
    { label: t('password'), value: storedText(node.hasPassword) },
    ...(node.serverType === ServerType.http ? [{ label: t('apiKey'), value: storedText(node.hasApiKey) }] : []),
    ...noCertificate,
  ];
};

/** The node as stored; the hub adds omitted values, such as the password, from its database. */
const storedNode = ({ zoneType, routeKey }: ZoneDetails, node: ZoneNode): TestedNode => {
  const { nodeId, hostName, port, serverType, username, tls, bucketUrl, bucketZoneId } = node;
  const fields =
    zoneType === ZoneType.inner ? { hostName, port, serverType, username, tls } : { bucketUrl, bucketZoneId };
  return { zoneType, routeKey, nodeId, ...fields };
};

type NodeCardProps = { zone: ZoneDetails; node: ZoneNode };

export const NodeCard = ({ zone, node }: NodeCardProps) => {
  const { t } = useTranslation('zone');
  const mayWrite = useMayChangeZones();
  const number = node.index + 1;
  const facts = useNodeFacts(zone, node);
  return (
    <section className="dc-card dc-padded dc-node-card" aria-label={t('node', { number })}>
      <div className="dc-node-title">
        <h2>{t('node', { number })}</h2>
        <NodeState node={node} />
      </div>
      <FactList className="dc-zone-facts" facts={facts} />
      {node.certificate && (
        <div>
          <h3>{t('certificate')}</h3>
          <CertificateCard certificate={node.certificate} />
        </div>
      )}
      {mayWrite && <NodeTestButton number={number} node={() => storedNode(zone, node)} />}
    </section>
  );
};
