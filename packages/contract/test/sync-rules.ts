import { syncCalls } from '../src/http/sync.ts';
import { ZONE_ID_MAX } from '../src/http/zone-fields.ts';
import { at, emptyOr, type Place, type Rule, refuse } from './rule-fixtures.ts';

/** Response to an accepted value: the zone does not exist. */
const NO_ZONE = 'ZONE_NOT_FOUND';
const asking = (field: string): Place => at('sync.oneKey', field, NO_ZONE);
const again = (field: string): Place => at('sync.resend', field, NO_ZONE);
const choosing = (field: string): Place => at('sync.request', field, NO_ZONE);
const listing = (field: string): Place => at('sync.querySyncRecordList', field);
const looking = (field: string): Place => at('sync.previewSync', field, NO_ZONE);

const list = syncCalls.querySyncRecordList.input.shape;
const ids = (count: number): string => Array.from({ length: count }, (_, index) => `id${index}`).join(',');

/** Field rules of synchronisation with other platforms. */
export const syncRules: Rule[] = [
  {
    rule: 'zone that is kept in step',
    schema: list.zoneId,
    places: [asking('zoneId'), again('zoneId'), choosing('zoneId'), looking('zoneId'), listing('zoneId')],
    accepted: [String(ZONE_ID_MAX)],
    refused: [
      ...emptyOr('NOT_A_NUMBER', 'x', '1.5'),
      { value: '0', says: 'TOO_SMALL', limit: { minimum: 1 } },
      { value: String(ZONE_ID_MAX + 1), says: 'TOO_BIG', limit: { maximum: ZONE_ID_MAX } },
    ],
  },
  {
    rule: 'what is kept in step',
    schema: syncCalls.oneKey.input.shape.dataType,
    places: [asking('dataType'), again('dataType'), looking('dataType')],
    accepted: ['1', '2'],
    refused: emptyOr('NOT_AN_OPTION', '0', '3', 'model'),
  },
  {
    rule: 'filter by what is kept in step',
    schema: list.dataType,
    places: [listing('dataType')],
    accepted: ['', '1', '2'],
    refused: refuse('NOT_AN_OPTION', '0', '3', 'data'),
  },
  {
    rule: 'filter by sync status',
    schema: list.syncStatus,
    places: [listing('syncStatus')],
    accepted: ['', '0', '1', '2', '3'],
    refused: refuse('NOT_AN_OPTION', '4', '-1', 'failed'),
  },
  {
    rule: 'chosen sync records',
    schema: syncCalls.request.input.shape.syncIds,
    places: [choosing('syncIds')],
    accepted: ['id1', 'id1,id2', ids(100)],
    refused: [...refuse('TOO_FEW', '', ' ', '[]'), { value: ids(101), says: 'TOO_MANY', limit: { maximum: 100 } }],
  },
  {
    rule: 'sync records to be looked at',
    schema: syncCalls.previewSync.input.shape.syncIds,
    places: [looking('syncIds')],
    accepted: ['', 'id1', 'id1,id2', ids(100)],
    refused: [{ value: ids(101), says: 'TOO_MANY', limit: { maximum: 100 } }],
  },
  {
    rule: 'filter by what sending would do',
    schema: syncCalls.previewSync.input.shape.change,
    places: [looking('change')],
    accepted: ['', 'created', 'changed', 'same', 'older', 'refused'],
    refused: refuse('NOT_AN_OPTION', 'new', '1'),
  },
  {
    rule: 'filter of targets by state',
    schema: syncCalls.querySyncRecordCount.input.shape.status,
    places: [at('sync.querySyncRecordCount', 'status')],
    accepted: ['', '0', '1'],
    refused: refuse('NOT_AN_OPTION', '2', 'on'),
  },
];
