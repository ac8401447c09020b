import { useCategoryChoices } from '../api/choices.ts';
import { ChoiceFilter } from '../ui/choice-select.tsx';

type CategoryFilterProps = {
  label: string;
  value: string | undefined;
  onChange: (categoryId: string | undefined) => void;
};

export const CategoryFilter = (props: CategoryFilterProps) => (
  <ChoiceFilter choices={useCategoryChoices(props.value)} {...props} />
);
