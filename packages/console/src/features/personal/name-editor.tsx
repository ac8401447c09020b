import { issueText, personalCalls } from '@device-center/contract';
import { Input } from 'antd';
import { Pencil } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../api/feedback.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { currentLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';

const { name: rule } = personalCalls.updateSimpleUser.input.shape;

const problemOf = (name: string): string => {
  const issue = rule.safeParse(name, { reportInput: true }).error?.issues[0];
  return issue ? issueText(issue, currentLanguage()) : '';
};

/** Inline editor of the person name: Enter saves, Escape cancels. */
export const NameEditor = ({ userId, name }: { userId: string; name: string }) => {
  const { t } = useTranslation(['personal', 'common']);
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState('');
  const problemId = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const save = useCallMutation(personalCalls.updateSimpleUser);

  const close = () => {
    setTyped(undefined);
    setProblem('');
    // The input is unmounted: return the focus to the button that opened it.
    requestAnimationFrame(() => opener.current?.focus());
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === undefined || save.isPending) return;
    const newName = typed.trim();
    const found = problemOf(newName);
    setProblem(found);
    if (found !== '') return;
    if (newName === name) return close();
    save.mutate(
      { userId, name: newName },
      {
        onSuccess: () => {
          announceSuccess(t('personal:nameSaved'));
          close();
        },
        onError: ({ details, message }) => setProblem(details[0]?.message ?? message),
      },
    );
  };

  if (typed === undefined) {
    return (
      <span className="dc-person-name">
        {name || '—'}
        <button
          ref={opener}
          type="button"
          className="dc-person-pencil"
          aria-label={t('personal:nameEdit')}
          onClick={() => setTyped(name)}
        >
          <Pencil size={14} aria-hidden />
        </button>
      </span>
    );
  }
  return (
    <form className="dc-person-name-form" onSubmit={submit}>
      <Input
        autoFocus
        value={typed}
        aria-label={t('personal:name')}
        aria-invalid={problem !== ''}
        aria-describedby={problemId}
        {...(problem === '' ? {} : { status: 'error' as const })}
        onChange={({ target: { value } }) => {
          setTyped(value);
          setProblem(problemOf(value.trim()));
        }}
        onKeyDown={({ key }) => key === 'Escape' && close()}
      />
      <Button type="primary" htmlType="submit" loading={save.isPending}>
        {t('common:save')}
      </Button>
      <Button onClick={close}>{t('common:cancel')}</Button>
      <span id={problemId} role="alert" className="dc-field-error">
        {problem}
      </span>
    </form>
  );
};
