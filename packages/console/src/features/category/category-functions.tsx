import { CATEGORY_FUNCTIONS_MAX, type CategoryRow, categoryCalls } from '@device-center/contract';
import { Suspense, useMemo } from 'react';
import { useCallMutation } from '../../api/use-call.ts';
import type { ModelSource, ModelState } from '../../model/model-source.ts';
import { Loaded, LoadingCard } from '../../ui/detail-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { readCategoryModel, useCategoryModel } from './category-model.ts';

const ModelEditor = lazyPart(async () => ({ default: (await import('../../model/model-editor.tsx')).ModelEditor }));

type CategoryFunctionsProps = { category: CategoryRow; readOnly: boolean };

const Editor = ({ category, readOnly, state }: CategoryFunctionsProps & { state: ModelState }) => {
  const { categoryId, categoryName } = category;
  const { mutateAsync } = useCallMutation(categoryCalls.saveOpenFunctions, { as: 'json' });
  const source = useMemo<ModelSource>(
    () => ({
      ...state,
      name: categoryName,
      max: CATEGORY_FUNCTIONS_MAX,
      save: (functions, modelVersion) => mutateAsync({ categoryId, modelVersion, functions }),
      reload: () => readCategoryModel(categoryId),
    }),
    [state, categoryId, categoryName, mutateAsync],
  );
  return (
    <Suspense fallback={<LoadingCard />}>
      <ModelEditor source={source} readOnly={readOnly} />
    </Suspense>
  );
};

export const CategoryFunctions = (props: CategoryFunctionsProps) => {
  const query = useCategoryModel(props.category.categoryId);
  return <Loaded<ModelState> query={query}>{(state) => <Editor {...props} state={state} />}</Loaded>;
};
