import { Menu } from '@device-center/contract';
import { Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOpen, useSession } from '../../api/session.ts';
import { useRouteParams } from '../../ui/list-search.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Design, firstDesign } from './design.ts';
import { LabelSheet } from './label-sheet.tsx';
import { OneCode } from './one-code.tsx';
import { type QrView, qrParams, qrSearch } from './qr-search.ts';
import { useLogo } from './use-logo.ts';
import '../../ui/styles/reading.css';
import { samePage, useNavigate, usePageSearch } from '../../ui/routing.ts';
import './qr.css';
import { deviceListPath, mockListPath } from '../../paths.ts';

/** QR codes of devices: one picture or a sheet of labels, with shared settings. */
const QrPage = () => {
  const { t } = useTranslation('qrCode');
  const { deviceId } = useRouteParams(qrParams);
  const search = usePageSearch(qrSearch);
  const session = useSession();
  const navigate = useNavigate();
  const [design, setDesign] = useState<Design>(firstDesign);
  const logo = useLogo();
  const view = search.view ?? (search.ids === undefined ? 'one' : 'sheet');
  const shared = {
    design,
    logo,
    onDesign: (change: Partial<Design>) => setDesign((before) => ({ ...before, ...change })),
  };
  const show = (chosen: QrView) =>
    void navigate({ to: samePage(qrSearch), search: { ...search, view: chosen }, replace: true });
  return (
    <div className="dc-qr-page">
      <PageHeader title={t('title')} backTo={mayOpen([Menu.deviceList], session) ? deviceListPath : mockListPath} />
      <Segmented<QrView>
        className="dc-qr-view"
        aria-label={t('view')}
        value={view}
        options={[
          { value: 'one', label: t('viewOne') },
          { value: 'sheet', label: t('viewSheet') },
        ]}
        onChange={show}
      />
      {view === 'one' ? (
        <OneCode deviceId={deviceId} {...shared} />
      ) : (
        <LabelSheet ids={search.ids ?? deviceId} {...shared} />
      )}
    </div>
  );
};

export default QrPage;
