import { DeviceError } from '@device-center/device-sdk';
import type { Body } from '@device-center/virtual-device';
import { type Crew, type Member, strikeConnection } from './simulated-device.ts';
import type { Figures } from './stats.ts';

type Said = keyof Figures['acknowledged'];

const TICK_MS = 20;
/** A second's worth at most, so that a machine that was asleep does not wake with a flood. */
const SAVED_UP_S = 1;
/** A device with this many unacknowledged is left in peace: the hub is the one that is slow. */
const UNDER_WAY_MAX = 32;
const EVENT_SHARE = 0.04;
const LOG_SHARE = 0.02;

const say = ({ random }: Crew, { speaker }: Member, body: Body): [Said, Promise<void>] => {
  const dice = random();
  const happening = dice < EVENT_SHARE ? body.happen() : null;
  if (happening) return ['event', speaker.event(happening.event, happening.output)];
  const measured = dice < 1 - LOG_SHARE ? body.measure() : null;
  if (measured) return ['report', speaker.report(measured)];
  return ['log', speaker.log(4, `up for ${Math.round(performance.now() / 1_000)} s`)];
};

const follow = (figures: Figures, [kind, promise]: [Said, Promise<void>]): void => {
  const sentAt = performance.now();
  figures.sent++;
  promise.then(
    () => {
      figures.acknowledged[kind]++;
      // Lines of a log wait for company, which is no latency of the hub.
      if (kind !== 'log') figures.latency.add(performance.now() - sentAt);
    },
    (error: unknown) => {
      if (error instanceof DeviceError) figures.refused++;
      else figures.lost++;
    },
  );
};

/** One clock for the whole fleet: so many messages a second, from the devices in turn. */
export const startPace = (crew: Crew, members: Member[]) => {
  const { order, figures } = crew;
  let turn = 0;
  let owed = 0;
  let lastAt = performance.now();

  const nextReady = (): [Member, Body] | undefined => {
    for (let tries = 0; tries < members.length; tries++) {
      const member = members[turn++ % members.length];
      if (!member?.isOnline() || member.device.pending >= UNDER_WAY_MAX) continue;
      const body = member.body();
      if (body) return [member, body];
    }
    return undefined;
  };

  const tick = (): void => {
    const now = performance.now();
    owed = Math.min(owed + ((now - lastAt) / 1_000) * order.rate, Math.max(1, order.rate * SAVED_UP_S));
    lastAt = now;
    while (owed >= 1) {
      const ready = nextReady();
      if (!ready) return;
      const [member, body] = ready;
      owed--;
      follow(figures, say(crew, member, body));
      strikeConnection(crew, member);
    }
  };

  const timer = setInterval(tick, TICK_MS);
  return { stop: () => clearInterval(timer) };
};
