import { Skeleton, Tabs } from 'antd';
import type { ReactNode } from 'react';
import { CopyId } from './copy-id.tsx';
import { PageHeader } from './page-header.tsx';
import { ErrorCard, type ShownError } from './states.tsx';

export type DetailTab = { key: string; label: ReactNode; children: ReactNode };

type DetailPageProps = {
  title: string;
  id?: string;
  picture?: ReactNode;
  status?: ReactNode;
  actions?: ReactNode;
  backTo: string;
  /** Main column without tabs, or tabs whose choice the page keeps in its address. */
  children?: ReactNode;
  tabs?: { items: DetailTab[]; active: string; onChange: (key: string) => void };
  /** The 320 px column of facts. */
  facts?: ReactNode;
};

export const DetailPage = ({ title, id, picture, status, actions, backTo, children, tabs, facts }: DetailPageProps) => (
  <div className="dc-detail-page">
    <PageHeader
      title={title}
      backTo={backTo}
      picture={picture}
      actions={actions}
      subtitle={
        <>
          {id !== undefined && <CopyId value={id} />} {status}
        </>
      }
    />
    <div className="dc-detail-columns">
      <div className="dc-detail-main">
        {tabs && <Tabs items={tabs.items} activeKey={tabs.active} onChange={tabs.onChange} />}
        {children}
      </div>
      {facts !== undefined && <aside className="dc-card dc-detail-facts">{facts}</aside>}
    </div>
  </div>
);

/** Where something will stand once it is there. */
export const LoadingCard = () => (
  <div className="dc-card dc-padded" aria-busy="true">
    <Skeleton active paragraph={{ rows: 6 }} />
  </div>
);

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: ShownError | null; refetch: () => unknown };
  /** On the way out of an error, such as a link back to the list. */
  action?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** A page around one entity: skeleton, error, or the entity. */
export const Loaded = <Data,>({ query, action, children }: LoadedProps<Data>) => {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorCard error={query.error} onRetry={() => void query.refetch()} action={action} />;
  return <LoadingCard />;
};
