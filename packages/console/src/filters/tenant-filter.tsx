import { useTenantFilter } from '../api/choices.ts';
import { ChoiceFilter } from '../ui/choice-select.tsx';

type TenantFilterProps = {
  label: string;
  value: string | undefined;
  onChange: (tenancyId: string | undefined) => void;
};

/** Of a list that shows rows of several tenants; nothing for those who see one tenant's alone. */
export const TenantFilter = (props: TenantFilterProps) => {
  const tenants = useTenantFilter(props.value);
  return tenants && <ChoiceFilter choices={tenants} {...props} />;
};
