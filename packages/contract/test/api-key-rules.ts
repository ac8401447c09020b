import { apiKeyCalls } from '../src/http/api-key.ts';
import { at, emptyOr, type Place, type Rule, refuse } from './rule-fixtures.ts';

const { shape } = apiKeyCalls.addApiKey.input;
/** Response to an accepted value: the role does not exist. */
const adding = (field: string): Place => at('apiKey.addApiKey', field, 'ROLE_NOT_FOUND');

/** Field rules of API keys. */
export const apiKeyRules: Rule[] = [
  {
    rule: 'name of an API key',
    schema: shape.keyName,
    places: [adding('keyName')],
    accepted: ['采集程序', 'Robot-1_(a)@b', 'x'.repeat(50)],
    refused: [...refuse('REQUIRED', ''), ...refuse('NAME', 'a b', 'x'.repeat(51), 'a/b')],
  },
  {
    rule: 'scope of an API key',
    schema: shape.scope,
    places: [adding('scope')],
    accepted: ['role'],
    refused: emptyOr('NOT_AN_OPTION', 'all'),
  },
  {
    rule: 'end of an API key',
    schema: shape.expireTime,
    places: [adding('expireTime')],
    accepted: ['', '2241-05-06T07:08:09Z', '8251000000000'],
    refused: refuse('TIME', 'tomorrow', '2241-05-06T07:08:09'),
  },
];
