/** "Restart 12 devices": the title of each kind of job. */
export const jobTitles = {
  restart: 'jobRestart',
  blacklist: 'jobBlacklist',
  unblack: 'jobUnblack',
  release: 'jobRelease',
  delete: 'jobDelete',
} as const;
