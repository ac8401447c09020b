import { apiKeyRules } from './api-key-rules.ts';
import { choiceRules } from './choice-rules.ts';
import { deviceRules } from './device-rules.ts';
import { firmwareRules } from './firmware-rules.ts';
import { homeRules } from './home-rules.ts';
import { mockRules } from './mock-rules.ts';
import { modelRules } from './model-rules.ts';
import { otaRules } from './ota-rules.ts';
import { productRules } from './product-rules.ts';
import { quotaRules } from './quota-rules.ts';
import type { Rule } from './rule-fixtures.ts';
import { syncRules } from './sync-rules.ts';
import { textRules } from './text-rules.ts';
import { zoneRules } from './zone-rules.ts';

export type { Place, Refused, Rule } from './rule-fixtures.ts';

/** All field rules; tests apply them to the schemas, the hub's input parsing and the console's forms. */
export const rules: Rule[] = [
  ...textRules,
  ...choiceRules,
  ...productRules,
  ...modelRules,
  ...deviceRules,
  ...mockRules,
  ...homeRules,
  ...firmwareRules,
  ...otaRules,
  ...zoneRules,
  ...syncRules,
  ...apiKeyRules,
  ...quotaRules,
];
