import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { taskFormPath, taskListPath, taskPath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { taskDetailSearch, taskFormSearch, taskListSearch } from './ota-search.ts';

export const otaPages: readonly PageEntry[] = [
  {
    path: taskListPath,
    menus: [Menu.updateMission],
    title: () => i18next.t('shell:taskListTitle'),
    search: taskListSearch,
    load: withTexts(() => import('./list/task-list-page.tsx'), 'ota'),
    palette: 'page',
  },
  {
    path: taskFormPath,
    menus: [Menu.updateMission],
    title: () => i18next.t('shell:addTaskTitle'),
    search: taskFormSearch,
    load: withTexts(() => import('./form/task-form-page.tsx'), 'ota', 'otaForm'),
    palette: { action: () => i18next.t('shell:addTaskTitle'), to: taskFormPath },
  },
  {
    path: taskPath('$taskId'),
    menus: [Menu.updateMission],
    title: () => i18next.t('ota:detailTitle'),
    search: taskDetailSearch,
    load: withTexts(() => import('./detail/task-detail-page.tsx'), 'ota', 'otaDetail'),
  },
];
