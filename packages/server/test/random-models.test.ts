import { type Answer, fieldPath, issueText, type Language, modelCalls, modelOfProduct } from '@device-center/contract';
import { anyModel, mutatedModel } from '@device-center/contract/test/arbitrary-model.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { property } from './functions.ts';
import { bareFunctions, createModelFixture } from './product-models.ts';

const long = process.env.TEST_LONG !== undefined;
const VERDICTS = long ? 10_000 : 150;
const SAVES = long ? 500 : 25;
const TIMEOUT = long ? 3_600_000 : 120_000;

const scene = createModelFixture();
const { models } = scene;

type Environment = { field: string; message: string };

/** The errors of the contract's schema, which the form uses too. */
const verdictOf = (functions: unknown, language: Language): Environment[] | null => {
  const parsed = modelOfProduct().safeParse(functions, { reportInput: true });
  if (parsed.success) return null;
  return parsed.error.issues.flatMap((issue) => {
    const path = ['functions', ...issue.path];
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
    return keys.map((environment) => ({ field: fieldPath(environment), message: issueText(issue, language) }));
  });
};

/** Ids in functions would reference existing functions; here there are none. */
const firstNamed = (functions: unknown): number =>
  Array.isArray(functions) ? functions.findIndex((entry) => Object.hasOwn(Object(entry), 'id')) : -1;

const expectSame = (answer: Answer<unknown>, functions: unknown, language: Language): void => {
  const places = verdictOf(functions, language);
  const named = firstNamed(functions);
  const told = JSON.stringify(answer);
  if (places) {
    expect(answer, told).toMatchObject({ statusCode: 400, code: 'BAD_INPUT' });
    expect(answer.success ? [] : answer.details).toEqual(places);
  } else if (named >= 0) {
    const details = [{ field: `functions[${named}].id` }];
    expect(answer, told).toMatchObject({ statusCode: 404, code: 'FUNCTION_NOT_FOUND', details });
  } else expect(answer, told).toMatchObject({ success: true, statusCode: 200 });
};

describe('a random valid or invalid model', () => {
  // Spec 5.35
  it('gets the same errors from hub and schema, at the same paths, in both languages, as JSON and as a form', {
    timeout: TIMEOUT,
  }, async () => {
    const productId = await models.product();
    await models.save(productId, 1, [property('a'), property('name')]);
    const seen = { taken: 0, refused: 0 };
    const either = fc.oneof({ weight: 1, arbitrary: anyModel(6) }, { weight: 4, arbitrary: mutatedModel() });
    await fc.assert(
      fc.asyncProperty(either, fc.boolean(), fc.boolean(), async (created, chinese, form) => {
        const language = chinese ? 'zh_CN' : 'en_US';
        const functions: unknown = JSON.parse(JSON.stringify(created));
        const text = typeof functions === 'string' ? functions : JSON.stringify(functions);
        const sent = { productId, functions: form ? text : functions };
        const answer = await scene.user.send(modelCalls.previewProductModel, sent, {
          as: form ? 'form' : 'json',
          language: language.replace('_', '-'),
        });
        expectSame(answer, functions, language);
        seen[answer.success ? 'taken' : 'refused']++;
      }),
      { numRuns: VERDICTS },
    );
    // Both must have come up, or nothing was shown.
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(VERDICTS / 20);
    expect(await models.version(productId)).toBe(2);
  });
});

describe('a random valid model', () => {
  const exported = async (productId: string, format: 'json' | 'tsl'): Promise<string> => {
    const address = `${scene.hub.url}${modelCalls.exportProductModel.path}?productId=${productId}&format=${format}`;
    return (await fetch(address, { headers: { Authorization: scene.user.token } })).text();
  };

  it('is read back unchanged, and survives an export and import into another product', {
    timeout: TIMEOUT,
  }, async () => {
    const [source, ...targets] = [await models.product(), await models.product(), await models.product()];
    await fc.assert(
      fc.asyncProperty(anyModel(), async (functions) => {
        const saved = await models.save(source, await models.version(source), functions);
        expect(saved, JSON.stringify(saved)).toMatchObject({ success: true });
        expect(bareFunctions(await models.list(source))).toEqual(functions);
        for (const [index, format] of (['json', 'tsl'] as const).entries()) {
          const productId = targets[index] ?? '';
          const content = await exported(source, format);
          const answer = await scene.user.send(modelCalls.importProductModel, { productId, content });
          expect(answer, JSON.stringify(answer)).toMatchObject({ success: true });
          expect(bareFunctions(await models.list(productId))).toEqual(functions);
        }
      }),
      { numRuns: SAVES },
    );
  });
});
