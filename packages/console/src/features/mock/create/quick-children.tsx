import { productCalls } from '@device-center/contract';
import { Form, Select } from 'antd';
import { ListPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { childNames } from './child-names.ts';
import { type ChildFields, ChildProductSelect } from './child-product-select.tsx';

type QuickChildrenProps = {
  tenancyId: string;
  /** Number of children that the gateway can still take. */
  free: number;
  onAdd: (children: ChildFields[]) => void;
};

/** Adds several children of one product with generated names. */
export const QuickChildren = ({ tenancyId, free, onAdd }: QuickChildrenProps) => {
  const { t } = useTranslation('mock');
  const form = Form.useFormInstance<{ children?: ChildFields[] }>();
  const [productId, setProductId] = useState('');
  const [wanted, setWanted] = useState(1);
  const { data: product } = useCall(
    productCalls.getDeviceProductDetails,
    { productId },
    { enabled: productId !== '', staleTime: 60_000 },
  );
  const count = Math.min(wanted, free);
  const chosen = product?.productId === productId ? product : undefined;

  const add = () => {
    if (!chosen) return;
    const taken = (form.getFieldValue('children') ?? []).map(({ deviceName }: ChildFields) => deviceName);
    onAdd(childNames(chosen.productName, count, taken).map((deviceName) => ({ deviceName, productId })));
  };

  return (
    <div className="dc-mock-quick">
      <p className="dc-muted dc-small">{t('quickAdd')}</p>
      <ChildProductSelect
        tenancyId={tenancyId}
        label={t('quickProduct')}
        value={productId}
        onChange={(next) => setProductId(next ?? '')}
      />
      <Select<number>
        aria-label={t('quickCount')}
        value={count}
        options={Array.from({ length: free }, (_, index) => ({ value: index + 1, label: String(index + 1) }))}
        onChange={setWanted}
      />
      <Button icon={<ListPlus size={15} aria-hidden />} disabled={!chosen} onClick={add}>
        {t('quickAddCount', { count })}
      </Button>
    </div>
  );
};
