import { auditActions } from './audit-actions.ts';
import { auditFields } from './audit-fields.ts';
import { device } from './device.ts';
import { layoutTexts } from './layout.ts';
import { model } from './model.ts';
import { personal } from './personal.ts';
import { product } from './product.ts';

/** For tests only: the console loads the texts in parts. */
export const texts = { ...layoutTexts, product, device, model, personal, auditActions, auditFields };
