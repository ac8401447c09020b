import { Skeleton, Tabs } from 'antd';
import type { ReactNode } from 'react';
import { CopyId } from './copy-id.tsx';
import { PageHeader } from './page-header.tsx';
import { ErrorCard, type ShownError } from './states.tsx';

export type DetailTab = { key: string; label: string; children: ReactNode };

type DetailPageProps = {
  title: string;
  id?: string;
  status?: ReactNode;
  actions?: ReactNode;
  backTo: string;
  /** Main column without tabs, or tabs whose choice the page keeps in its address. */
  children?: ReactNode;
  tabs?: { items: DetailTab[]; active: string; onChange: (key: string) => void };
  /** The 320 px column of facts. */
  facts?: ReactNode;
};

export const DetailPage = ({ title, id, status, actions, backTo, children, tabs, facts }: DetailPageProps) => (
  <div className="dc-detail-page">
    <PageHeader
      title={title}
      backTo={backTo}
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
  return (
    <div className="dc-card dc-padded" aria-busy="true">
      <Skeleton active paragraph={{ rows: 6 }} />
    </div>
  );
};
