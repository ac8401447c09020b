import type { AriaAttributes } from 'react';

/** ARIA props that the form passes to an input. */
export type FieldMarks = { id?: string } & Pick<AriaAttributes, 'aria-invalid' | 'aria-describedby' | 'aria-required'>;
