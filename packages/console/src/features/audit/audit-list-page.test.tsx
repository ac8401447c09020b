import { AUDIT_TOTAL_MAX, auditCalls, Menu, roleCalls } from '@device-center/contract';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../../test/console.tsx';
import { client, createUserWithMenus, unique } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';
import { loadLazyTexts } from '../../i18n/lazy.ts';
import { actionText } from './audit-texts.ts';
import { CappedNote } from './capped-note.tsx';

describe('audit log', () => {
  it('shows the text of an action above its name, and opens the changes of an entry', async () => {
    const { session } = await createUserWithMenus([Menu.roleList, Menu.userList, Menu.auditLog]);
    const { ok } = client(session.token);
    const [before, after] = [unique('role'), unique('role')];
    const { roleId } = await ok(roleCalls.addRole, { roleName: before, menus: [Menu.roleList, Menu.userList] });
    await ok(roleCalls.updateRole, { roleId, roleName: after, menus: [Menu.roleList, Menu.auditLog] });
    const { list } = await ok(auditCalls.queryAuditLogList, { action: 'role.updateRole' });
    saveSession(session);
    const user = userEvent.setup();
    openConsole('/systemConfig/auditLog');
    await user.click(await screen.findByRole('button', { name: /^View "Edit role"/ }));
    const drawer = within(await screen.findByRole('dialog'));
    expect(drawer.getByText('Role name')).toBeTruthy();
    expect(drawer.getByText(after)).toBeTruthy();
    expect(drawer.getByText(String(Menu.auditLog)).dataset.only).toBe('true');
    expect(list[0]?.requestId).toBeTruthy();
    expect(drawer.getByRole('button', { name: new RegExp(`Request ID ${list[0]?.requestId}`) })).toBeTruthy();
    expect(screen.getAllByText('role.updateRole').length).toBeGreaterThan(0);
  });

  it('requests whole local days', async () => {
    const { session } = await createUserWithMenus([Menu.auditLog]);
    saveSession(session);
    const sent = recordRequests();
    openConsole('/systemConfig/auditLog?from=2026-01-01&to=2026-01-01&action=role.updateRole');
    expect(await screen.findByText('0 in total')).toBeTruthy();
    expect(sent.find(({ call }) => call === 'queryAuditLogList')?.input).toMatchObject({
      startTime: new Date(2026, 0, 1).toISOString(),
      endTime: new Date(2026, 0, 2).toISOString(),
      action: 'role.updateRole',
    });
  });
});

// Cases that the test hub cannot produce: an action of another release, and ten thousand entries.
describe('audit log texts', () => {
  // In the console the router loads these texts with the page.
  beforeAll(() => Promise.all([loadLazyTexts('auditActions'), loadLazyTexts('auditFields')]));

  it('shows an unknown action by its name', () => {
    expect(actionText('role.updateRole')).toBe('Edit role');
    expect(actionText('zone.add')).toBe('zone.add');
  });

  it('shows a note when older entries are not listed', () => {
    const { rerender } = render(<CappedNote total={AUDIT_TOTAL_MAX - 1} />);
    expect(screen.queryByRole('status')).toBeNull();
    rerender(<CappedNote total={AUDIT_TOTAL_MAX} />);
    expect(screen.getByRole('status').textContent).toMatch(/^Only the latest 10,000 entries are shown/);
  });
});
