import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { type DatabaseName, databaseFile } from './src/db/connect.ts';
import { migrate } from './src/db/migrate.ts';

/**
 * node packages/server/row-types.ts [--write]: the row types of both databases, generated from the migrations.
 * Without --write it fails when the files differ from what it would write.
 */

/** Types that are narrower than the column's, by table. */
const narrowed: Record<string, Record<string, string[]>> = {
  Flag: {
    tenancy: ['enabled', 'builtin', 'demo'],
    menu: ['platform_only'],
    role: ['builtin'],
    user_account: ['must_change_password'],
    application: ['enabled', 'deleting'],
    product: ['allow_register', 'allow_md5'],
    device: ['mock', 'secret_proven', 'secret_by_console', 'real_time_push', 'blacklisted'],
    mock_device: ['run_in_hub'],
    ota_task: ['complete', 'execute_now', 'run_open', 'chosen', 'allow_older', 'rehearsal'],
    ota_hold: ['started'],
    zone: ['status', 'builtin', 'is_sync_model', 'sync_all'],
    zone_node: ['tls'],
  },
  "'avatar' | 'product'": { picture: ['purpose'] },
  OwnFunctionType: { open_function: ['function_type'], product_function: ['function_type'] },
  NodeTypeId: { product: ['node_type'] },
  ProtocolId: { product: ['protocol_id'] },
  ProductClassId: { product: ['class_id'] },
  "'mail' | 'sms'": { outbox: ['channel'] },
  OutboxState: { outbox: ['state'] },
  '1 | 2': {
    device: ['online'],
    mock_device: ['run_mode'],
    ota_task: ['task_type'],
    zone: ['zone_type'],
    zone_node: ['server_type'],
    message_record: ['data_flow'],
    sync_record: ['data_type'],
  },
  LogLevelId: { device: ['logger_level'] },
  "SignMethod | ''": { device: ['sign_method'] },
  "DisconnectReason | ''": { device: ['offline_reason'] },
  SignMethod: { device_session: ['sign_method'] },
  SessionEnd: { device_session: ['ended'] },
  CommandState: { device_command: ['state'] },
  InstructionScope: { device_cut: ['scope'] },
  "ConnectionDisconnectReason | ''": { device_cut: ['reason'] },
  "FirmwareFile['state']": { firmware_file: ['state'] },
  "FirmwareFile['fault']": { firmware_file: ['fault'] },
  TaskStatusId: { ota_task: ['status'] },
  "'' | 'threshold'": { ota_task: ['stop_reason'] },
  UpgradeStatusId: { ota_device: ['status'] },
  FailReasonId: { ota_device: ['reason'] },
  "'connecting' | 'connected' | 'failed'": { zone_link: ['state'] },
  ApiKeyScope: { api_key: ['scope'] },
  '-1 | 0 | 1': { zone_slot: ['shared'] },
  '0 | 1': { message_record: ['response'] },
  '1 | 2 | 3': { connect_record: ['status'] },
  "'' | 'login' | 'connect' | 'message'": { connect_record: ['place'] },
  '0 | 1 | 2 | 3': { sync_record: ['status'] },
};

/** What a column's name does not say, by table. */
const notes: Record<string, Record<string, string>> = {
  application: { deleting: 'Marked for deletion: its devices are deleted first.' },
  product: {
    origin_id: "Installation that manages it; '' is this one.",
    received_from: "Installation that sent it; '' if unknown.",
    received_key: "API key it was sent with; '' if unknown.",
    former_origin: "Installation that managed it before a takeover; '' if none.",
  },
  outbox: {
    body_after: 'The text that is shown after delivery, with its secret masked.',
    state:
      '`suppressed`: no account has the address; the row is written so that each request for a code does the same work.',
  },
  device: {
    registration_no: 'Distinguishes this registration of the id from others; 0 if older than these numbers.',
    parent_id: "Gateway of a child device; '' if none.",
    origin_id: "Installation that manages it; '' is this one.",
    received_from: "Installation that sent it; '' if unknown.",
    received_key: "API key it was sent with; '' if unknown.",
    former_origin: "Installation that managed it before a takeover; '' if none.",
    link_zone_id: "Zone whose broker holds its connection; 0 for the hub's own listener.",
    secret_proven: '1 once its own secret has signed a login or a message.',
    reregister_until: "Until when it may log in once with the product's secret; 0 if it may not.",
    offline_reason: 'Reason of its last disconnect, as in the connection events.',
  },
  device_cut: {
    reason: "'' for `configuration`.",
    scope: '`configuration` does not disconnect: it notifies the device of a configuration change.',
  },
  mock_device: {
    defaults: 'JSON by sign code.',
    upgrade_fault: "How it fails an upgrade; '' if it does not.",
    rehearsal_task: "The rehearsal that created it; '' if none.",
  },
  ota_version: { manifest: 'JSON of the signed manifest.' },
  ota_device: {
    registration_no: 'Registration of the device; -1 for a device deleted before registrations were numbered.',
  },
  zone: { sync_all: '1: all tenants; 0: those of `zone_tenancy`.' },
  zone_probe: { keep_alive: 'Seconds; 0 if the device did not report it.', asked_at: '0: not probed.' },
  api_key: { creator_id: 'null: its creator was deleted before that also deleted the key.' },
  message_record: { data_flow: '1 up, 2 down.', message_time: 'Times are milliseconds since 1970, values are JSON.' },
  property_sample: { record_id: 'Its own number; only demonstration samples have the number of their message.' },
  latest_value: { record_id: 'Its own number; only demonstration samples have the number of their message.' },
  connect_record: { status: '1 connected, 2 disconnected, 3 rejected.' },
  quarter_counter: { bytes: 'Estimated size of the records that are still stored.' },
  sync_record: {
    attempts: 'Consecutive failed attempts.',
    reason: "JSON; '' if it has not failed.",
    tries: 'JSON, newest first.',
  },
  sync_zone: { peers: "JSON; '' if unknown.", scope: "The tenants that its records cover: 'all', or ids." },
  tenant_quota: { messages_per_second: 'In all quotas, null is the default.' },
  text_usage: { user_id: "'' counts for the whole tenant." },
  device_session: { ended: '0: valid; 1: revoked; 2: replaced by a later login of the device.' },
};

