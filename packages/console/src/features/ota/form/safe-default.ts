import type { FormInstance } from 'antd';
import { useEffect, useRef } from 'react';
import { agrees, allAtOnce, careful, LARGE_FROM, type MissionFields } from './task-fields.ts';

/** The rollout of a form follows its number of target devices until the operator chooses one. */
export const useSafeDefault = (form: FormInstance<MissionFields>, devices: number) => {
  const chosen = useRef(false);
  const setHere = useRef(false);
  const large = devices > LARGE_FROM;
  useEffect(() => {
    // Values from a rehearsal or typed by the operator match neither preset and are kept.
    const [before, after] = large ? [allAtOnce, careful] : [careful, allAtOnce];
    if (chosen.current || setHere.current === large || !agrees(form.getFieldsValue(true), before)) return;
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
