import type { Order } from './arguments.ts';
import { type Output, startScreen } from './progress.ts';
import { openSecrets } from './secrets.ts';
import { type Crew, createChildOf, createMember, type Kind, type Member } from './simulated-device.ts';
import { allAcknowledged, createFigures, type Figures } from './stats.ts';
import { startPace } from './traffic.ts';

/** Log-ins a second while the fleet comes up. */
const RAMP_PER_S = 200;
const RAMP_TICK_MS = 50;
const GOODBYES_AT_ONCE = 100;
/** How long the last messages may take to be acknowledged. */
const DRAIN_MS = 10_000;
/** Without a single device online by then, there is nothing to simulate. */
const NOBODY_MS = 30_000;

const wait = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    stop.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

const until = async (isSo: () => boolean, ms: number, stop: AbortSignal): Promise<boolean> => {
  const end = performance.now() + ms;
  while (!isSo() && performance.now() < end && !stop.aborted) await wait(RAMP_TICK_MS, stop);
  return isSo();
};

/** The model, as the hub tells it to whoever of that kind is online. */
const learnModel = async ({ models }: Crew, members: Member[], kind: Kind, stop: AbortSignal): Promise<void> => {
  while (!models.has(kind) && !stop.aborted) {
    const teller = members.find((member) => member.kind === kind && member.isOnline());
    const told = await teller?.speaker.sync(['model']).catch(() => null);
    if (told?.model) models.set(kind, told.model.functions);
    else await wait(RAMP_TICK_MS, stop);
  }
};

const rampUp = async (crew: Crew, members: Member[], stop: AbortSignal): Promise<void> => {
  const { order } = crew;
  const perTick = Math.ceil((RAMP_PER_S * RAMP_TICK_MS) / 1_000);
  const grownUps: Member[] = [];
  while (grownUps.length < order.devices && !stop.aborted) {
    for (let count = 0; count < perTick && grownUps.length < order.devices; count++) {
      const member = createMember(crew, grownUps.length);
      grownUps.push(member);
      members.push(member);
      // Told by its events; the promise is refused when the fleet stops first.
      member.device.start().catch(() => undefined);
      for (let index = 0; index < order.children; index++) members.push(createChildOf(crew, member, index));
    }
    await wait(RAMP_TICK_MS, stop);
  }
};

const sayGoodbye = async (members: Member[]): Promise<void> => {
  const devices = members.filter(({ kind }) => kind === 'device').map(({ device }) => device);
  for (let start = 0; start < devices.length; start += GOODBYES_AT_ONCE)
    await Promise.all(devices.slice(start, start + GOODBYES_AT_ONCE).map((device) => device.stop()));
};

const NEVER = new AbortController().signal;

/** Runs a fleet to its end; `stop` ends it early. */
export const simulate = async (order: Order, output: Output, stop: AbortSignal): Promise<Figures> => {
  const figures = createFigures();
  const crew: Crew = { order, figures, random: Math.random, secrets: openSecrets(order.stateFile), models: new Map() };
  const members: Member[] = [];
  const screen = order.quiet ? null : startScreen(figures, output);
  const ended = new AbortController();
  const raising = rampUp(crew, members, AbortSignal.any([stop, ended.signal]));
  const isSomebodyThere = await until(() => figures.online > 0, NOBODY_MS, stop);
  if (isSomebodyThere) {
    void learnModel(crew, members, 'device', ended.signal);
    if (order.children > 0) void learnModel(crew, members, 'child', ended.signal);
    const pace = startPace(crew, members);
    await wait(order.duration * 1_000, stop);
    pace.stop();
    ended.abort();
    const isSettled = () => allAcknowledged(figures) + figures.refused + figures.lost === figures.sent;
    await until(isSettled, DRAIN_MS, NEVER);
  }
  ended.abort();
  await raising;
  screen?.stop();
  await sayGoodbye(members);
  return figures;
};
