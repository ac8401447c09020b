import { onlineManager } from '@tanstack/react-query';
import i18next from 'i18next';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

const CHUNK_FAILURE =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS|error loading dynamically/i;

export const isChunkFailure = (error: unknown): boolean => error instanceof Error && CHUNK_FAILURE.test(error.message);

/** Error view. A code chunk that failed to load suggests a reload; other errors are shown as a crash. */
export const CrashView = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const kind = isChunkFailure(error) ? 'chunk' : 'crash';
  return (
    <div role="alert" data-kind={kind}>
      <EmptyState
        title={i18next.t(`common:${kind}Title`)}
        text={i18next.t(`common:${kind}Text`)}
        action={
          <>
            {onRetry && (
              <button type="button" className="dc-button" onClick={onRetry}>
                {i18next.t('common:retry')}
              </button>
            )}
            <button type="button" className="dc-button" onClick={() => location.reload()}>
              {i18next.t('common:reload')}
            </button>
          </>
        }
      />
    </div>
  );
};

type ErrorBoundaryProps = {
  children: ReactNode;
  /** Called before the children are rendered again. */
  onRetry?: () => void;
};

export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };
  private stop: (() => void) | undefined;

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidMount() {
    this.stop = onlineManager.subscribe((online) => {
      if (online && isChunkFailure(this.state.error)) this.retry();
    });
  }

  override componentWillUnmount() {
    this.stop?.();
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  retry = () => {
    this.props.onRetry?.();
    this.setState({ error: null });
  };

  override render() {
    return this.state.error === null ? (
      this.props.children
    ) : (
      <CrashView error={this.state.error} onRetry={this.retry} />
    );
  }
}
