import { dayParam, listSearch, textParam, useListSearch } from '../../ui/list-search.ts';

export const auditListSearch = listSearch({
  username: textParam(),
  action: textParam(),
  target: textParam(),
  tenancyId: textParam(),
  from: dayParam(),
  to: dayParam(),
});

export const useAuditList = () => useListSearch(auditListSearch);
export type AuditList = ReturnType<typeof useAuditList>;
