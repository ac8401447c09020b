import { DEFAULT_CONTENT } from './content.ts';
import { type CodeStyle, MARGIN_STANDARD } from './drawing.ts';

/** Settings for the codes of this page. */
export type Design = Omit<CodeStyle, 'logo'> & { content: string; caption: boolean };

export const firstDesign: Design = {
  content: DEFAULT_CONTENT,
  size: 320,
  level: 'M',
  margin: MARGIN_STANDARD,
  caption: true,
};

export type DesignProps = { design: Design; onDesign: (change: Partial<Design>) => void };
