import { type ModelFunction, modelCalls, type Output } from '@device-center/contract';
import { Collapse, Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { functionTypeText } from '../../model/function-texts.ts';
import { FunctionView } from '../../model/function-view.tsx';
import { Loaded } from '../../ui/detail-page.tsx';

const DRAWER_WIDTH = 640;

type VersionFunctionsProps = { productId: string; version: number; onClose: () => void };

/** Read-only functions of one version. */
export const VersionFunctions = ({ productId, version, onClose }: VersionFunctionsProps) => {
  const { t } = useTranslation('product');
  const query = useCall(modelCalls.getModelVersion, { productId, modelVersion: version });
  return (
    <Drawer open onClose={onClose} size={DRAWER_WIDTH} title={t('versionFunctions', { version })} destroyOnHidden>
      <Loaded<Output<typeof modelCalls.getModelVersion>> query={query}>
        {({ functions }) =>
          functions.length === 0 ? (
            <p className="dc-muted">{t('versionEmpty')}</p>
          ) : (
            <Collapse
              items={functions.map((entry) => ({
                key: entry.signCode,
                label: (
                  <>
                    {entry.functionName} <code className="dc-mono">{entry.signCode}</code>
                  </>
                ),
                extra: <span className="dc-muted dc-small">{functionTypeText(entry.functionType)}</span>,
                children: <FunctionView fn={entry as ModelFunction} />,
              }))}
            />
          )
        }
      </Loaded>
    </Drawer>
  );
};
