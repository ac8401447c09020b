import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { vi } from 'vitest';
import { createQueryClient } from './api/query-client.ts';
import { saveSession } from './api/session.ts';
import { createConsoleRouter } from './app/router.tsx';

type Given = { path: string; input: URLSearchParams };
type Answers = Record<string, (given: Given) => object>;

const ok = (data: unknown) => ({ success: true, statusCode: 200, message: 'Operation succeeded', data });
export const answer = (data: unknown) => () => ok(data);
export const refuse = (statusCode: number, code: string, message: string, details?: object[]) => () => ({
  success: false,
  statusCode,
  code,
  message,
  data: null,
  requestId: 'req-1',
  details,
});

/** A hub made of answers by the last part of the path; remembers what it was sent. */
export const fakeHub = (answers: Answers): Given[] => {
  const received: Given[] = [];
  const all: Answers = { queryMenuList: answer([]), getPreferences: answer({ preferences: {} }), ...answers };
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const [path = '', query = ''] = url.split('?');
    const given = { path, input: new URLSearchParams(init?.body instanceof URLSearchParams ? init.body : query) };
    received.push(given);
    const make = all[path.slice(path.lastIndexOf('/') + 1)] ?? refuse(404, 'CALL_NOT_FOUND', 'There is no such call');
    const body = make(given) as { statusCode: number };
    return new Response(JSON.stringify(body), { status: body.statusCode });
  });
  return received;
};

export const logIn = (menus: number[], isFirst: 0 | 1 = 0): void =>
  saveSession({
    token: 'T1',
    userId: '1',
    username: 'admin',
    name: 'Ann Lee',
    email: 'a@example.com',
    phone: '',
    image: '',
    roleId: '1',
    roleName: 'administrators',
    tenancyId: '1',
    tenancyName: 'Platform',
    isFirst,
    menus,
  });

/** The whole console at an address, as the browser would show it. */
export const openConsole = (address: string) => {
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createConsoleRouter(undefined, history);
  const view = render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { ...view, router };
};