const baseTypes: Record<string, string> = { TEXT: 'string', INTEGER: 'number', BLOB: 'Uint8Array' };
/** Types of column-types.ts; all other names are the contract's. */
const own = ['Defaulted', 'Flag', 'InstructionScope', 'Nullable', 'OutboxState', 'SessionEnd'];

type Column = { name: string; type: string; notnull: 0 | 1; dflt_value: string | null; pk: number };

const typeOf = (table: string, { name, type, notnull, dflt_value, pk }: Column): string => {
  const narrow = Object.entries(narrowed).find(([, tables]) => tables[table]?.includes(name))?.[0];
  const plain = narrow ?? baseTypes[type.toUpperCase()] ?? 'never';
  if (!notnull && !pk) return `Nullable<${plain}>`;
  return dflt_value === null ? plain : `Defaulted<${plain}>`;
};

const typeName = (table: string): string =>
  `${table.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())}Table`;

const tableType = (database: DatabaseSync, table: string): string => {
  const columns = database.prepare('select * from pragma_table_info(?) order by cid').all(table) as Column[];
  const lines = columns.flatMap((column) => {
    const note = notes[table]?.[column.name];
    return [...(note ? [`  /** ${note} */`] : []), `  ${column.name}: ${typeOf(table, column)};`];
  });
  return `export type ${typeName(table)} = {\n${lines.join('\n')}\n};\n`;
};

const importLine = (names: string[], from: string): string => {
  const line = `import type { ${names.join(', ')} } from '${from}';`;
  const wrapped = `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}';`;
  return names.length ? `${line.length > 120 ? wrapped : line}\n` : '';
};

const fileOf = (database: DatabaseSync, all: string): string => {
  const rows = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .all() as { name: string }[];
  const tables = rows.map(({ name }) => name).filter((name) => name !== 'migration');
  const types = tables.map((table) => tableType(database, table)).join('\n');
  const names = [...new Set(types.match(/(?<=[<:|] ?)[A-Z]\w+/g))].filter((name) => name !== 'Uint8Array').sort();
  const head = '/** Generated from the migrations: node packages/server/row-types.ts --write */\n';
  const map = `export type ${all} = {\n${tables.map((table) => `  ${table}: ${typeName(table)};\n`).join('')}};\n`;
  return [
    importLine(
      names.filter((name) => !own.includes(name)),
      '@device-center/contract',
    ),
    importLine(
      names.filter((name) => own.includes(name)),
      './column-types.ts',
    ),
    `\n${head}\n${types}\n${map}`,
  ].join('');
};

const targets: { databaseName: DatabaseName; file: string; all: string }[] = [
  { databaseName: 'hub', file: 'hub-tables.ts', all: 'HubTables' },
  { databaseName: 'records', file: 'record-tables.ts', all: 'RecordTables' },
];

const folder = mkdtempSync(join(tmpdir(), 'row-types-'));
try {
  await migrate({ DATA_DIR: folder, DATABASE_URL: undefined });
  for (const { databaseName, file, all } of targets) {
    const database = new DatabaseSync(databaseFile(folder, databaseName), { readOnly: true });
    const text = fileOf(database, all);
    database.close();
    const path = fileURLToPath(new URL(`./src/db/${file}`, import.meta.url));
    if (process.argv.includes('--write')) writeFileSync(path, text);
    else if (readFileSync(path, 'utf8') !== text) {
      process.stderr.write(`${file} is not what the migrations say: node packages/server/row-types.ts --write\n`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
