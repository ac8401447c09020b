/** The quantile of the values. */
export const share = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

export const middle = (values: number[]): number => share(values, 0.5);
