import { application } from './application.ts';
import { audit } from './audit.ts';
import { category } from './category.ts';
import { firstTexts } from './first.ts';
import { outbox } from './outbox.ts';
import { role } from './role.ts';
import { tenancy } from './tenancy.ts';
import { user } from './user.ts';

/** What the layout and the pages with few words say; lazy.ts has the rest. */
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
