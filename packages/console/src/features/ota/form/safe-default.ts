import type { FormInstance } from 'antd';
import { useEffect, useRef } from 'react';
import { allAtOnce, careful, LARGE_FROM, matchesPreset, type TaskFields } from './task-fields.ts';

/** The rollout of a form follows its number of target devices until the operator chooses one. */
export const useSafeDefault = (form: FormInstance<TaskFields>, devices: number) => {
  const chosen = useRef(false);
  const setHere = useRef(false);
  const large = devices > LARGE_FROM;
  useEffect(() => {
    // Values from a rehearsal or typed by the operator match neither preset and are kept.
    const [before, after] = large ? [allAtOnce, careful] : [careful, allAtOnce];
    if (chosen.current || setHere.current === large || !matchesPreset(form.getFieldsValue(true), before)) return;
    form.setFieldsValue({ ...allAtOnce, ...after });
    setHere.current = large;
  }, [form, large]);
  return {
    large,
    choose: () => {
      chosen.current = true;
    },
  };
};
