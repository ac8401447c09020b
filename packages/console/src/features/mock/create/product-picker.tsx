import { type ProductRow, productCalls } from '@device-center/contract';
import { Input, type InputProps, Radio, Space } from 'antd';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProductChoices } from '../../../api/product-choices.ts';
import { useCall } from '../../../api/use-call.ts';
import { ProductSelect } from '../../../filters/product-select.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorCard } from '../../../ui/states.tsx';
import { mockBlockedReason } from './mock-product.ts';
import { ProductChoice } from './product-choice.tsx';

/** The form field also passes ARIA props for the input. */
type ProductPickerProps = { value?: string; onChange?: (productId: string) => void } & Omit<
  InputProps,
  'value' | 'onChange'
>;

const FOUND_SHOWN = 20;
// Radios named `productId` would shadow the form element's own property of that name.
const ROWS = 'mockProduct';

/** Searches on request; searching for the same text again refetches. */
const useProductSearch = () => {
  const [searchText, setSearchText] = useState('');
  const query = useCall(
    productCalls.queryDeviceProductList,
    { productId: searchText, pageSize: FOUND_SHOWN },
    { enabled: searchText !== '' },
  );
  const search = (typed: string) => {
    const next = typed.trim();
    if (next === searchText && next !== '') return void query.refetch();
    setSearchText(next);
  };
  return { searchText, search, query };
};

const withChosen = (found: readonly ProductRow[], chosen: ProductRow | undefined): readonly ProductRow[] =>
  chosen === undefined || found.some(({ productId }) => productId === chosen.productId) ? found : [chosen, ...found];

/** Text that summarizes the search result. */
const SearchResult = ({ found, total }: { found: readonly ProductRow[]; total: number }) => {
  const { t } = useTranslation('mock');
  if (total === 0) return <p className="dc-mock-none">{t('searchEmpty')}</p>;
  const text = (): string => {
    if (total > found.length) return t('foundMore', { found: found.length, total });
    const usable = found.some((product) => mockBlockedReason(product) === undefined);
    return t(usable ? 'found' : 'foundUnusable', { count: total });
  };
  return <p className="dc-muted dc-small">{text()}</p>;
};

/** Spec §5: the product is searched by its id. Users who do not know an id can browse recent products. */
export const ProductPicker = ({ value = '', onChange, ...field }: ProductPickerProps) => {
  const { t } = useTranslation(['mock', 'common']);
  const [typed, setTyped] = useState('');
  const [nothingTyped, setNothingTyped] = useState(false);
  const { searchText, search, query } = useProductSearch();
  const recent = useProductChoices(value, { blockedReason: mockBlockedReason });
  const found = searchText === '' ? [] : (query.data?.list ?? []);
  const rows = withChosen(found, recent.product);

  const start = () => {
    setNothingTyped(typed.trim() === '');
    search(typed);
  };
  const onEnter = (event: KeyboardEvent) => {
    // Enter searches; it does not send the form.
    event.preventDefault();
    start();
  };

  return (
    <div className="dc-mock-picker">
      <Space.Compact block>
        <Input
          {...field}
          className="dc-mono"
          autoComplete="off"
          placeholder={t('mock:productIdPlaceholder')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onPressEnter={onEnter}
        />
        <Button icon={<Search size={15} aria-hidden />} loading={searchText !== '' && query.isFetching} onClick={start}>
          {t('common:search')}
        </Button>
      </Space.Compact>
      <div role="status">
        {nothingTyped && <p className="dc-mock-none">{t('mock:typeProductId')}</p>}
        {searchText !== '' && query.data && !query.isFetching && (
          <SearchResult found={found} total={query.data.total} />
        )}
      </div>
      {query.error && searchText !== '' && <ErrorCard error={query.error} onRetry={() => void query.refetch()} />}
      {rows.length > 0 && (
        <Radio.Group
          id={ROWS}
          name={ROWS}
          className="dc-mock-products"
          aria-label={t('mock:product')}
          value={value}
          onChange={(event) => onChange?.(String(event.target.value))}
        >
          {rows.map((product) => (
            <ProductChoice key={product.productId} product={product} />
          ))}
        </Radio.Group>
      )}
      <div className="dc-mock-browse">
        <span className="dc-muted" aria-hidden="true">
          {t('mock:browseLead')}
        </span>
        <ProductSelect
          choices={recent}
          label={t('mock:browse')}
          value={value}
          onChange={(productId) => onChange?.(productId ?? '')}
        />
      </div>
    </div>
  );
};
