import { applicationCalls, Menu, modelCalls, productCalls } from '@device-center/contract';
import i18next from 'i18next';
import { ApiError } from '../../../api/api-error.ts';
import { send } from '../../../api/send.ts';
import { can, currentSession } from '../../../api/session.ts';
import type { Made, Role } from './resources.ts';
import { MissingMenu } from './step-permissions.ts';
import { type ProductPlan, templates } from './templates.ts';

/** What is made so far, and how it is remembered. */
export type Notes = { read: () => Made; write: (change: Partial<Made>) => void };

const NAMES_READ = 200;
const TRIES = 5;

const isRefusedWith = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code;

/** The platform operator sees every tenant; the guide works in the operator's own. */
const ownTenancy = (): string => currentSession()?.tenancyId ?? '';
const isMine = ({ creator }: { creator: string }): boolean => creator === currentSession()?.username;

const freeName = (wanted: string, taken: string[]): string => {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  let name = wanted;
  for (let place = 2; known.has(name.toLowerCase()); place++) name = `${wanted}-${place}`;
  return name;
};

/** Makes it under a free name; the name is noted first, and taken by somebody in between, another is tried. */
const makeNamed = async (
  taken: () => Promise<string[]>,
  wanted: string,
  refusal: string,
  make: (name: string) => Promise<string>,
): Promise<{ id: string; name: string }> => {
  for (let tries = 1; ; tries++) {
    const name = freeName(wanted, await taken());
    try {
      return { id: await make(name), name };
    } catch (error) {
      if (tries === TRIES || !isRefusedWith(error, refusal)) throw error;
    }
  }
};

const applicationsLike = async (searchValue: string) =>
  (await send(applicationCalls.queryApplicationList, { searchValue, tenancyId: ownTenancy(), pageSize: NAMES_READ }))
    .list;

const firstApplication = async () => {
  const input = { tenancyId: ownTenancy(), enabled: 1, sortMode: 1, pageSize: 1 } as const;
  return (await send(applicationCalls.queryApplicationList, input)).list[0];
};

const ensureApplication = async (notes: Notes): Promise<string | undefined> => {
  const { application, intended } = notes.read();
  if (application) return application.id;
  // Without the list there is no mock device either: the product goes without.
  if (!can('application:list')) return undefined;
  const found = await firstApplication();
  if (found) {
    const own = found.applicationName === intended.application && isMine(found);
    notes.write({ application: { id: found.applicationId, name: found.applicationName, own } });
    return found.applicationId;
  }
  if (!can('application:write')) throw new MissingMenu(Menu.applyList, i18next.t('guide:missingApplication'));
  const wanted = i18next.t('guide:nameApplication');
  const taken = async () => (await applicationsLike(wanted)).map(({ applicationName }) => applicationName);
  const made = await makeNamed(taken, wanted, 'APPLICATION_NAME_TAKEN', async (applicationName) => {
    notes.write({ intended: { ...notes.read().intended, application: applicationName } });
    return (await send(applicationCalls.addApplication, { applicationName })).applicationId;
  });
  notes.write({ application: { ...made, own: true } });
  return made.id;
};

const productsLike = async (productName: string) =>
  (await send(productCalls.queryDeviceProductList, { productName, tenancyId: ownTenancy(), pageSize: NAMES_READ }))
    .list;

/** One that was being made when the page was left. */
const adoptProduct = async (intended: string | undefined) => {
  if (intended === undefined) return undefined;
  const found = (await productsLike(intended)).find((row) => row.productName === intended && isMine(row));
  return found && { id: found.productId, name: found.productName };
};

const makeProduct = (notes: Notes, role: Role, plan: ProductPlan, applicationId: string | undefined) => {
  const wanted = plan.productName();
  const taken = async () => (await productsLike(wanted)).map(({ productName }) => productName);
  return makeNamed(taken, wanted, 'PRODUCT_NAME_TAKEN', async (productName) => {
    notes.write({ intended: { ...notes.read().intended, [role]: productName } });
    const { categoryId, nodeType, classId } = plan;
    const fields = { productName, categoryId, nodeType, classId, protocolId: 1, inheritFunctions: 0 } as const;
    return (await send(productCalls.addDeviceProduct, { ...fields, applicationId })).productId;
  });
};

const addFunctions = async (productId: string, plan: ProductPlan): Promise<void> => {
  try {
    await send(modelCalls.addProductFunctions, { productId, functions: plan.functions() }, { as: 'json' });
  } catch (error) {
    // All or none: they are there from a call whose answer was lost.
    if (!isRefusedWith(error, 'SIGN_CODE_TAKEN')) throw error;
  }
};

const ensureOne = async (notes: Notes, role: Role, plan: ProductPlan, applicationId: string | undefined) => {
  const { [role]: known, intended } = notes.read();
  if (known?.complete) return;
  const product =
    known ?? (await adoptProduct(intended[role])) ?? (await makeProduct(notes, role, plan, applicationId));
  notes.write({ [role]: { ...product, complete: false } });
  await addFunctions(product.id, plan);
  notes.write({ [role]: { ...product, complete: true } });
};

/** An application where there is none, the product with its functions, and for a gateway that of its children. */
export const ensureProduct = async (notes: Notes): Promise<void> => {
  const { product, child } = templates[notes.read().template];
  const applicationId = await ensureApplication(notes);
  await ensureOne(notes, 'product', product, applicationId);
  if (child) await ensureOne(notes, 'child', child, applicationId);
};
