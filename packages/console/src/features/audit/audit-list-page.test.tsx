import { AUDIT_TOTAL_MAX, Menu } from '@device-center/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { answer, fakeHub, logIn, openConsole } from '../../test-console.tsx';

const entry = {
  auditId: 'a1',
  createTime: '2026-01-01T00:00:00.000Z',
  userId: '1',
  username: 'admin',
  tenancyId: '1',
  ip: '127.0.0.1',
  requestId: 'req-7',
  action: 'role.updateRole',
  targetId: 'r1',
  targetName: 'Operators',
  before: { roleName: 'Operators', menus: [201, 202] },
  after: { roleName: 'Keepers', menus: [201, 203] },
};
const page = (total: number, ...list: object[]) => answer({ pageIndex: 1, pageSize: 10, total, list });

describe('the audit log', () => {
  it('says the action in words over its raw name, and opens what changed', async () => {
    logIn([Menu.auditLog]);
    fakeHub({ queryAuditLogList: page(1, entry) });
    const user = userEvent.setup();
    openConsole('/systemConfig/auditLog');
    await user.click(await screen.findByRole('button', { name: /^Details of "Edit role"/ }));
    const drawer = within(await screen.findByRole('dialog'));
    expect(drawer.getByText('Role name')).toBeTruthy();
    expect(drawer.getByText('Keepers')).toBeTruthy();
    expect(drawer.getByText('203').dataset.only).toBe('true');
    expect(drawer.getByRole('button', { name: /Request id req-7/ })).toBeTruthy();
    expect(screen.getAllByText('role.updateRole').length).toBeGreaterThan(0);
  });

  it('keeps an action that this console does not know by its own name', async () => {
    logIn([Menu.auditLog]);
    fakeHub({ queryAuditLogList: page(1, { ...entry, action: 'zone.add' }) });
    openConsole('/systemConfig/auditLog');
    expect(await screen.findByRole('button', { name: /^Details of "zone.add"/ })).toBeTruthy();
  });

  it('asks for whole local days, and says when older entries are cut off', async () => {
    logIn([Menu.auditLog]);
    const received = fakeHub({ queryAuditLogList: page(AUDIT_TOTAL_MAX, entry) });
    openConsole('/systemConfig/auditLog?from=2026-01-01&to=2026-01-01&action=role.updateRole');
    expect(await screen.findByText(/^Only the latest 10,000 entries are shown/)).toBeTruthy();
    const sent = received.find(({ path }) => path.endsWith('queryAuditLogList'))?.input;
    expect(sent?.get('startTime')).toBe(new Date(2026, 0, 1).toISOString());
    expect(sent?.get('endTime')).toBe(new Date(2026, 0, 2).toISOString());
    expect(sent?.get('action')).toBe('role.updateRole');
  });
});
