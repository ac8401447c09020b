import { issueText } from '@device-center/contract';
import type { FormRule } from 'antd';
import type { z } from 'zod';
import { currentLanguage } from '../i18n/language.ts';

/** An empty field has '' in a form; optional schemas of the contract read that as "not given". */
const asTyped = (value: unknown): unknown => value ?? '';

/** The contract's rule for one field, as a rule of antd's form: the form and the hub say the same sentence. */
export const rulesFrom = (schema: z.ZodType): FormRule[] => [
  {
    validator: async (_rule, value: unknown) => {
      const result = await schema.safeParseAsync(asTyped(value), { reportInput: true });
      const issue = result.error?.issues[0];
      if (issue) throw new Error(issueText(issue, currentLanguage()));
    },
  },
];

export const isRequired = (schema: z.ZodType): boolean => !schema.safeParse('').success;
