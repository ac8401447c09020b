/** Errors of login, passwords and verification codes. */
export const accountErrors = {
  LOGIN_FAILED: { status: 400, zh_CN: '账号或密码错误', en_US: 'Wrong account or password' },
  PASSWORD_WRONG: { status: 400, zh_CN: '登录密码错误', en_US: 'The password is wrong' },
  OLD_PASSWORD_WRONG: { status: 400, zh_CN: '原密码错误', en_US: 'The old password is wrong' },
  PASSWORD_UNCHANGED: {
    status: 400,
    zh_CN: '新密码不能与原密码相同',
    en_US: 'The new password must differ from the old one',
  },
  PASSWORD_CONTAINS_ACCOUNT: {
    status: 400,
    zh_CN: '密码不能包含账号',
    en_US: 'The password must not contain the account',
  },
  CODE_WRONG: {
    status: 400,
    zh_CN: '验证码错误或已失效',
    en_US: 'The verification code is wrong or no longer valid',
  },
  CODE_TOO_SOON: {
    status: 429,
    zh_CN: '验证码发送过于频繁，请在 {seconds} 秒后重试',
    en_US: 'A code was sent recently, try again in {seconds} s',
  },
  ADDRESS_NOT_YOURS: {
    status: 400,
    zh_CN: '该邮箱或手机号未绑定到您的账号',
    en_US: 'This e-mail or phone is not bound to your account',
  },
  PRESENT_ADDRESS_UNPROVEN: {
    status: 409,
    zh_CN: '请输入登录密码，或先验证已绑定的邮箱或手机号',
    en_US: 'Enter your password, or verify your bound e-mail or phone first',
  },
  PHONE_UNBOUND: { status: 409, zh_CN: '未绑定手机号，功能不可用', en_US: 'Unbound phone, feature unavailable' },
  EMAIL_UNBOUND: { status: 409, zh_CN: '未绑定邮箱，功能不可用', en_US: 'Unbound e-mail, feature unavailable' },
  LOGIN_THROTTLED: {
    status: 429,
    zh_CN: '登录失败次数过多，请在 {seconds} 秒后重试',
    en_US: 'Too many failed logins, try again in {seconds} s',
  },
} as const;
