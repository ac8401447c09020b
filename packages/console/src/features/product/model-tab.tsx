import { modelCalls, PRODUCT_FUNCTIONS_MAX, type ProductRow } from '@device-center/contract';
import { GitCompare } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send } from '../../api/send.ts';
import { useCan } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { ModelEditor } from '../../model/model-editor.tsx';
import type { ModelSource, ModelState } from '../../model/model-source.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/detail-page.tsx';
import { useReceivedReason } from '../../ui/received-tag.tsx';
import { CompareWithCategory } from './compare-with-category.tsx';
import { readProductModel, useProductModel } from './product-model.ts';

type ModelTabProps = { product: ProductRow; onUnsaved: (unsaved: boolean) => void };

const Editor = ({ product, onUnsaved, state }: ModelTabProps & { state: ModelState }) => {
  const { t } = useTranslation('product');
  const mayWrite = useCan('product:write');
  const received = useReceivedReason(product);
  const [comparing, setComparing] = useState(false);
  const { productId, productName, categoryId } = product;
  const { mutateAsync } = useCallMutation(modelCalls.saveProductModel, { as: 'json' });
  const source = useMemo<ModelSource>(
    () => ({
      ...state,
      name: productName,
      max: PRODUCT_FUNCTIONS_MAX,
      categoryId,
      save: (functions, modelVersion) => mutateAsync({ productId, modelVersion, functions }),
      reload: () => readProductModel(productId),
      preview: (functions) => send(modelCalls.previewProductModel, { productId, functions }, { as: 'json' }),
    }),
    [state, productId, productName, categoryId, mutateAsync],
  );
  return (
    <>
      <div className="dc-tab-tools">
        <span />
        <Button icon={<GitCompare size={15} aria-hidden />} onClick={() => setComparing(true)}>
          {t('compareCategory')}
        </Button>
      </div>
      <ModelEditor source={source} readOnly={!mayWrite} locked={received} onDirtyChange={onUnsaved} />
      {comparing && (
        <CompareWithCategory product={product} functions={state.functions} onClose={() => setComparing(false)} />
      )}
    </>
  );
};

const ModelTab = (props: ModelTabProps) => {
  const query = useProductModel(props.product.productId);
  return <Loaded<ModelState> query={query}>{(state) => <Editor {...props} state={state} />}</Loaded>;
};

export default ModelTab;
