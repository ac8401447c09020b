import { type KeptFunction, Menu, modelCalls, productCalls } from '@device-center/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole } from '../../../test/console.tsx';
import { admin, type Client, createUserWithMenus, type LoginAnswer, unique } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';
import { keptOf } from '../../api/whole-model.ts';

describe("a product's model and its versions", () => {
  let session: LoginAnswer;
  let operator: Client;

  const functionsOf = async (productId: string): Promise<KeptFunction[]> =>
    (await operator.ok(modelCalls.getDeviceFunctionDefinitionList, { productId })).map(keptOf);

  /** Creates a product: version 1 has all functions of the category, version 2 lacks the first. */
  const productWithTwoVersions = async () => {
    const sent = { categoryId: 'std-lighting', nodeType: 1, protocolId: 1, classId: 1 } as const;
    const { productId } = await operator.ok(productCalls.addDeviceProduct, {
      productName: unique('prod'),
      ...sent,
      tenancyId: session.tenancyId,
    });
    const [first, ...rest] = await functionsOf(productId);
    await operator.ok(modelCalls.saveProductModel, { productId, modelVersion: 1, functions: rest });
    return { productId, page: `/detail/detailProduct/${productId}`, removed: first?.signCode ?? '', rest };
  };

  beforeAll(async () => {
    operator = await admin();
    ({ session } = await createUserWithMenus([Menu.productList]));
  });
  beforeEach(() => saveSession(session));

  // Spec 2.37
  it('compares two ticked versions, which the address remembers', async () => {
    const { page, removed } = await productWithTwoVersions();
    const user = userEvent.setup();
    const { router } = openConsole(`${page}?tab=versions`);
    await user.click(await screen.findByRole('checkbox', { name: 'Compare version 2' }));
    await user.click(screen.getByRole('checkbox', { name: 'Compare version 1' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?tab=versions&from=1&to=2'));
    expect(await screen.findByRole('heading', { name: 'From version 1 to version 2' })).toBeTruthy();
    expect(await screen.findByText(removed)).toBeTruthy();
  });

  it('loses none of two ticks that come faster than the page is drawn', async () => {
    const { page } = await productWithTwoVersions();
    const { router } = openConsole(`${page}?tab=versions`);
    const second = await screen.findByRole('checkbox', { name: 'Compare version 2' });
    const first = screen.getByRole('checkbox', { name: 'Compare version 1' });
    act(() => {
      second.click();
      first.click();
    });
    await waitFor(() => expect(router.state.location.searchStr).toBe('?tab=versions&from=1&to=2'));
    expect(await screen.findByRole('heading', { name: 'From version 1 to version 2' })).toBeTruthy();
  });

  it('goes back to a version after it showed what that changes', async () => {
    const { productId, page, removed, rest } = await productWithTwoVersions();
    const user = userEvent.setup();
    openConsole(`${page}?tab=versions`);
    await user.click(await screen.findByRole('button', { name: 'More actions: Version 1' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Go back to this version' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Go back to version 1?' }));
    expect(await dialog.findByText(removed)).toBeTruthy();
    expect(await functionsOf(productId)).toHaveLength(rest.length);
    await user.click(dialog.getByRole('button', { name: 'Go back' }));
    expect(await screen.findByText('Back to version 1')).toBeTruthy();
    expect((await functionsOf(productId)).map(({ signCode }) => signCode)).toEqual([
      removed,
      ...rest.map(({ signCode }) => signCode),
    ]);
  });

  it('shows the functions of a version', async () => {
    const { page, removed } = await productWithTwoVersions();
    openConsole(`${page}?tab=versions&version=1`);
    const drawer = within(await screen.findByRole('dialog', { name: 'Functions of version 1' }));
    expect(await drawer.findByText(removed)).toBeTruthy();
  });

  it('compares with the category', async () => {
    const { page, removed } = await productWithTwoVersions();
    const user = userEvent.setup();
    openConsole(`${page}?tab=model`);
    await user.click(await screen.findByRole('button', { name: 'Compare with the category' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'How this product differs from Lighting' }));
    expect(await drawer.findByText(removed)).toBeTruthy();
  });

  it('makes code of the present functions, in the format of the address', async () => {
    const { page, rest } = await productWithTwoVersions();
    const user = userEvent.setup();
    const { router } = openConsole(`${page}?tab=code&format=typescript`);
    const code = await screen.findByRole('region', { name: /^TypeScript: / });
    for (const { signCode } of rest) expect(code.textContent).toContain(signCode);
    await user.click(screen.getByText('C header'));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?tab=code&format=cHeader'));
    expect((await screen.findByRole('region', { name: /^C header: / })).textContent).toContain('#');
  });

  it('says how devices come to be while there are none', async () => {
    const { page } = await productWithTwoVersions();
    openConsole(`${page}?tab=devices`);
    expect(await screen.findByText('No devices yet')).toBeTruthy();
    expect(screen.getByText(/with their first log-in/)).toBeTruthy();
  });
});
