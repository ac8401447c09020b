import i18next from 'i18next';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

const CHUNK_FAILURE =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS|error loading dynamically/i;

export const isChunkFailure = (error: unknown): boolean => error instanceof Error && CHUNK_FAILURE.test(error.message);

/** A part that did not load is cured by a reload; a crash is told as one. */
export const CrashView = ({ error }: { error: unknown }) => {
  const kind = isChunkFailure(error) ? 'chunk' : 'crash';
  return (
    <div role="alert" data-kind={kind}>
      <EmptyState
        title={i18next.t(`common:${kind}Title`)}
        text={i18next.t(`common:${kind}Text`)}
        action={
          <button type="button" className="dc-button" onClick={() => location.reload()}>
            {i18next.t('common:reload')}
          </button>
        }
      />
    </div>
  );
};

export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack);
    if (isChunkFailure(error)) window.addEventListener('online', () => location.reload(), { once: true });
  }

  override render() {
    return this.state.error === null ? this.props.children : <CrashView error={this.state.error} />;
  }
}
