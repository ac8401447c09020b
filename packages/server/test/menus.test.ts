import { type Answer, roleCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await sharedHub();
});
afterAll(() => hub.close());

/** As the specification has them: the folder, its id, and its pages with theirs. */
const folders: [path: string, menuId: number, pages: Record<string, number>][] = [
  ['/message', 1, { messageChart: 1 }],
  ['/systemConfig', 2, { roleList: 201, userList: 202, tenantList: 301, applyList: 302 }],
  ['/categoryConfig', 4, { categoryList: 401 }],
  ['/productConfig', 5, { productList: 502, deviceList: 501, blackDeviceList: 503 }],
  ['/OTAUpdate', 6, { softwareVersion: 601, updateMission: 602 }],
  // The specification has no menu id for these two pages.
  ['/avaConfig', 6, { availableList: 603 }],
  ['/dataSynch', 6, { dataShow: 604 }],
  ['/deviceMock', 1101, { mockList: 1101 }],
];

/** Ours beside them. */
const extensions = ['/systemConfig/auditLog', '/systemConfig/outbox', '/systemConfig/apiKeyList'];

describe('the menus of the hub', () => {
  // Spec 2.19, 7.33
  it('are those of the specification, with their ids and paths', async () => {
    const menus = await hub.admin.ok(roleCalls.queryMenuList, {});
    const idOf = (path: string) => menus.find((menu) => menu.path === path)?.menuId;
    const expected = folders.flatMap(([folder, , pages]) => Object.keys(pages).map((page) => `${folder}/${page}`));
    for (const [folder, menuId, pages] of folders) {
      expect([folder, idOf(folder)]).toEqual([folder, menuId]);
      for (const [page, id] of Object.entries(pages)) {
        const entry = menus.find(({ path }) => path === `${folder}/${page}`);
        expect(entry, page).toMatchObject({ menuId: id, parentId: menuId, external: 0 });
      }
    }
    const known = new Set([...folders.map(([folder]) => folder), ...expected, ...extensions]);
    expect(menus.map(({ path }) => path).filter((path) => !known.has(path))).toEqual([]);
  });

  it('are in the order of the specification, extensions after them', async () => {
    const tree = await hub.admin.ok(roleCalls.queryMenuListTree, {});
    const order = (path: string) =>
      tree.find((folder) => folder.path === path)?.children?.map((menu) => menu.path.slice(path.length + 1));
    expect(order('/systemConfig')).toEqual([
      ...['roleList', 'userList', 'tenantList', 'applyList'],
      ...['auditLog', 'outbox', 'apiKeyList'],
    ]);
    expect(tree.map(({ path }) => path)).toEqual(folders.map(([folder]) => folder));
    for (const [folder, , pages] of folders.filter(([path]) => path !== '/systemConfig'))
      expect(order(folder)).toEqual(Object.keys(pages));
  });

  it('have names in the caller’s language', async () => {
    const namesIn = async (language: string) => {
      const answer = await hub.admin.call(roleCalls.queryMenuList, {}, { language });
      return answer.success ? answer.data.map(({ name }) => name) : [];
    };
    const [chinese, english] = [await namesIn('zh-CN'), await namesIn('en-US')];
    expect(chinese.length).toBe(english.length);
    expect(chinese.filter((name) => !/[一-鿿]/.test(name))).toEqual([]);
    expect(english.filter((name) => /[一-鿿]/.test(name))).toEqual([]);
  });

  it.each([['queryMenuList'], ['queryMenuListTree']])('%s also has its former path', async (name) => {
    const read = async (path: string) => {
      const response = await fetch(`${hub.url}/iot-hub/admin/${path}/${name}`, {
        headers: { Authorization: hub.admin.token },
      });
      return [response.status, ((await response.json()) as Answer<unknown>).data];
    };
    const answer = await read('menu/manage');
    expect(answer).toEqual([200, expect.arrayContaining([expect.objectContaining({ menuId: 1 })])]);
    expect(await read('system/role/menu/manage')).toEqual(answer);
    const description = await (await fetch(`${hub.url}/openapi.json`)).text();
    expect(description).toContain(`"/iot-hub/admin/menu/manage/${name}"`);
    expect(description).not.toContain('system/role/menu');
  });
});
