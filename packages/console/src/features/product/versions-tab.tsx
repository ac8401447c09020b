import { MODEL_VERSIONS_KEPT, type ModelVersionRow, modelCalls, type ProductRow } from '@device-center/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/detail-page.tsx';
import type { ChangeSearch, ProductDetailSearch } from './product-search.ts';
import { RestoreVersion } from './restore-version.tsx';
import { VersionComparison } from './version-comparison.tsx';
import { VersionFunctions } from './version-functions.tsx';
import { VersionTable } from './version-table.tsx';

type VersionsTabProps = {
  product: ProductRow;
  search: ProductDetailSearch;
  go: ChangeSearch;
  /** The model has unsaved changes, which restoring a version would make outdated. */
  unsaved: boolean;
};

const selectedIn = ({ from, to }: Pick<ProductDetailSearch, 'from' | 'to'>): number[] =>
  [from, to].filter((one) => one !== undefined);

const byNumber = (a: number, b: number): number => a - b;

const VersionsTab = ({ product, search: { from, to, version }, go, unsaved }: VersionsTabProps) => {
  const { t } = useTranslation('product');
  const { productId } = product;
  const query = useCall(modelCalls.getModelVersions, { productId });
  const [restoring, setRestoring] = useState<number>();
  const selected = selectedIn({ from, to });

  /** Selects a version for comparison. A third one replaces the second. */
  const select = (modelVersion: number, on: boolean) =>
    go((current) => {
      const others = selectedIn(current).filter((one) => one !== modelVersion);
      const [first, second] = on
        ? [others[0] ?? modelVersion, others[0] === undefined ? undefined : modelVersion]
        : others;
      const sorted = [first, second].filter((one) => one !== undefined).sort(byNumber);
      return { from: sorted[0], to: sorted[1] };
    });

  return (
    <Loaded<ModelVersionRow[]> query={query}>
      {(versions) => (
        <>
          <div className="dc-tab-tools">
            <p>{t('versionsText', { kept: MODEL_VERSIONS_KEPT })}</p>
            {selected.length === 1 && (
              <Button type="link" size="small" onClick={() => go({ from: undefined, to: undefined })}>
                {t('compareClose')}
              </Button>
            )}
          </div>
          {from !== undefined && to !== undefined && (
            <VersionComparison
              productId={productId}
              from={from}
              to={to}
              onSwap={() => go({ from: to, to: from })}
              onClose={() => go({ from: undefined, to: undefined })}
            />
          )}
          <VersionTable
            product={product}
            versions={versions}
            selected={selected}
            onSelect={select}
            onView={(modelVersion) => go({ version: modelVersion })}
            onRestore={setRestoring}
          />
          {version !== undefined && (
            <VersionFunctions productId={productId} version={version} onClose={() => go({ version: undefined })} />
          )}
          {restoring !== undefined && (
            <RestoreVersion
              product={product}
              version={restoring}
              unsaved={unsaved}
              onClose={() => setRestoring(undefined)}
            />
          )}
        </>
      )}
    </Loaded>
  );
};

export default VersionsTab;
