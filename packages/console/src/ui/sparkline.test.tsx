import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Sparkline } from './sparkline.tsx';

const days = [10, 8, 10, 3].map((value, time) => ({ time, value }));
const linesOf = (container: HTMLElement): string[] =>
  [...container.querySelectorAll('path[fill=none]')].map((path) => path.getAttribute('d') ?? '');

describe('Sparkline', () => {
  it('draws the last day separately if it is not over', () => {
    const { container } = render(<Sparkline points={days} label="days" filled partial />);
    const [whole, partial] = linesOf(container);
    expect(whole?.match(/[ML]/g)).toEqual(['M', 'L', 'L']);
    expect(partial?.match(/[ML]/g)).toEqual(['M', 'L']);
    // The partial line starts where the complete days end.
    expect(partial?.split('L')[0]?.slice(1)).toBe(whole?.split('L').at(-1));
  });

  it('starts at 0 if filled, so that a small difference looks small', () => {
    const { container } = render(<Sparkline points={days} label="days" filled />);
    const heights =
      linesOf(container)[0]
        ?.match(/ [\d.]+/g)
        ?.map(Number) ?? [];
    const [full = 0, eight = 0] = heights;
    const [bottom, drawn] = [33, 30];
    expect((bottom - eight) / drawn).toBeCloseTo(0.8, 1);
    expect((bottom - full) / drawn).toBeCloseTo(1, 1);
  });
});
