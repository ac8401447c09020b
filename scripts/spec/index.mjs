import { calls } from './calls.mjs';
import { constants } from './constants.mjs';
import { entities } from './entities.mjs';
import { functions } from './functions.mjs';
import { messages } from './messages.mjs';
import { permissions } from './permissions.mjs';
import { validation } from './rules.mjs';
import { screens } from './screens.mjs';
import { states } from './states.mjs';

/** Every section of the specification that asks something of the product, row by row. */
export const sections = [functions, screens, entities, states, validation, permissions, calls, messages, constants];
