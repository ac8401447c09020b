import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../test/console.tsx';
import { createFleet } from '../../test/fleet.ts';
import { adminSession } from '../../test/hub.ts';
import { saveSession } from '../api/session.ts';
import { changePreferences, resetPreferences } from '../ui/preferences.ts';

const both = ['Created', 'Updated'];

/** Path, table id, call of the list and its sortable headers: createTime first, then updateTime. */
const lists: [address: string, table: string, call: string, headers: string[]][] = [
  ['/systemConfig/tenantList', 'tenancy', 'queryTenancyList', both],
  ['/systemConfig/userList', 'user', 'queryUserList', ['Created']],
  ['/systemConfig/roleList', 'role', 'queryRoleList', both],
  ['/systemConfig/applyList', 'application', 'queryApplicationList', both],
  ['/systemConfig/auditLog', 'audit', 'queryAuditLogList', ['Time']],
  ['/categoryConfig/categoryList', 'category', 'getCategoryList', both],
  ['/productConfig/deviceList', 'device', 'queryDeviceList', both],
  ['/avaConfig/availableList', 'zone', 'page', both],
];

describe('sorting of lists by their headers', () => {
  beforeAll(async () => {
    // Without rows there is no header to click.
    await (await createFleet()).registerDevice();
  });
  beforeEach(async () => {
    saveSession(await adminSession());
    // Show every column, including those that are hidden by default.
    changePreferences({ hiddenColumns: Object.fromEntries(lists.map(([, table]) => [table, []])) });
  });
  afterEach(resetPreferences);

  const orderAt = async (name: string) => {
    const title = await screen.findByText(name, { selector: 'th *' });
    return title.closest('th')?.getAttribute('aria-sort');
  };

  // Spec 9.9, 9.10
  it.each(lists)(
    'toggles %s between descending and ascending with each click',
    async (address, _table, call, headers) => {
      const user = userEvent.setup();
      const requests = recordRequests();
      const { router } = openConsole(address);
      expect(await orderAt(headers[0] ?? '')).toBe('descending');
      for (const [index, name] of headers.entries()) {
        // The list starts sorted by creation; another header starts with the newest.
        const turns = index === 0 ? ['ascending', 'descending'] : ['descending', 'ascending'];
        for (const turn of turns) {
          await user.click(screen.getByText(name, { selector: 'th *' }));
          await waitFor(async () => expect(await orderAt(name)).toBe(turn));
          const sort = { sortField: String(index + 1), sortMode: turn === 'ascending' ? '1' : '2' };
          expect(router.state.location.search).toMatchObject(sort);
          // The audit log has only one time column.
          const sent = call === 'queryAuditLogList' ? { sortMode: sort.sortMode } : sort;
          expect(requests).toContainEqual({ call, input: expect.objectContaining(sent) });
        }
      }
    },
  );
});
