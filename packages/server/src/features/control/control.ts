import type { Db } from '../../db/connect.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { createCommandSender } from './command-sender.ts';
import { createConfiguration } from './control.configuration.ts';
import { createAdmission } from './control.restrictions.ts';
import { createControlService } from './control.service.ts';

type ControlDeps = { db: Db; hints: Pick<Notifier, 'send' | 'wait'> };

/** What people do with a device: commands, its configuration, and whether it may connect. */
export const createControl = ({ db, hints }: ControlDeps) => {
  const commands = createCommandSender({ db, hints });
  const control = createControlService({ db, commands });
  return {
    calls: Object.assign(control, createAdmission({ db, hints }), createConfiguration({ db, hints, control })),
    stop: commands.stop,
  };
};
