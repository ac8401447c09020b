/** The spec's own spelling, `destoryAccount` included. */
export const paths = {
  center: '/person/personCenter',
  password: '/person/updatePassword',
  email: '/person/updateEmail',
  phone: '/person/updatePhone',
  bindPhone: '/person/bindPhone',
  destroy: '/person/destoryAccount',
} as const;
