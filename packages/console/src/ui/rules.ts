import { issueText } from '@device-center/contract';
import type { FormRule } from 'antd';
import type { z } from 'zod';
import { currentLanguage } from '../i18n/language.ts';

/** An empty field is '', which optional schemas of the contract accept as "not set". */
const asTyped = (value: unknown): unknown => value ?? '';

/** A schema of the contract as a rule of antd's form, so that form and hub show the same message. */
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
