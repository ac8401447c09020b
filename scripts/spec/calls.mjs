import { deviceCalls } from './calls-devices.mjs';
import { modelCalls } from './calls-models.mjs';
import { systemCalls } from './calls-system.mjs';
import { zoneCalls } from './calls-zones.mjs';
import { loop, row } from './rows.mjs';

const send = (title) => `console/api/send › ${title}`;

const general = [
  row('Relative base', send('goes to an address without a host, with the language')),
  row('A timeout of 120 s', send('waits 120 s for an answer, then says the code and that the device does not respond')),
  row(
    'The token of local storage in an Authorization header',
    send('carries the stored token as it is, on every call of somebody who is logged in'),
  ),
  row(
    'No token with login, retrievePassword and getVerificationCode',
    loop('console/api/send › carries no token at log-in and recovery where %s is logged in', "'somebody'", "'nobody'"),
    send('carries the token for a code that is for the user who asks'),
  ),
  row(
    'Bodies mostly form-encoded',
    send('sends a form unless told otherwise, and a query for GET and DELETE'),
    'server/http › as a form or as JSON does the same to a tenant',
  ),
  row(
    'JSON for a set of add and update calls',
    loop('server/http › is the same as %s', 'application/json'),
    'server/http › as a form or as JSON does the same to a tenant',
  ),
  row(
    'Multipart for zone add and modify',
    'server/zones › is taken as JSON and as a form with parts alike',
    'console/features/zone/form/zone-values › sends each file at its place, with the password of a file that may have one',
  ),
  row(
    'Multipart for the avatar',
    'server/avatar › that is a %s is served as a picture and never run',
    'e2e/personal › an avatar is cropped, kept, and shown to its owner; what is no picture is refused',
  ),
];

export const calls = {
  number: 7,
  title: 'Calls',
  intro: [
    'Verb, path and fields of each are those of the contract. Beside the tests in the table, loops go over every call of the contract:',
  ],
  also: [
    'server/contract › is mounted under its verb and no other',
    'server/contract › is refused without a token and with a made-up one',
    'server/contract › is refused to a role without its menus, whatever others it has',
    'server/contract › describes the input of every call field by field',
    'server/isolation › finds nothing, tells nothing and changes nothing',
    'server/audit › is written down with who, when, from where, what, before and after',
  ],
  rows: [...general, ...systemCalls, ...modelCalls, ...deviceCalls, ...zoneCalls],
};
