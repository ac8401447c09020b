import { row, says } from './rows.mjs';

const walk = 'e2e/onboarding › from the first start to a colleague who sees two menus, in {language}';

export const layout = [
  row(
    'Top bar: a button opens and closes the sidebar',
    'e2e/shell › sidebar and theme are remembered; the palette leads anywhere; an unknown path is told',
  ),
  row(
    'Top bar: language selector',
    'e2e/language › Chinese by default; choosing English reloads, is stored, and outlives a cleared storage',
  ),
  row(
    'Top bar: avatar and user name open a menu with personal center and log out',
    'e2e/layout › the account menu leads to the personal center and asks before it logs out',
  ),
  row(
    "Log out asks: 'confirm exit / exit the current account?'",
    says('confirm exit', 'words.shell.logOutTitle'),
    says('exit the current account?', 'words.shell.logOutText'),
    'e2e/layout › the account menu leads to the personal center and asks before it logs out',
    walk,
  ),
  row(
    'The sidebar is 13.125rem wide, and never narrower than its words',
    'e2e/layout › the sidebar is 13.125rem wide, and a drawer below 992 px',
  ),
  row(
    'The sidebar’s open state is remembered, 1 open and 0 closed, and open by default',
    'console/app/shell › has its sidebar open at first, and then as it was left: 1 open, 0 closed',
    'e2e/shell › sidebar and theme are remembered; the palette leads anywhere; an unknown path is told',
    'e2e/layout › the sidebar is 13.125rem wide, and a drawer below 992 px',
  ),
  row(
    'Mobile mode below 992 px, desktop otherwise',
    'e2e/layout › the sidebar is 13.125rem wide, and a drawer below 992 px',
  ),
  row(
    'On a phone the sidebar closes on navigation',
    'e2e/shell › on a phone the sidebar is a drawer that closes on navigation',
  ),
  row(
    'The sidebar is made of the stored menu entries',
    'console/app/navigation › shows a leaf only with its own id',
    'console/app/shell › leads a role to its first page, with only its own menus',
  ),
  row(
    'External links (http, https, mailto, tel) open in a new tab',
    'console/app/navigation › takes http, https, mailto and tel for elsewhere, and nothing else',
    'e2e/personal › external menu entries open elsewhere, in a new tab',
  ),
  row(
    'A progress bar at the top on each change of route',
    'e2e/layout › a bar runs at the top on each change of route',
  ),
  row(
    'The root view can reload itself',
    'e2e/layout › the entry of the page one is on shows that page anew, without loading the console again',
  ),
  row(
    'The root font size follows the window’s width relative to 1920, base 16px, at most twice that',
    'e2e/layout › the root font size follows the window, to twice its base',
  ),
  row(
    'Changing the language reloads the page; it is stored locally',
    'e2e/language › Chinese by default; choosing English reloads, is stored, and outlives a cleared storage',
  ),
];

export const person = [
  row(
    'Personal center: user name, person name, phone',
    'console/features/personal/person-center › shows account, name and phone, and changes the name',
  ),
  row(
    'Personal center: avatar',
    'e2e/personal › an avatar is cropped, kept, and shown to its owner; what is no picture is refused',
  ),
  row(
    'Personal center: change the password',
    'console/features/personal/person-center › wants the new password twice alike and without the account, else nothing is sent',
    'server/sessions › ends when another session changes the password',
  ),
  row(
    'Personal center: bind or change phone and e-mail',
    'console/features/personal/address-page › is changed by proving the present one and giving the new one twice with its own code',
    'server/codes-bind › for the first time needs the password, also where another address is bound',
    'e2e/personal › the e-mail changes only after the present one is proven',
  ),
  row(
    'Personal center: cancel the account',
    'server/codes-use › deletes the user with sessions and picture, once',
    'console/features/personal/address-page › wakes only for the code and the typed account, and tells why the last administrator stays',
  ),
];
