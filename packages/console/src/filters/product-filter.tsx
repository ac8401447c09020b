import { useProductChoices } from '../api/product-choices.ts';
import { ChoiceFilter } from '../ui/choice-select.tsx';

type ProductFilterProps = {
  label: string;
  value: string | undefined;
  /** Products of this tenant; of all that the caller sees when left out. */
  tenancyId: string | undefined;
  onChange: (productId: string | undefined) => void;
};

export const ProductFilter = ({ tenancyId, ...props }: ProductFilterProps) => (
  <ChoiceFilter choices={useProductChoices(props.value, { tenancyId })} {...props} />
);
