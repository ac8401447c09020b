/** Errors of the hub's own storage. */
export const storedErrors = {
  STORAGE_FULL: {
    status: 503,
    zh_CN: '平台的存储空间已满，未保存任何内容；请联系管理员清理空间后重试',
    en_US:
      "The platform's storage is full and nothing was saved; ask the administrator to free up space, then try again",
  },
  DATA_CORRUPTED: {
    status: 500,
    zh_CN: '存储的数据已损坏，无法读取：{row}；请联系管理员从备份中恢复',
    en_US: 'Stored data is corrupted and cannot be read: {row}; ask the administrator to restore it from a backup',
  },
} as const;
