import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choices } from '../api/choices.ts';
import { useCan } from '../api/session.ts';
import { productFormPath } from '../paths.ts';
import { ChoiceSelect } from '../ui/choice-select.tsx';
import { Link } from '../ui/routing.ts';

type ProductSelectProps = Omit<ComponentProps<typeof ChoiceSelect>, 'choices' | 'nothing' | 'nextStep'> & {
  choices: Choices;
  /** What it says where there is no product at all. */
  none?: string;
};

/** A field of a form in which a product is chosen: where there is none yet, the next step is to make one. */
export const ProductSelect = ({ choices, none, ...rest }: ProductSelectProps) => {
  const { t } = useTranslation();
  const mayCreate = useCan('product:write');
  return (
    <ChoiceSelect
      {...rest}
      choices={choices}
      {...(choices.none ? { nothing: none ?? t('noProducts') } : {})}
      nextStep={choices.none && mayCreate && <Link to={productFormPath}>{t('createProduct')}</Link>}
    />
  );
};
