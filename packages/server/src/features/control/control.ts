import type { Db } from '../../db/connect.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { createCommandSender } from './command-sender.ts';
import { createConfiguration } from './control.configuration.ts';
import { createRestrictions } from './control.restrictions.ts';
import { createControlService } from './control.service.ts';

type ControlDeps = { db: Db; notifier: Pick<Notifier, 'send' | 'wait'> };

/** Operator actions on devices: commands, configuration, blacklist and kicks. */
export const createControl = ({ db, notifier }: ControlDeps) => {
  const commands = createCommandSender({ db, notifier });
  const control = createControlService({ db, commands });
  return {
    calls: Object.assign(control, createRestrictions({ db, notifier }), createConfiguration({ db, notifier, control })),
    stop: commands.stop,
  };
};
