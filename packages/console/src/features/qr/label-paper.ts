/** Printable width of A4; qr.css has the same margin and gap. */
const PAPER_WIDTH_MM = 190;
const GAP_MM = 4;

export const labelSizes = [20, 30, 40, 60] as const;
export type LabelSize = (typeof labelSizes)[number];

export const columnsThatFit = (size: LabelSize): number => Math.floor((PAPER_WIDTH_MM + GAP_MM) / (size + GAP_MM));
