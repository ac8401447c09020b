import { compareModels, type FunctionWithId, isBreaking } from '@device-center/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { fill, problemOf } from '../../test/console.tsx';
import { ApiError } from '../api/api-error.ts';
import { createQueryClient } from '../api/query-client.ts';
import { loadLazyTexts } from '../i18n/lazy.ts';
import { loadAllTexts } from '../i18n/start.ts';
import { AntdRoot } from '../ui/antd-root.tsx';
import { ModelEditor } from './model-editor.tsx';
import type { ModelSource, ModelState } from './model-source.ts';

const property = (signCode: string, max = 100, id?: string): FunctionWithId => ({
  ...(id === undefined ? {} : { id }),
  signCode,
  functionName: `The ${signCode}`,
  functionType: 1,
  description: '',
  functionDefinition: { accessMode: 'rw', dataType: { type: 'integer', min: 0, max } },
});

const START = [property('level', 100, '1'), property('speed', 10, '2'), property('power', 5, '3')];

/** A model store that behaves like the hub: assigns ids, counts versions and rejects outdated saves. */
const createModelStore = (functions: FunctionWithId[], devices?: number) => {
  let state: ModelState = { functions, modelVersion: 1 };
  const saves: FunctionWithId[][] = [];
  const put = (next: FunctionWithId[]): void => {
    state = {
      functions: next.map((fn, index) => ({ ...fn, id: fn.id ?? `new${state.modelVersion}${index}` })),
      modelVersion: state.modelVersion + 1,
    };
  };
  const source = (): ModelSource => ({
    ...state,
    name: 'Lamp',
    max: 500,
    reload: async () => state,
    save: async (next, modelVersion) => {
      if (modelVersion !== state.modelVersion)
        throw new ApiError({ status: 409, code: 'MODEL_CHANGED', message: 'Another user has changed the model' });
      saves.push(next);
      put(next);
      return { modelVersion: state.modelVersion };
    },
    ...(devices === undefined
      ? {}
      : {
          preview: async (next: FunctionWithId[]) => {
            const difference = compareModels(state.functions, next);
            return { ...difference, deviceCount: devices, breaking: isBreaking(difference) };
          },
        }),
  });
  return { source, saves, put, now: () => state };
};

const open = async (source: ModelSource, readOnly = false) => {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const client = createQueryClient();
  const page = (shown: ModelSource) => (
    <QueryClientProvider client={client}>
      <RouterContextProvider router={router}>
        <AntdRoot>
          <ModelEditor source={shown} readOnly={readOnly} />
        </AntdRoot>
      </RouterContextProvider>
    </QueryClientProvider>
  );
  const { rerender } = render(page(source));
  await screen.findByRole('heading', { name: 'Functions' });
  return { user: userEvent.setup(), rerenderWith: (next: ModelSource) => rerender(page(next)) };
};

const names = (): string[] =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[2]?.textContent ?? '');

const addProperty = async (user: UserEvent) => {
  await user.click(screen.getByRole('button', { name: 'Add function' }));
  await user.click(await screen.findByText('Add property'));
};

const setMaximum = async (user: UserEvent, name: string, max: string) => {
  await user.click(screen.getByRole('button', { name: `Edit: ${name}` }));
  await user.clear(await screen.findByLabelText('Maximum'));
  await fill(user, 'Maximum', max);
  await user.click(screen.getByRole('button', { name: 'Apply' }));
};

const saveBar = () => screen.getByRole('region', { name: 'Save' });
const save = (user: UserEvent) => user.click(within(saveBar()).getByRole('button', { name: 'Save' }));
const waitForSaveBarHidden = () => waitFor(() => expect(screen.queryByRole('region', { name: 'Save' })).toBeNull());

