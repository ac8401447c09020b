import { deviceCalls, firmwareCalls, otaCalls, type TaskDetails } from '@device-center/contract';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFirstProduct } from '../../../api/product-choices.ts';
import { useCall } from '../../../api/use-call.ts';
import { Loaded, LoadingCard } from '../../../ui/detail-page.tsx';
import '../../../ui/styles/reading.css';
import { missionSearch } from '../ota-search.ts';
import '../task-badges.css';
import { CreateMission } from './create-task.tsx';
import { draftOf } from './drafts.ts';
import './task-form.css';
import { taskListPath } from '../../../paths.ts';
import { RetryMission } from './retry-task.tsx';
import { blankMission, type MissionFields, missionLike, rollOutOf } from './task-fields.ts';

type Asked = ReturnType<typeof missionSearch.parse>;

/** Loads the entities named in the URL for the initial values. Missing ones are ignored; their calls show a toast. */
const useInitial = ({
  versionId = '',
  deviceIds = [],
  rehearsalId = '',
  rollOut,
}: Asked): MissionFields | undefined => {
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
        ...blankMission(),
        ...(productId === '' ? {} : { productId }),
        ...(version.data ? { deviceVersionId: version.data.versionId } : {}),
        ...(version.data && rollOut === 1 ? rollOutOf(version.data) : {}),
        ...(chosen === '' ? {} : { target: 'devices' as const, deviceListId: [...new Set(chosen.split(','))] }),
        ...(rehearsal.data ? missionLike(rehearsal.data) : {}),
      }
    );
  }, [reading, version.data, device.data, rehearsal.data, rehearsalId, chosen, rollOut, first]);
};

const NewMission = ({ asked }: { asked: Asked }) => {
  const initial = useInitial(asked);
  return initial ? <CreateMission initial={initial} /> : <LoadingCard />;
};

/** With `taskId` in the URL: retry of that task's failed devices; otherwise a new task. */
const MissionPage = () => {
  const { t } = useTranslation('common');
  const asked = missionSearch.parse(useSearch({ strict: false }));
  const { taskId = '' } = asked;
  const query = useCall(otaCalls.getDeviceOtaTaskDetails, { taskId }, { enabled: taskId !== '' });
  if (taskId === '') return <NewMission key={JSON.stringify(asked)} asked={asked} />;
  return (
    <Loaded<TaskDetails> query={query} action={<Link to={taskListPath}>{t('back')}</Link>}>
      {(task) => <RetryMission key={task.taskId} task={task} chosen={asked.deviceIds} />}
    </Loaded>
  );
};

export default MissionPage;
