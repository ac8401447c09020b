import { quotaCalls, quotaNames } from '../src/http/quota.ts';
import { at, type Rule, refuse } from './rule-fixtures.ts';

const { shape } = quotaCalls.updateTenancyQuotas.input;
/** Maximum limits that the platform can set. */
const largest = {
  messagesPerSecond: 1_000_000,
  deviceMessagesPerSecond: 1_000_000,
  messagesPerDay: 1_000_000_000_000,
  storedBytes: 100 * 1024 ** 4,
  uploadBytes: 100 * 1024 ** 4,
  textsPerDay: 1_000_000,
  userTextsPerDay: 1_000_000,
};

/** Field rules of quotas; an empty field means the default. */
export const quotaRules: Rule[] = quotaNames.map((name) => ({
  rule: `quota ${name}`,
  schema: shape[name],
  places: [at('quota.updateTenancyQuotas', name)],
  accepted: ['', '1', String(largest[name])],
  refused: [
    ...refuse('NOT_A_NUMBER', 'many', '1.5', '1e3'),
    { value: '0', says: 'TOO_SMALL', limit: { minimum: 1 } },
    { value: String(largest[name] + 1), says: 'TOO_BIG', limit: { maximum: largest[name] } },
  ],
}));
