import { useTranslation } from 'react-i18next';
import { ProductFilter } from '../../../filters/product-filter.tsx';
import { TenantFilter } from '../../../filters/tenant-filter.tsx';
import { ListFilterBar } from '../../../ui/filter-bar.tsx';
import type { useListSearch } from '../../../ui/list-search.ts';
import type { VersionListSearch } from '../firmware-search.ts';

type VersionList = ReturnType<typeof useListSearch<VersionListSearch>>;

export const VersionFilters = ({ list }: { list: VersionList }) => {
  const { t } = useTranslation('firmware');
  const { filter } = list;
  const { tenancyId, productId } = list.search;
  return (
    <ListFilterBar label={t('searchLabel')} list={list}>
      <ProductFilter
        label={t('product')}
        value={productId}
        tenancyId={tenancyId}
        onChange={(chosen) => filter({ productId: chosen })}
      />
      <TenantFilter
        label={t('tenant')}
        value={tenancyId}
        // A product of another tenant would empty the list.
        onChange={(chosen) => filter({ tenancyId: chosen, productId: undefined })}
      />
    </ListFilterBar>
  );
};
