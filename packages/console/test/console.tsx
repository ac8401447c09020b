import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, vi } from 'vitest';
import { createQueryClient } from '../src/api/query-client.ts';
import { createConsoleRouter } from '../src/app/router.tsx';
import type { PageEntry } from '../src/ui/page-entry.ts';

/** The whole console at an address, as the browser would show it. */
export const openConsole = (address: string, pages?: readonly PageEntry[]) => {
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createConsoleRouter(pages, history);
  const view = render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { ...view, router };
};

export type Recorded = { call: string; input: Record<string, string> };

/** What the console sends from now on; the hub answers. */
export const recordRequests = (): Recorded[] => {
  const recorded: Recorded[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const [path = '', query = ''] = url.split('?');
    const input = new URLSearchParams(init?.body instanceof URLSearchParams ? init.body : query);
    recorded.push({ call: path.slice(path.lastIndexOf('/') + 1), input: Object.fromEntries(input) });
    return fetch(url, init);
  });
  return recorded;
};

/** In one go: key by key, a form of antd takes most of the run. */
export const fill = async (user: UserEvent, label: string, value: string): Promise<void> => {
  await user.click(await screen.findByLabelText(label));
  await user.paste(value);
};

export const fillCode = async (user: UserEvent, code: string): Promise<void> => {
  const [boxes] = await screen.findAllByRole('group', { name: 'Verification code' });
  await user.click(within(boxes as HTMLElement).getAllByRole('textbox')[0] as HTMLElement);
  await user.paste(code);
};

/** Opens a select; answers its options. */
export const openSelect = async (user: UserEvent, label: string) => {
  await user.click(await screen.findByRole('combobox', { name: label }));
  // Those that were open before stay in the page, hidden.
  const opened = '.ant-select-dropdown:not(.ant-select-dropdown-hidden)';
  await waitFor(() => expect(document.querySelectorAll(opened)).toHaveLength(1));
  return within(document.querySelector(opened) as HTMLElement);
};

/** Of a select whose choices the hub is asked for. */
export const pickChoice = async (user: UserEvent, label: string, option: string): Promise<void> => {
  const options = await openSelect(user, label);
  await user.click(await options.findByText(option, { selector: '.dc-choice > span' }));
};

/** Presses a button once it is enabled: some are disabled until the hub has answered. */
export const pressWhenEnabled = async (user: UserEvent, name: string): Promise<void> => {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name });
  await waitFor(() => expect(button.disabled).toBe(false));
  await user.click(button);
};

/** What stands at a field that is marked as wrong, as a screen reader finds it. */
export const problemOf = (field: HTMLElement): string => {
  if (field.getAttribute('aria-invalid') !== 'true') return '';
  const described = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  // antd describes a field by its lasting hint too.
  const [problem] = described.filter((id) => !id.endsWith('_extra'));
  return document.getElementById(problem ?? '')?.textContent ?? '';
};
export const problemAt = (label: string): string => problemOf(screen.getByLabelText(label));
