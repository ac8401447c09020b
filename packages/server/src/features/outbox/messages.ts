import type { Language } from '@device-center/contract';

/** An e-mail or text message; `textAfter` is the text without the secret, kept after delivery. */
export type Message = { subject: string; text: string; textAfter: string };

const HIDDEN = '******';

/** Plain text only: names are user input, which could inject markup into HTML. */
const withSecret = (subject: string, secret: string, write: (secret: string) => string[]): Message => ({
  subject,
  text: write(secret).join('\n'),
  textAfter: write(HIDDEN).join('\n'),
});

export const codeMessage = (language: Language, code: string): Message =>
  language === 'zh_CN'
    ? withSecret('设备中心管理平台验证码', code, (shown) => [
        `您的验证码是 ${shown}，10 分钟内有效。`,
        '如非本人操作，请忽略本消息。',
      ])
    : withSecret('Device Center verification code', code, (shown) => [
        `Your verification code is ${shown}. It is valid for 10 minutes.`,
        'If you did not request it, ignore this message.',
      ]);

type Credentials = { username: string; password: string; url: string };

export const passwordMessage = (
  language: Language,
  occasion: 'created' | 'reset',
  { username, password, url }: Credentials,
): Message => {
  if (language === 'zh_CN')
    return withSecret(
      occasion === 'created' ? '设备中心管理平台账号已创建' : '设备中心管理平台密码已重置',
      password,
      (shown) => [
        occasion === 'created' ? '管理员已为您创建账号。' : '管理员已重置您的密码。',
        '',
        `登录地址：${url}`,
        `账号：${username}`,
        `初始密码：${shown}`,
        '',
        '首次登录后须修改密码。',
      ],
    );
  return withSecret(
    occasion === 'created' ? 'Your Device Center account' : 'Your Device Center password was reset',
    password,
    (shown) => [
      occasion === 'created' ? 'An administrator created an account for you.' : 'An administrator reset your password.',
      '',
      `Log in at: ${url}`,
      `Account: ${username}`,
      `Initial password: ${shown}`,
      '',
      'You must change it at your first login.',
    ],
  );
};

export type AddressChange = { username: string; kind: 'email' | 'phone'; address: string };

/** Masks an address: its owner recognizes it, other readers do not. */
const shorten = ({ kind, address }: AddressChange): string =>
  kind === 'phone'
    ? `${address.slice(0, 3)}****${address.slice(-4)}`
    : `${address.slice(0, 1)}***${address.slice(address.indexOf('@'))}`;

const withoutSecret = (subject: string, lines: string[]): Message => {
  const text = lines.join('\n');
  return { subject, text, textAfter: text };
};

export const addressMessage = (language: Language, change: AddressChange): Message =>
  language === 'zh_CN'
    ? withoutSecret('设备中心管理平台账号绑定变更', [
        `账号 ${change.username} 已绑定${change.kind === 'email' ? '邮箱' : '手机号'} ${shorten(change)}，可用于找回密码。`,
        '如非本人操作，请立即修改密码，并联系管理员。',
      ])
    : withoutSecret('Device Center: your account was changed', [
        `The account ${change.username} is now bound to the ${change.kind === 'email' ? 'e-mail' : 'phone'} ${shorten(change)}, which can be used to reset its password.`,
        'If this was not you, change the password immediately and contact your administrator.',
      ]);
