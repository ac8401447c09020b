import { countText } from '../../i18n/numbers.ts';
import { Link, type Path } from '../../ui/routing.ts';

type LinkedCountProps = {
  count: number;
  to: Path<{ tenancyId: string }>;
  tenancyId: string;
  label: string;
  may: boolean;
};

/** A count, linked to its list if the user may open it. */
export const LinkedCount = ({ count, to, tenancyId, label, may }: LinkedCountProps) =>
  may && count > 0 ? (
    <Link className="dc-number" to={to} search={{ tenancyId }} aria-label={`${label}: ${countText(count)}`}>
      {countText(count)}
    </Link>
  ) : (
    <span className="dc-number">{countText(count)}</span>
  );
