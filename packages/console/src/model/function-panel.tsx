import type { FunctionWithId } from '@device-center/contract';
import { Drawer } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { Button } from '../ui/button.tsx';
import { ConfirmDelete } from '../ui/confirm-delete.tsx';
import { useMobile } from '../ui/media.ts';
import { createFormStore, FormProvider, type FormStore } from './form-store.ts';
import { FunctionFields } from './function-fields.tsx';
import { type FunctionForm, rawOf } from './function-form.ts';
import { functionTypeText } from './function-texts.ts';
import { FunctionView } from './function-view.tsx';
import './function-panel.css';

const WIDTH = 640;

type SidePanelProps = { title: string; open: boolean; onClose: () => void; footer?: ReactNode; children: ReactNode };

const SidePanel = ({ title, open, onClose, footer, children }: SidePanelProps) => {
  const mobile = useMobile();
  return (
    <Drawer
      open={open}
      title={title}
      size={mobile ? '100%' : WIDTH}
      destroyOnHidden
      mask={{ closable: footer === undefined }}
      onClose={onClose}
      {...(footer === undefined ? {} : { footer })}
    >
      {children}
    </Drawer>
  );
};

/** Read-only view of one function. */
export const ViewPanel = ({ fn, onClose }: { fn: FunctionWithId | null; onClose: () => void }) => {
  const { t } = useTranslation('model');
  const shown = useLastShown(fn);
  return (
    <SidePanel
      open={fn !== null}
      title={shown ? t('viewTitle', { kind: functionTypeText(shown.functionType) }) : ''}
      onClose={onClose}
    >
      {shown && <FunctionView fn={shown} />}
    </SidePanel>
  );
};

/** Keeps the last content during the closing animation. */
const useLastShown = <Shown,>(shown: Shown | null): Shown | null => {
  const last = useRef(shown);
  if (shown !== null) last.current = shown;
  return shown ?? last.current;
};

export type Editing = {
  /** null for a new one. */
  key: string | null;
  form: FunctionForm;
  /** Identifiers of the other functions. */
  taken: ReadonlySet<string>;
  /** Opened because of a problem: shows all problems immediately. */
  showAll?: boolean;
};

type FunctionPanelProps = {
  editing: Editing | null;
  onApply: (fn: FunctionWithId, key: string | null) => void;
  onClose: () => void;
  onDirtyChange: (dirty: boolean) => void;
};

const focusFirstProblem = (form: HTMLElement | null) => {
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-list-problem]');
  wrong?.scrollIntoView({ block: 'center' });
  wrong?.focus();
};

type PanelFormProps = FunctionPanelProps & { editing: Editing; store: FormStore };

const Footer = ({ store, onCancel, onApply }: { store: FormStore; onCancel: () => void; onApply: () => void }) => {
  const { t } = useTranslation(['model', 'common']);
  const count = useStore(store, ({ showAll, problems }) => (showAll ? problems.size : 0));
  return (
    <div className="dc-fn-footer">
      <span role="status" className={count > 0 ? 'dc-form-errors' : 'dc-muted'}>
        {count > 0 ? t('common:errorCount', { count }) : t('model:applyHint')}
      </span>
      <Button onClick={onCancel}>{t('common:cancel')}</Button>
      <Button type="primary" needsHub={false} onClick={onApply}>
        {t('model:apply')}
      </Button>
    </div>
  );
};

const PanelForm = ({ editing, store, onApply, onClose, onDirtyChange }: PanelFormProps) => {
  const { t } = useTranslation('model');
  const formRef = useRef<HTMLFormElement>(null);
  const [confirming, setConfirming] = useState(false);
  const [started] = useState(() => JSON.stringify(rawOf(editing.form)));
  const changed = () => JSON.stringify(rawOf(store.getState().form)) !== started;
  useEffect(() => {
    const stop = store.subscribe((state, before) => {
      if (state.form !== before.form) onDirtyChange(JSON.stringify(rawOf(state.form)) !== started);
    });
    return () => {
      stop();
      onDirtyChange(false);
    };
  }, [store, started, onDirtyChange]);
  useEffect(() => {
    if (!editing.showAll) return;
    store.getState().finish();
    requestAnimationFrame(() => focusFirstProblem(formRef.current));
  }, [editing, store]);
  useEffect(() => {
    // Focus after the drawer has taken the focus itself.
    if (editing.key === null) requestAnimationFrame(() => formRef.current?.querySelector('input')?.focus());
  }, [editing]);
  const apply = () => {
    const fn = store.getState().finish();
    if (fn) onApply(fn, editing.key);
    else requestAnimationFrame(() => focusFirstProblem(formRef.current));
  };
  const close = () => (changed() ? setConfirming(true) : onClose());
  const kind = functionTypeText(editing.form.functionType);
  return (
    <SidePanel
      open
      title={t(editing.key === null ? 'addTitle' : 'editTitle', { kind })}
      onClose={close}
      footer={<Footer store={store} onCancel={close} onApply={apply} />}
    >
      <FormProvider value={store}>
        <form
          ref={formRef}
          onSubmit={(event) => {
            event.preventDefault();
            apply();
          }}
        >
          <FunctionFields />
          {/* Without a submit button, Enter in a field would not submit the form. */}
          <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
        </form>
      </FormProvider>
      <ConfirmDelete
        open={confirming}
        title={t('discardEditTitle')}
        text={t('discardEditText')}
        okText={t('discard')}
        onClose={() => setConfirming(false)}
        onConfirm={async () => onClose()}
      />
    </SidePanel>
  );
};

/** Edits one function. The draft changes only when the user applies. */
export const FunctionPanel = (props: FunctionPanelProps) => {
  const { editing } = props;
  const [current, setCurrent] = useState<{ of: Editing; store: FormStore } | null>(null);
  if (editing && current?.of !== editing) {
    setCurrent({ of: editing, store: createFormStore(editing.form, editing.taken) });
    return null;
  }
  if (!editing || !current) return null;
  return <PanelForm key={editing.key ?? 'new'} {...props} editing={editing} store={current.store} />;
};
