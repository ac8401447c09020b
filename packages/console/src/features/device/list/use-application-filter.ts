import { applicationCalls } from '@device-center/contract';
import { type Choices, useApplicationChoices } from '../../../api/choices.ts';
import { useCan } from '../../../api/session.ts';
import { useCall } from '../../../api/use-call.ts';

/** Applications to choose from. One that is only in the URL is looked up by its id to show its name. */
export const useApplicationFilter = (applicationId: string | undefined, tenancyId = ''): Choices => {
  const mayList = useCan('application:list');
  const { data } = useCall(
    applicationCalls.queryApplicationList,
    { searchValue: applicationId ?? '' },
    { enabled: mayList && applicationId !== undefined, staleTime: 60_000 },
  );
  const found = data?.list.find((application) => application.applicationId === applicationId);
  return useApplicationChoices(applicationId, {
    tenancyId,
    known: found && { value: found.applicationId, label: found.applicationName },
  });
};
