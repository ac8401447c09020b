import type { MenuNode } from '@device-center/contract';
import { Menu, roleCalls } from '@device-center/contract';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, describe, expect, it } from 'vitest';
import { fill, openConsole } from '../../../test/console.tsx';
import { client, createUserWithMenus, unique } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';
import { loadAllTexts } from '../../i18n/start.ts';
import { PermissionTree } from './permission-tree.tsx';

const node = (menuId: number, name: string, path: string, children: MenuNode[] = []): MenuNode => ({
  menuId,
  parentId: 0,
  name,
  path,
  icon: 'box',
  order: menuId,
  external: 0,
  children,
});

/** As in the product: two parents share the id 6, and one leaf has its parent's id. */
const tree = [
  node(2, 'System', '/systemConfig', [node(201, 'Roles', '/r'), node(202, 'Users', '/u')]),
  node(6, 'Updates', '/OTAUpdate', [node(601, 'Firmware', '/f'), node(602, 'Tasks', '/t')]),
  node(6, 'Zones', '/avaConfig', [node(603, 'Zone list', '/z')]),
  node(1101, 'Mock', '/deviceMock', [node(1101, 'Mock devices', '/m')]),
];

const Tree = ({ onChange }: { onChange: (menus: number[]) => void }) => {
  const [value, setValue] = useState<number[]>([]);
  const change = (menus: number[]) => {
    setValue(menus);
    onChange(menus);
  };
  return <PermissionTree tree={tree} value={value} onChange={change} />;
};

const chosenAfter = async (...clicks: string[]): Promise<number[]> => {
  let chosen: number[] = [];
  const user = userEvent.setup();
  render(
    <Tree
      onChange={(menus) => {
        chosen = menus;
      }}
    />,
  );
  for (const name of clicks) {
    const found = screen.queryByRole('checkbox', { name }) ?? screen.getByRole('button', { name });
    await user.click(found);
  }
  return chosen;
};

describe('PermissionTree', () => {
  // The router loads the texts when it renders a page; this test renders a component.
  beforeAll(loadAllTexts);

  // Spec 6.2
  it('selects the pages of a group, never the group', async () => {
    expect(await chosenAfter('System')).toEqual([201, 202]);
  });

  it('distinguishes groups that share an id', async () => {
    expect(await chosenAfter('Updates')).toEqual([601, 602]);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Zones' }).checked).toBe(false);
  });

  it('selects all pages and none', async () => {
    expect(await chosenAfter('Select all')).toEqual([201, 202, 601, 602, 603, 1101]);
    await userEvent.click(screen.getByRole('button', { name: 'Select none' }));
    expect(screen.getByText('0 of 6 selected')).toBeTruthy();
  });

  it('deselects a page of a selected group', async () => {
    expect(await chosenAfter('System', 'Roles')).toEqual([202]);
  });

  it('selects all search results and keeps the rest', async () => {
    const chosen: number[][] = [];
    const user = userEvent.setup();
    render(<Tree onChange={(menus) => chosen.push(menus)} />);
    await user.click(screen.getByRole('checkbox', { name: 'Users' }));
    await user.type(screen.getByLabelText('Search menus'), 'task');
    expect(screen.queryByRole('checkbox', { name: 'Users' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Select all' }));
    expect(chosen.at(-1)).toEqual([202, 602]);
  });
});

describe('the role form', () => {
  // Spec 1.3, 2.26, 6.2
  it('previews the sidebar and sends pages only', async () => {
    const { session } = await createUserWithMenus([Menu.roleList, Menu.userList]);
    saveSession(session);
    const roleName = unique('role');
    const user = userEvent.setup();
    openConsole('/add/addRole/0/0');
    await fill(user, 'Role name', roleName);
    const group = await screen.findByRole('checkbox', { name: 'System' });
    const preview = screen.getByText('Menu preview').parentElement as HTMLElement;
    expect(within(preview).queryByText('Roles')).toBeNull();
    await user.click(group);
    expect(within(preview).getByText('Roles')).toBeTruthy();
    expect(within(preview).getByText('Users')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    await screen.findByRole('button', { name: 'OK' });
    const { list } = await client(session.token).ok(roleCalls.queryRoleList, { roleName });
    expect(list).toMatchObject([{ roleName, menus: [Menu.roleList, Menu.userList], tenancyId: session.tenancyId }]);
  });
});
