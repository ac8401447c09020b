import type { AriaAttributes } from 'react';

/** ARIA props that the form passes to an input. */
export type FieldAria = { id?: string } & Pick<AriaAttributes, 'aria-invalid' | 'aria-describedby' | 'aria-required'>;
