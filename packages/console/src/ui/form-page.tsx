import { App, Form, type FormInstance } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { type FormError, showFieldErrors, toFormError } from './form-error.ts';
import { backTo } from './list-search.ts';
import { useOnline } from './media.ts';
import { PageHeader } from './page-header.tsx';
import { type PageTarget, type Path, useNavigate } from './routing.ts';
import { UnsavedGuard } from './unsaved-guard.tsx';

type FormPageProps<Values extends object, Answer> = {
  title: string;
  form: FormInstance<Values>;
  initial: Partial<Values>;
  /** Sections; see FormSection. */
  children: ReactNode;
  /** Content of the sticky side column, such as a preview or hints. */
  summary?: ReactNode;
  /** Path to navigate to after cancel or success. */
  backTo: Path;
  /** Path to navigate to after success instead, such as the created entity. */
  leadsTo?: (answer: Answer) => Path;
  /** The usual next step, offered in the success dialog beside OK. */
  goesOn?: { text: string; to: (answer: Answer) => PageTarget } | undefined;
  /**
   * Replaces the success dialog if the response has to be shown. `leave` navigates on. Return undefined to keep the
   * success dialog.
   */
  result?: (answer: Answer, leave: () => void) => ReactNode;
  submitText?: string;
  /** Sends the values. Throws if the hub rejects them. */
  onSubmit: (values: Values) => Promise<Answer>;
};

export const FormSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="dc-card dc-form-section">
    <h2>{title}</h2>
    {children}
  </section>
);

export const FormPage = <Values extends object, Answer = unknown>(props: FormPageProps<Values, Answer>) => {
  const { title, form, initial, children, summary, backTo: listPath, submitText, onSubmit } = props;
  const { leadsTo, goesOn, result } = props;
  const { t } = useTranslation();
  const { modal } = App.useApp();
  const navigate = useNavigate();
  const online = useOnline();
  const [saving, setSaving] = useState(false);
  const [errorCount, setErrorCount] = useState(0);
  const [answered, setAnswered] = useState<{ answer: Answer }>();
  const done = useRef(false);
  // State updates on the next render, so a ref prevents that two quick clicks send twice.
  const sending = useRef(false);
  const original = useRef(JSON.stringify(initial));

  useEffect(() => {
    original.current = JSON.stringify(initial);
    form.setFieldsValue(initial as Parameters<typeof form.setFieldsValue>[0]);
  }, [form, initial]);

  const isUnsaved = (): boolean => {
    if (done.current) return false;
    const before = JSON.parse(original.current) as Record<string, unknown>;
    return Object.entries(form.getFieldsValue(true) as Record<string, unknown>).some(
      ([key, value]) => JSON.stringify(value ?? '') !== JSON.stringify(before[key] ?? ''),
    );
  };

  const countErrors = () => setErrorCount(form.getFieldsError().filter(({ errors }) => errors.length > 0).length);

  const focusFirstError = () => {
    const [first] = form.getFieldsError().filter(({ errors }) => errors.length > 0);
    if (first) form.scrollToField(first.name, { block: 'center', focus: true });
  };

  const showError = (formError: FormError) => {
    showFieldErrors(form, formError);
    countErrors();
    modal.error({
      title: t('submitFailed'),
      content: formError.message,
      okText: t('ok'),
      afterClose: focusFirstError,
    });
  };

  const leave = (answer: Answer) => void (leadsTo ? navigate({ to: leadsTo(answer) }) : navigate(backTo(listPath)));

  const showSuccess = (answer: Answer) => {
    let onward = false;
    modal.success({
      title: t('operationSucceeded'),
      okText: goesOn?.text ?? t('ok'),
      // The next step is the primary button, but Enter keeps its usual action.
      ...(goesOn ? { okCancel: true, cancelText: t('ok'), autoFocusButton: 'cancel' as const } : {}),
      onOk: () => {
        onward = goesOn !== undefined;
      },
      afterClose: () => (goesOn && onward ? void navigate(goesOn.to(answer)) : leave(answer)),
    });
  };

  const submit = async (values: Values) => {
    if (sending.current || done.current) return;
    sending.current = true;
    setSaving(true);
    try {
      const answer = await onSubmit(values);
      done.current = true;
      if (result?.(answer, () => undefined) !== undefined) return setAnswered({ answer });
      showSuccess(answer);
    } catch (error) {
      showError(toFormError(error));
    } finally {
      sending.current = false;
      setSaving(false);
    }
  };

  return (
    <div className="dc-form-page">
      <PageHeader title={title} backTo={listPath} />
      <Form<Values>
        form={form}
        layout="vertical"
        disabled={saving}
        initialValues={initial}
        requiredMark
        scrollToFirstError={{ block: 'center', focus: true }}
        onFinish={(values) => void submit(values)}
        onFinishFailed={countErrors}
        onFieldsChange={() => errorCount > 0 && countErrors()}
      >
        <div className="dc-form-columns">
          <div className="dc-form-main">{children}</div>
          {summary !== undefined && <aside className="dc-card dc-form-summary">{summary}</aside>}
        </div>
        <div className="dc-form-footer">
          <Button type="primary" htmlType="submit" loading={saving} disabled={!online}>
            {submitText ?? t('submit')}
          </Button>
          <Button onClick={() => void navigate(backTo(listPath))}>{t('cancel')}</Button>
          <span role="status" className="dc-form-errors">
            {errorCount > 0 ? t('errorCount', { count: errorCount }) : ''}
          </span>
        </div>
      </Form>
      <UnsavedGuard isUnsaved={isUnsaved} />
      {answered && result?.(answered.answer, () => leave(answered.answer))}
    </div>
  );
};