describe('the function editor', () => {
  beforeAll(() => Promise.all([loadAllTexts(), loadLazyTexts('model')]));

  it('adds a function with an identifier suggested by its name, and saves the whole model', async () => {
    const hub = createModelStore(START);
    const { user } = await open(hub.source());
    await addProperty(user);
    await fill(user, 'Function name', 'Target level');
    await fill(user, 'Maximum', '7');
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    await waitFor(() => expect(names()).toEqual(['level', 'speed', 'power', 'targetLevel']));
    expect(within(saveBar()).getByText('Unsaved: 1 added, 0 changed, 0 removed')).toBeTruthy();
    await save(user);
    await waitForSaveBarHidden();
    expect(hub.saves).toEqual([
      [
        ...START,
        {
          signCode: 'targetLevel',
          functionName: 'Target level',
          functionType: 1,
          description: '',
          functionDefinition: { accessMode: 'rw', dataType: { type: 'integer', max: 7 } },
        },
      ],
    ]);
  });

  it('shows errors at their fields and keeps the draft unchanged until they are fixed', async () => {
    const { user } = await open(createModelStore(START).source());
    await addProperty(user);
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    expect(problemOf(screen.getByLabelText('Function name'))).toBe('The input cannot be empty, please re-enter');
    await fill(user, 'Identifier', 'level');
    await fill(user, 'Minimum', '5');
    await fill(user, 'Maximum', '1');
    expect(problemOf(screen.getByLabelText('Identifier'))).toBe('Duplicate of an earlier entry');
    expect(problemOf(screen.getByLabelText('Maximum'))).toBe('The maximum must not be below the minimum');
    expect(problemOf(screen.getByLabelText('Minimum'))).toBe('');
    expect(names()).toEqual(['level', 'speed', 'power']);
  });

  it('reorders with the keyboard, announces the position and keeps the focus', async () => {
    const { user } = await open(createModelStore(START).source());
    screen.getByRole('button', { name: /^Move "The level"/ }).focus();
    await user.keyboard('{ArrowDown}');
    expect(names()).toEqual(['speed', 'level', 'power']);
    expect(screen.getByText('"The level" moved to position 2 of 3')).toBeTruthy();
    await user.keyboard('{ArrowDown}');
    expect(names()).toEqual(['speed', 'power', 'level']);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(names()).toEqual(['speed', 'level', 'power']);
    expect(within(saveBar()).getByText('Unsaved: order changed')).toBeTruthy();
  });

  it('shows the effect on devices and saves only after confirmation', async () => {
    const hub = createModelStore(START, 12);
    const { user } = await open(hub.source());
    await setMaximum(user, 'The level', '50');
    await save(user);
    const dialog = await screen.findByRole('dialog', { name: 'Save these changes?' });
    expect(within(dialog).getByText('Affected devices: 12. Breaking changes: 1')).toBeTruthy();
    expect(within(dialog).getByText('range narrowed')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(hub.saves).toEqual([]);
    await save(user);
    await user.click(await screen.findByRole('button', { name: 'Save anyway' }));
    await waitForSaveBarHidden();
    expect(hub.now().functions[0]).toEqual(property('level', 50, '1'));
  });

  it('merges the changes of a user who saved first, asks about conflicts and saves the result', async () => {
    const hub = createModelStore(START);
    const { user } = await open(hub.source());
    await setMaximum(user, 'The level', '50');
    await setMaximum(user, 'The speed', '20');
    hub.put([property('level', 80, '1'), property('speed', 10, '2'), property('power', 6, '3'), property('theirs')]);
    await save(user);
    const dialog = await screen.findByRole('dialog', { name: 'Another user has changed this function model' });
    expect(within(dialog).getByText('Functions changed by both users (1). Select a version for each')).toBeTruthy();
    const merge = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Merge into the draft' });
    expect(merge.disabled).toBe(true);
    await user.click(within(dialog).getByRole('radio', { name: 'Keep mine' }));
    await user.click(merge);
    await waitFor(() => expect(names()).toEqual(['level', 'speed', 'power', 'theirs']));
    expect(hub.saves).toEqual([]);
    await save(user);
    await waitForSaveBarHidden();
    expect(hub.now()).toEqual({
      modelVersion: 3,
      functions: [
        property('level', 50, '1'),
        property('speed', 20, '2'),
        property('power', 6, '3'),
        property('theirs', 100, 'new13'),
      ],
    });
  });

  it('adopts a newer model if there are no unsaved changes, and otherwise shows a note', async () => {
    const hub = createModelStore(START);
    const { user, rerenderWith } = await open(hub.source());
    hub.put(START.slice(0, 2));
    rerenderWith(hub.source());
    await waitFor(() => expect(names()).toEqual(['level', 'speed']));
    await setMaximum(user, 'The level', '50');
    hub.put(START.slice(0, 1));
    rerenderWith(hub.source());
    expect(names()).toEqual(['level', 'speed']);
    expect(screen.getByText('This function model was updated to version 3.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Review and merge' }));
    const merge = await screen.findByRole('button', { name: 'Merge into the draft' });
    expect(names()).toEqual(['level', 'speed']);
    await user.click(merge);
    await waitFor(() => expect(names()).toEqual(['level']));
    expect(within(saveBar()).getByText('Unsaved: 0 added, 1 changed, 0 removed')).toBeTruthy();
  });

  it('imports a model: shows problems by path, then the changes, then updates the draft', async () => {
    const hub = createModelStore(START);
    const { user } = await open(hub.source());
    await user.click(screen.getByRole('button', { name: 'Import' }));
    const dialog = await screen.findByRole('dialog', { name: 'Import functions' });
    const box = within(dialog).getByLabelText('Function model text');
    await user.click(box);
    await user.paste(JSON.stringify([property('level', -5)]));
    expect(await within(dialog).findByText('functions[0].functionDefinition.dataType.max')).toBeTruthy();
    await user.clear(box);
    await user.paste(JSON.stringify([property('level', 60), property('new')]));
    await user.click(await within(dialog).findByRole('radio', { name: 'Merge with existing functions' }));
    expect(within(dialog).getByText('1 added, 1 changed, 0 removed')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Add to draft' }));
    await waitFor(() => expect(names()).toEqual(['level', 'speed', 'power', 'new']));
    await save(user);
    await waitForSaveBarHidden();
    expect(hub.saves[0]?.[0]).toEqual(property('level', 60, '1'));
  });

  it('is read-only for users without write permission', async () => {
    const { user } = await open(createModelStore(START, 3).source(), true);
    for (const name of ['Add function', 'Import', 'Undo', 'Edit: The level'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull();
    await user.type(screen.getByLabelText('Search name or identifier'), 'SPEED');
    await waitFor(() => expect(names()).toEqual(['speed']));
    await user.click(screen.getByRole('button', { name: 'View: The speed' }));
    const panel = await screen.findByRole('dialog', { name: 'Property' });
    expect(within(panel).getByText('Integer 0–10')).toBeTruthy();
    expect(screen.getByText('System functions (9)')).toBeTruthy();
  });
});
