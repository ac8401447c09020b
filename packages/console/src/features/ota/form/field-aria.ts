import type { AriaAttributes } from 'react';

/** What the form tells a field's control, for those who cannot see what stands around it. */
export type FieldMarks = { id?: string } & Pick<AriaAttributes, 'aria-invalid' | 'aria-describedby' | 'aria-required'>;
