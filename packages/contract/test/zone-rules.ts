import { zoneCalls } from '../src/http/zone.ts';
import { changedZoneFields, ZONE_ID_MAX, zoneFields, zoneId } from '../src/http/zone-fields.ts';
import { at, emptyOr, type Place, type Rule, refuse } from './rule-fixtures.ts';

/** Responses to an accepted value: the zone or node does not exist. */
const NO_ZONE = 'ZONE_NOT_FOUND';
const NO_NODE = 'ZONE_NODE_NOT_FOUND';

const saving = (field: string): Place[] => [at('zone.addZone', field), at('zone.modifyZone', field, NO_ZONE)];
const testing = (field: string): Place => at('zone.testZoneNode', field, NO_NODE);
const { shape } = zoneCalls.testZoneNode.input;
const long = (length: number): string => 'x'.repeat(length);

const node = { hostName: 'broker.example.com', port: 1883, serverType: 1 };
const hosts = ['broker', '10.0.0.1', 'mqtts://b-1.example.com:8883', long(50)];
const noHosts = [...refuse('ZONE_LENGTH', long(51)), ...refuse('INVALID', 'a b', '中文', 'a@b', 'a?b')];

/** Field rules of availability zones and nodes. */
export const zoneRules: Rule[] = [
  {
    rule: 'name of a zone',
    schema: zoneFields.zoneName,
    places: saving('zoneName'),
    accepted: ['华东 1 区', 'Zone <1> & "2"', long(50), ' Plant 3 '],
    refused: [
      ...refuse('REQUIRED', '', '  '),
      ...refuse('ZONE_LENGTH', long(51)),
      ...refuse('INVALID', 'a\nb', 'a\u0000b'),
    ],
  },
  {
    rule: 'type of a zone',
    schema: zoneFields.zoneType,
    places: [...saving('zoneType'), testing('zoneType')],
    accepted: ['1'],
    refused: emptyOr('NOT_AN_OPTION', '0', '3', 'inner'),
  },
  {
    rule: 'beginning of the topics of a zone',
    schema: zoneFields.routeKey,
    places: saving('routeKey'),
    accepted: ['dc', 'plant/line-1_a.b', long(50)],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('ZONE_LENGTH', long(51)),
      ...refuse('INVALID', '/dc', 'dc/', 'a//b', 'a/#', 'a/+/b', '$share/x', '中'),
    ],
  },
  {
    rule: 'beginning of the topics of a node that is tested',
    schema: shape.routeKey,
    places: [testing('routeKey')],
    accepted: ['', 'dc'],
    refused: [...refuse('ZONE_LENGTH', long(51)), ...refuse('INVALID', 'dc/', 'a/#')],
  },
  {
    rule: 'address of a zone that is changed',
    schema: changedZoneFields.address,
    places: [at('zone.modifyZone', 'address', NO_ZONE)],
    // A built-in zone needs none.
    accepted: ['', ...hosts],
    refused: noHosts,
  },
  {
    rule: 'address of a new zone',
    schema: zoneFields.address,
    places: [at('zone.addZone', 'address')],
    accepted: hosts,
    refused: [...refuse('REQUIRED', ''), ...noHosts],
  },
  {
    rule: 'address of a node that is tested',
    schema: shape.hostName,
    places: [testing('hostName')],
    accepted: hosts,
    refused: noHosts,
  },
  {
    rule: 'address of another platform that is tested',
    schema: shape.bucketUrl,
    places: [testing('bucketUrl')],
    accepted: ['', 'https://other.example.com/base', 'other.example.com:8443'],
    refused: noHosts,
  },
  {
    rule: 'flag of a zone',
    schema: zoneFields.isSyncModel,
    places: [...saving('isSyncModel'), ...saving('syncAll'), at('zone.setZoneState', 'status', NO_ZONE)],
    accepted: ['0', '1'],
    refused: emptyOr('NOT_AN_OPTION', '2', 'yes'),
  },
  {
    rule: 'state of a new zone',
    schema: zoneCalls.addZone.input.shape.status,
    places: [at('zone.addZone', 'status')],
    accepted: ['', '0', '1'],
    refused: refuse('NOT_AN_OPTION', '2', 'on'),
  },
  {
    rule: 'nodes of a zone that is changed',
    schema: changedZoneFields.nodes,
    places: [at('zone.modifyZone', 'nodes', NO_ZONE)],
    // A built-in zone needs none.
    accepted: ['[]', JSON.stringify([node])],
    refused: refuse('ZONE_NO_NODE', '', '{}', 'x'),
  },
  {
    rule: 'nodes of a new zone',
    schema: zoneFields.nodes,
    places: [at('zone.addZone', 'nodes')],
    accepted: [JSON.stringify([node]), JSON.stringify([node, { ...node, tls: 1 }])],
    refused: refuse('ZONE_NO_NODE', '', '[]', '{}', 'x'),
  },
  {
    rule: 'id of a zone',
    schema: zoneId(),
    places: ['modifyZone', 'setZoneState', 'removeZone', 'moveZoneDevices'].map((call) =>
      at(`zone.${call}`, 'id', NO_ZONE),
    ),
    accepted: [String(ZONE_ID_MAX)],
    refused: [
      ...emptyOr('NOT_A_NUMBER', 'x', '1.5'),
      { value: '0', says: 'TOO_SMALL', limit: { minimum: 1 } },
      { value: String(ZONE_ID_MAX + 1), says: 'TOO_BIG', limit: { maximum: ZONE_ID_MAX } },
    ],
  },
  {
    rule: 'port of a node',
    schema: shape.port,
    places: [testing('port')],
    accepted: ['0', '1883', '65535'],
    refused: refuse('PORT', '65536', '-1', 'x', '1.5'),
  },
  {
    rule: 'service of a node',
    schema: shape.serverType,
    places: [testing('serverType')],
    accepted: ['1', '2'],
    refused: refuse('NOT_AN_OPTION', '0', '3', 'mqtt'),
  },
  {
    rule: 'account of a node',
    schema: shape.username,
    places: [testing('username')],
    accepted: ['', 'hub', 'a b', long(50)],
    refused: [...refuse('ZONE_ACCOUNT', '账号'), { value: long(51), says: 'TOO_LONG', limit: { maximum: 50 } }],
  },
  {
    rule: 'password of a node',
    schema: shape.password,
    places: [testing('password')],
    accepted: ['', 'pass word', long(8), long(20)],
    refused: [...refuse('ZONE_PASSWORD', long(7), long(21)), ...refuse('ZONE_ACCOUNT', '密码密码密码密码')],
  },
  {
    rule: 'flag of a node',
    schema: shape.tls,
    places: [testing('tls'), testing('removeCertificate')],
    accepted: ['0', '1'],
    refused: emptyOr('NOT_AN_OPTION', '2', 'yes'),
  },
  {
    rule: 'key for another platform',
    schema: shape.apiKey,
    places: [testing('apiKey')],
    accepted: ['', `dck_${long(43)}`],
    refused: refuse('API_KEY', 'dck_', long(43), 'dck_密密密密密密密密密密密密密密密密密密密密'),
  },
  {
    rule: 'password of a certificate file',
    schema: shape.certificatePassword,
    places: [testing('certificatePassword')],
    accepted: ['', '密码', long(100)],
    refused: [{ value: long(101), says: 'TOO_LONG', limit: { maximum: 100 } }],
  },
];
