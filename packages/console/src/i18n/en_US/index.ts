import { application } from './application.ts';
import { audit } from './audit.ts';
import { auditActions } from './audit-actions.ts';
import { auditFields } from './audit-fields.ts';
import { category } from './category.ts';
import { device } from './device.ts';
import { firstTexts } from './first.ts';
import { model } from './model.ts';
import { outbox } from './outbox.ts';
import { personal } from './personal.ts';
import { product } from './product.ts';
import { role } from './role.ts';
import { tenancy } from './tenancy.ts';
import { user } from './user.ts';

export const texts = {
  ...firstTexts,
  tenancy,
  user,
  role,
  application,
  category,
  product,
  device,
  model,
  personal,
  audit,
  auditActions,
  auditFields,
  outbox,
};
