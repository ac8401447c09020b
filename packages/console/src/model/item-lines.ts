import { type FormItem, newFormKey } from './function-form.ts';

/** Parses one item per line: `1 Cooling`, `1: Cooling`, `1=Cooling`, `1,Cooling` or two columns of a table. */
export const itemsOfLines = (text: string): FormItem[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/^["'{]+|["'},;]+$/g, ''))
    .filter((line) => line !== '')
    .map((line) => {
      const [, value = line, description = ''] = /^([^\s,;:=|：，"']+)["']?[\s,;:=|：，]+["']?(.*)$/u.exec(line) ?? [];
      return { key: newFormKey(), value, description: description.trim() };
    });
