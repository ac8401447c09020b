import { application } from './application.ts';
import { audit } from './audit.ts';
import { category } from './category.ts';
import { firstTexts } from './first.ts';
import { outbox } from './outbox.ts';
import { role } from './role.ts';
import { tenancy } from './tenancy.ts';
import { user } from './user.ts';

/** Texts of the layout and of pages with few texts; lazy.ts has the others. */
export const layoutTexts = {
  ...firstTexts,
  tenancy,
  user,
  role,
  application,
  category,
  audit,
  outbox,
};
