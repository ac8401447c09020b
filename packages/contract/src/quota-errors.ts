/** Errors of exceeded quotas. */
export const quotaErrors = {
  QUOTA_TEXTS: {
    status: 429,
    zh_CN: '今天发送的验证码已达租户配额（{used}/{limit}），请明天再试',
    en_US: "The tenant's quota of codes for today is used up ({used} of {limit}), try again tomorrow",
  },
  QUOTA_USER_TEXTS: {
    status: 429,
    zh_CN: '今天向您发送的验证码已达配额（{used}/{limit}），请明天再试',
    en_US: 'Your quota of codes for today is used up ({used} of {limit}), try again tomorrow',
  },
  QUOTA_UPLOADS: {
    status: 409,
    zh_CN: '固件存储配额不足：已用 {used} MB，本次上传 {size} MB，上限 {limit} MB；请删除不用的固件或未完成的上传',
    en_US:
      'Firmware storage quota exceeded: {used} MB of {limit} MB used, this upload needs {size} MB; delete unused firmware or unfinished uploads',
  },
} as const;
