import { firmwareCalls, type VersionDetails } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useFirstProduct } from '../../../api/product-choices.ts';
import { useCall } from '../../../api/use-call.ts';
import { versionListPath } from '../../../paths.ts';
import { Loaded, LoadingCard } from '../../../ui/detail-page.tsx';
import { formMode, formModeParam, useRouteParams } from '../../../ui/list-search.ts';
import { Link, usePageSearch } from '../../../ui/routing.ts';
import { versionFormSearch } from '../firmware-search.ts';
import { VersionView } from '../view/version-view.tsx';
import { CreateVersion } from './create-version.tsx';
import { EditVersion } from './edit-version.tsx';

const params = z.object({ versionId: z.string(), status: formModeParam() });

const NewVersion = () => {
  const { productId } = usePageSearch(versionFormSearch);
  const product = useFirstProduct(productId);
  return product === undefined ? <LoadingCard /> : <CreateVersion product={product} />;
};

/** `{status}` selects the mode: 0 create, 1 edit, 2 view. A version that an unfinished task uses is read-only. */
const VersionFormPage = () => {
  const { t } = useTranslation('common');
  const { versionId, status } = useRouteParams(params);
  const creating = status === formMode.create;
  const query = useCall(firmwareCalls.getDeviceOtaVersionDetails, { versionId }, { enabled: !creating });
  if (creating) return <NewVersion />;
  return (
    <Loaded<VersionDetails> query={query} action={<Link to={versionListPath}>{t('back')}</Link>}>
      {(version) =>
        status === formMode.edit && version.unfinishedTaskCount === 0 ? (
          <EditVersion key={version.versionId} version={version} />
        ) : (
          <VersionView version={version} />
        )
      }
    </Loaded>
  );
};

export default VersionFormPage;
