import { Skeleton, Tabs } from 'antd';
import type { ReactNode } from 'react';
import { CopyId } from './copy-id.tsx';
import { PageHeader } from './page-header.tsx';
import type { Path } from './routing.ts';
import { ErrorCard, type ShownError } from './states.tsx';

export type DetailTab = { key: string; label: ReactNode; children: ReactNode };

type DetailPageProps = {
  title: string;
  id?: string;
  picture?: ReactNode;
  status?: ReactNode;
  actions?: ReactNode;
  backTo: Path;
  /** Content of the main column; use `tabs` instead for tabs, whose selection the page keeps in the URL. */
  children?: ReactNode;
  tabs?: { items: DetailTab[]; active: string; onChange: (key: string) => void };
  /** Content of the 320 px side column. */
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

/** Placeholder card while data is loading. */
export const LoadingCard = () => (
  <div className="dc-card dc-padded" aria-busy="true">
    <Skeleton active paragraph={{ rows: 6 }} />
  </div>
);

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: ShownError | null; refetch: () => unknown };
  /** Action beside an error, such as a link back to the list. */
  action?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** Renders the state of a query: skeleton, error or data. */
export const Loaded = <Data,>({ query, action, children }: LoadedProps<Data>) => {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorCard error={query.error} onRetry={() => void query.refetch()} action={action} />;
  return <LoadingCard />;
};
