import * as fields from '../src/fields.ts';
import { paging, sorting } from '../src/paging.ts';
import { at, emptyOr, type Refused, type Rule, refuse } from './rule-fixtures.ts';

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `id${index}`);

type Sentences = { none: Refused['says']; tooMany: Omit<Refused, 'value'> };

const lists = (
  noun: string,
  { none, tooMany }: Sentences = { none: 'TOO_FEW', tooMany: { says: 'TOO_MANY', limit: { maximum: 100 } } },
): Pick<Rule, 'accepted' | 'refused'> => ({
  accepted: [
    `${noun}1`,
    [`${noun}1`, `${noun}2`],
    `${noun}1,${noun}2`,
    ` ${noun}1 , ${noun}2 `,
    `["${noun}1","${noun}2"]`,
    '[8,9]',
    ids(100),
    ids(100).join(','),
    JSON.stringify(ids(100)),
  ],
  refused: [
    ...refuse(none, '', ' ', '[]'),
    { value: ids(101), ...tooMany },
    { value: ids(101).join(','), ...tooMany },
    { value: JSON.stringify(ids(101)), ...tooMany },
    ...refuse('INVALID', '[not json'),
  ],
});

const numberRefused = ['x', '1.5', '1e1', 'true', '0x1', 'NaN', '１'];

/** Field rules of times, lists, options and numbers, as a form sends them. */
export const choiceRules: Rule[] = [
  {
    rule: 'time',
    schema: fields.blankable(fields.time()),
    places: [
      at('role.queryRoleList', 'startTime'),
      at('role.queryRoleList', 'endTime'),
      at('audit.queryAuditLogList', 'startTime'),
      at('audit.queryAuditLogList', 'endTime'),
    ],
    accepted: [
      '',
      '2024-05-06T07:08:09Z',
      '2024-05-06T07:08Z',
      '2024-05-06T07:08:09.123Z',
      '2024-05-06T07:08:09+08:00',
      '2024-05-06T07:08:09-0330',
      '2024-05-06T07:08:09 08:00',
      '1714979289000',
      '1000000000',
    ],
    refused: refuse(
      'TIME',
      '2024-05-06T07:08:09',
      '2024-05-06 07:08:09',
      '2024-05-06',
      '2024-13-06T07:08:09Z',
      '2024-05-06T25:08:09Z',
      'yesterday',
      '-1714979289000',
      '1714979289.5',
      '9999999999999999',
      ' ',
    ),
  },
  {
    rule: 'users chosen',
    schema: fields.idList(),
    places: [at('user.deleteUsers', 'userIds', 'USER_NOT_FOUND')],
    ...lists('user'),
  },
  {
    rule: 'applications chosen',
    schema: fields.idList(),
    places: [at('application.deleteApplication', 'applicationIds', 'APPLICATION_NOT_FOUND')],
    ...lists('app'),
  },
  {
    rule: 'tenants chosen',
    schema: fields.idList(),
    places: [at('tenancy.deleteTenancies', 'tenancyId', 'TENANCY_NOT_FOUND')],
    ...lists('tenant'),
  },
  {
    rule: 'categories chosen',
    schema: fields.chosenIds('NO_CATEGORY', 'TOO_MANY_CATEGORIES'),
    places: [at('category.deleteBatchCategory', 'categoryIds', 'CATEGORY_NOT_FOUND')],
    ...lists('category', { none: 'NO_CATEGORY', tooMany: { says: 'TOO_MANY_CATEGORIES' } }),
  },
  {
    rule: 'products chosen',
    schema: fields.chosenIds('NO_PRODUCT', 'TOO_MANY_PRODUCTS'),
    places: [at('product.deleteDeviceProduct', 'productIds', 'PRODUCT_NOT_FOUND')],
    ...lists('product', { none: 'NO_PRODUCT', tooMany: { says: 'TOO_MANY_PRODUCTS' } }),
  },
  {
    rule: 'menus',
    schema: fields.menuIds(),
    places: [at('role.addRole', 'menus'), at('role.updateRole', 'menus')],
    accepted: ['201', ['201', '202'], '201,302', '[201,302]', '["201"]', '2,201'],
    refused: refuse('TOO_FEW', '', '[]'),
  },
  {
    rule: 'flag',
    schema: fields.flag(),
    places: [at('application.updateEnabledStatus', 'enabled'), at('tenancy.updateEnabledStatus', 'enabled')],
    accepted: ['0', '1', ' 1 '],
    refused: emptyOr('NOT_AN_OPTION', '2', '-1', 'true', 'false', 'on', '01x'),
  },
  {
    rule: 'flag that may be left out',
    schema: fields.blankable(fields.flag()),
    places: [
      at('tenancy.updateTenancy', 'enabled'),
      at('tenancy.queryTenancyList', 'enabled'),
      at('application.queryApplicationList', 'enabled'),
      at('category.getCategoryList', 'standard'),
    ],
    accepted: ['', '0', '1'],
    refused: refuse('NOT_AN_OPTION', '2', 'true', ' '),
  },
  {
    rule: 'what a code is for',
    schema: fields.formOption([1, 2, 3, 4]),
    places: [at('personal.checkCode', 'type', 'CODE_WRONG')],
    accepted: ['1', '2', '3', '4'],
    refused: emptyOr('NOT_AN_OPTION', '0', '5', 'bind'),
  },
  {
    rule: 'pageIndex',
    schema: paging.pageIndex,
    places: [
      'role.queryRoleList',
      'user.queryUserList',
      'tenancy.queryTenancyList',
      'application.queryApplicationList',
      'audit.queryAuditLogList',
      'outbox.queryOutboxList',
      'category.getCategoryList',
      'category.getOpenFunctions',
      'product.queryDeviceProductList',
      'device.queryDeviceList',
    ].map((call) => at(call, 'pageIndex')),
    accepted: ['1', '2', '1000000'],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('NOT_A_NUMBER', ...numberRefused),
      { value: '0', says: 'TOO_SMALL', limit: { minimum: 1 } },
      { value: '-1', says: 'TOO_SMALL', limit: { minimum: 1 } },
      { value: '1000001', says: 'TOO_BIG', limit: { maximum: 1_000_000 } },
    ],
  },
  {
    rule: 'pageSize',
    schema: paging.pageSize,
    places: [at('role.queryRoleList', 'pageSize'), at('application.queryApplicationList', 'pageSize')],
    accepted: ['1', '10', '200'],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('NOT_A_NUMBER', ...numberRefused),
      { value: '0', says: 'TOO_SMALL', limit: { minimum: 1 } },
      { value: '201', says: 'TOO_BIG', limit: { maximum: 200 } },
    ],
  },
  ...(['sortField', 'sortMode'] as const).map((field) => ({
    rule: field,
    schema: sorting[field],
    places: [at('role.queryRoleList', field), at('user.queryUserList', field), at('tenancy.queryTenancyList', field)],
    accepted: ['1', '2'],
    refused: emptyOr('NOT_AN_OPTION', '0', '3', 'asc', 'createTime'),
  })),
];
