import { deviceCalls, firmwareCalls, otaCalls, type TaskDetails } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFirstProduct } from '../../../api/product-choices.ts';
import { useCall } from '../../../api/use-call.ts';
import { Loaded, LoadingCard } from '../../../ui/detail-page.tsx';
import '../../../ui/styles/reading.css';
import { Link, usePageSearch } from '../../../ui/routing.ts';
import { taskFormSearch } from '../ota-search.ts';
import '../task-badges.css';
import { CreateTask } from './create-task.tsx';
import { draftOf } from './drafts.ts';
import './task-form.css';
import { taskListPath } from '../../../paths.ts';
import { RetryTask } from './retry-task.tsx';
import { blankTask, rollOutOf, type TaskFields, taskFieldsOf } from './task-fields.ts';

type TaskFormSearch = ReturnType<typeof taskFormSearch.parse>;

/** Loads the entities named in the URL for the initial values. Missing ones are ignored; their calls show a toast. */
const useInitial = ({
  versionId = '',
  deviceIds = [],
  rehearsalId = '',
  rollOut,
}: TaskFormSearch): TaskFields | undefined => {
  const [deviceId = ''] = deviceIds;
  const version = useCall(firmwareCalls.getDeviceOtaVersionDetails, { versionId }, { enabled: versionId !== '' });
  const device = useCall(deviceCalls.getDeviceDetails, { deviceId }, { enabled: deviceId !== '' });
  const rehearsal = useCall(
    otaCalls.getDeviceOtaTaskDetails,
    { taskId: rehearsalId },
    { enabled: rehearsalId !== '' && draftOf(rehearsalId) === undefined },
  );
  const blank = versionId === '' && deviceId === '' && rehearsalId === '';
  const first = useFirstProduct(blank ? undefined : '');
  const reading = version.isLoading || device.isLoading || rehearsal.isLoading || first === undefined;
  const chosen = deviceIds.join();
  return useMemo(() => {
    if (reading) return undefined;
    const productId = version.data?.productId ?? device.data?.productId ?? first ?? '';
    return (
      draftOf(rehearsalId) ?? {
        ...blankTask(),
        ...(productId === '' ? {} : { productId }),
        ...(version.data ? { deviceVersionId: version.data.versionId } : {}),
        ...(version.data && rollOut === 1 ? rollOutOf(version.data) : {}),
        ...(chosen === '' ? {} : { target: 'devices' as const, deviceListId: [...new Set(chosen.split(','))] }),
        ...(rehearsal.data ? taskFieldsOf(rehearsal.data) : {}),
      }
    );
  }, [reading, version.data, device.data, rehearsal.data, rehearsalId, chosen, rollOut, first]);
};

const NewTask = ({ search }: { search: TaskFormSearch }) => {
  const initial = useInitial(search);
  return initial ? <CreateTask initial={initial} /> : <LoadingCard />;
};

/** With `taskId` in the URL: retry of that task's failed devices; otherwise a new task. */
const TaskFormPage = () => {
  const { t } = useTranslation('common');
  const search = usePageSearch(taskFormSearch);
  const { taskId = '' } = search;
  const query = useCall(otaCalls.getDeviceOtaTaskDetails, { taskId }, { enabled: taskId !== '' });
  if (taskId === '') return <NewTask key={JSON.stringify(search)} search={search} />;
  return (
    <Loaded<TaskDetails> query={query} action={<Link to={taskListPath}>{t('back')}</Link>}>
      {(task) => <RetryTask key={task.taskId} task={task} chosen={search.deviceIds} />}
    </Loaded>
  );
};

export default TaskFormPage;
