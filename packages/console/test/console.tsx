import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, vi } from 'vitest';
import { createQueryClient } from '../src/api/query-client.ts';
import { createConsoleRouter } from '../src/app/router.tsx';
import type { PageEntry } from '../src/ui/page-entry.ts';

/** Renders the whole console at an address. */
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

export type RecordedRequest = { call: string; input: Record<string, string> };

/** Records the console's requests from now on. They still reach the hub. */
export const recordRequests = (): RecordedRequest[] => {
  const recorded: RecordedRequest[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const [path = '', query = ''] = url.split('?');
    const input = new URLSearchParams(init?.body instanceof URLSearchParams ? init.body : query);
    recorded.push({ call: path.slice(path.lastIndexOf('/') + 1), input: Object.fromEntries(input) });
    return fetch(url, init);
  });
  return recorded;
};

/** Pastes the value: typing it key by key into an antd form takes most of a run's time. */
export const fill = async (user: UserEvent, label: string, value: string): Promise<void> => {
  await user.click(await screen.findByLabelText(label));
  await user.paste(value);
};

export const fillCode = async (user: UserEvent, code: string): Promise<void> => {
  const [boxes] = await screen.findAllByRole('group', { name: 'Verification code' });
  await user.click(within(boxes as HTMLElement).getAllByRole('textbox')[0] as HTMLElement);
  await user.paste(code);
};

/** Opens a select and returns its options. */
export const openSelect = async (user: UserEvent, label: string) => {
  await user.click(await screen.findByRole('combobox', { name: label }));
  // Dropdowns that were opened before stay in the DOM, hidden.
  const opened = '.ant-select-dropdown:not(.ant-select-dropdown-hidden)';
  await waitFor(() => expect(document.querySelectorAll(opened)).toHaveLength(1));
  return within(document.querySelector(opened) as HTMLElement);
};

/** Picks an option of a select whose choices come from the hub. */
export const pickChoice = async (user: UserEvent, label: string, option: string): Promise<void> => {
  const options = await openSelect(user, label);
  await user.click(await options.findByText(option, { selector: '.dc-choice > span' }));
};

/** Clicks a button once it is enabled: some are disabled until the hub answers. */
export const clickWhenEnabled = async (user: UserEvent, name: string): Promise<void> => {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name });
  await waitFor(() => expect(button.disabled).toBe(false));
  await user.click(button);
};

/** The error text of an invalid field, as a screen reader finds it; empty if the field is valid. */
export const problemOf = (field: HTMLElement): string => {
  if (field.getAttribute('aria-invalid') !== 'true') return '';
  const described = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  // antd also references the permanent hint of a field.
  const [problem] = described.filter((id) => !id.endsWith('_extra'));
  return document.getElementById(problem ?? '')?.textContent ?? '';
};
export const problemAt = (label: string): string => problemOf(screen.getByLabelText(label));
