import type { MenuRow } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { isExternal, navigationOf } from './navigation.ts';

const menu = (menuId: number, parentId: number, path: string): MenuRow => ({
  menuId,
  parentId,
  path,
  name: path,
  icon: 'box',
  order: menuId,
  external: 0,
});

const menus = [
  menu(1, 0, '/message/messageChart'),
  menu(2, 0, '/systemConfig'),
  menu(201, 2, '/systemConfig/roleList'),
  menu(202, 2, '/systemConfig/userList'),
  menu(6, 0, '/OTAUpdate'),
  menu(6, 0, '/avaConfig'),
  menu(601, 6, '/OTAUpdate/softwareVersion'),
  menu(603, 6, '/avaConfig/availableList'),
  menu(9001, 0, 'https://example.com'),
];

const shown = (...granted: number[]) =>
  navigationOf(menus, new Set(granted)).map(({ items }) => items.map(({ path }) => path));

describe('the sidebar', () => {
  // Spec 2.58, 6.8
  it('shows a leaf only if its own id is granted', () => {
    expect(shown(2, 201)).toEqual([['/systemConfig/roleList'], ['https://example.com']]);
  });

  // Spec 6.7
  it('shows a parent only if its id and one of its leaves are granted', () => {
    expect(shown(201)).toEqual([['https://example.com']]);
    expect(shown(2)).toEqual([['https://example.com']]);
  });

  // Spec 2.19
  it('distinguishes the three parents that share the id 6', () => {
    expect(shown(6, 603)).toEqual([['/avaConfig/availableList'], ['https://example.com']]);
  });

  // Spec 6.7
  it('shows a top-level page without leaves as its own group', () => {
    expect(shown(1)).toEqual([['/message/messageChart'], ['https://example.com']]);
  });

  // Spec 2.59
  it('treats only http, https, mailto and tel as external', () => {
    for (const path of ['http://example.com', 'https://example.com', 'HTTPS://EXAMPLE.COM', 'mailto:a@b.co', 'tel:110'])
      expect([path, isExternal(path)]).toEqual([path, true]);
    for (const path of ['/systemConfig/roleList', '/https:', 'javascript:alert(1)', '//example.com', 'telephone', ''])
      expect([path, isExternal(path)]).toEqual([path, false]);
  });
});
