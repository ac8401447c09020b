import type { Input, Output, zoneCalls } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { readPage } from '../../db/paging.ts';
import { zoneNameIn } from '../../db/zones.ts';
import type { Context } from '../../platform/actor.ts';
import { fold } from '../../platform/fold.ts';

type Calls = typeof zoneCalls;

export const createZoneService = ({ db }: { db: Db }) => ({
  async queryZoneList(
    { language }: Context,
    input: Input<Calls['queryZoneList']>,
  ): Promise<Output<Calls['queryZoneList']>> {
    let rows = db.selectFrom('zone').selectAll();
    if (input.zoneName) {
      // Searched as it is read, in the reader's language; zones are few.
      const word = fold(input.zoneName);
      const named = (await rows.execute()).filter((row) => fold(zoneNameIn(language, row)).includes(word));
      rows = rows.where('zone_id', 'in', [0, ...named.map((row) => row.zone_id)]);
    }
    if (input.status !== undefined) rows = rows.where('status', '=', input.status);
    if (input.zoneType !== undefined) rows = rows.where('zone_type', '=', input.zoneType);
    const order = { createdAt: 'created_at', updatedAt: 'updated_at', unique: 'zone_id' };
    const page = await readPage(db, { rows, ...order }, input);
    return {
      ...page,
      list: page.list.map((row) => ({
        id: row.zone_id,
        zoneName: zoneNameIn(language, row),
        zoneType: row.zone_type,
        status: row.status,
      })),
    };
  },
});
