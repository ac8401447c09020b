import { countText } from '../../i18n/numbers.ts';
import type { Count } from './count-series.ts';

type CountTableProps = { label: string; caption: string; unit: string; what: string; counts: readonly Count[] };

/** The chart's values, latest first. */
export const CountTable = ({ label, caption, unit, what, counts }: CountTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
  <section className="dc-count-scroll" tabIndex={0} aria-label={label}>
    <table className="dc-count-table">
      <caption className="dc-visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{unit}</th>
          <th scope="col">{what}</th>
        </tr>
      </thead>
      <tbody>
        {counts.toReversed().map(({ name, count }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{countText(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
