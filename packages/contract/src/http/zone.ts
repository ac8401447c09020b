import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, formOption, search } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';

const zone = '/iot-hub/admin/dc/zone';

const zoneRow = z.object({
  id: z.int(),
  zoneName: z.string(),
  /** 1 inner node, 2 outer node. */
  zoneType: z.literal([1, 2]),
  /** 0 disabled, 1 enabled. */
  status: z.literal([0, 1]),
});

export const zoneCalls = defineCalls({
  queryZoneList: {
    method: 'GET',
    path: `${zone}/list/page`,
    kind: 'query',
    access: 'zone:list',
    summary: { zh_CN: '可用区列表', en_US: 'Availability zones' },
    input: z.object({
      ...paging,
      ...sorting,
      zoneName: search(),
      status: blankable(formOption([0, 1])),
      zoneType: blankable(formOption([1, 2])),
    }),
    output: pageOf(zoneRow),
  },
});
