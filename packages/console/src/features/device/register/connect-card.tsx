import { modelCalls } from '@device-center/contract';
import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { CopyButton } from '../../../ui/copy-id.tsx';
import type { Credentials } from './credentials.ts';
import { firstReport, type Property, shellScript, simulatorCommand } from './shell-script.ts';
import { WaitingLine } from './waiting-line.tsx';

const Command = ({ label, text, hint }: { label: string; text: string; hint: string }) => {
  const { t } = useTranslation('device');
  return (
    <div className="dc-command">
      <p className="dc-muted">{hint}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section className="dc-panel" tabIndex={0} aria-label={label}>
        {text}
      </section>
      <CopyButton value={text}>{t('copyCommand')}</CopyButton>
    </div>
  );
};

/** The properties of the model, for a first report that the hub accepts. */
const useProperties = (productId: string): Property[] | undefined => {
  const { data } = useCall(modelCalls.getDeviceFunctionDefinitionList, { productId });
  return data?.flatMap(({ signCode, functionDefinition }) =>
    'accessMode' in functionDefinition ? [{ signCode, ...functionDefinition }] : [],
  );
};

/** Commands that connect the device, and whether it is online yet. */
export const ConnectCard = ({ credentials: { product, deviceId, deviceSecret } }: { credentials: Credentials }) => {
  const { t } = useTranslation('device');
  const { productId, allowMd5 } = product;
  const properties = useProperties(productId);
  const values = { hub: location.origin, productId, deviceId, deviceSecret };
  const script = shellScript({
    ...values,
    signMethod: allowMd5 === 1 ? 'md5' : 'hmacsha256',
    report: firstReport(properties ?? []),
    texts: {
      needs: (tool) => t('scriptNeeds', { tool }),
      stays: t('scriptStays'),
      will: t('scriptWill'),
      alive: t('scriptAlive'),
    },
  });
  return (
    <section className="dc-card dc-padded dc-connect">
      <h2>{t('connectTitle')}</h2>
      <Tabs
        items={[
          {
            key: 'simulator',
            label: t('connectSimulator'),
            children: (
              <Command label={t('connectSimulator')} text={simulatorCommand(values)} hint={t('simulatorHint')} />
            ),
          },
          {
            key: 'shell',
            label: t('connectShell'),
            children: <Command label={t('connectShell')} text={script} hint={t('shellHint')} />,
          },
        ]}
      />
      <WaitingLine deviceId={deviceId} />
    </section>
  );
};
