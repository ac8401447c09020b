import { type TaskTarget, taskStatusIds, taskTransitions } from './ota-task.ts';
import { conditionTexts, taskStatusTexts } from './ota-texts.ts';

const stateName = (target: TaskTarget): string => {
  if (target === 'gone') return '[*]';
  return target === 'close' ? 'close' : `s${target}`;
};

/** Renders the transition table as a Mermaid state diagram, so that the docs match what hub and console use. */
export const taskDiagram = (): string => {
  const states = taskStatusIds.map((id) => `  state "${id} ${taskStatusTexts[id].en_US}" as s${id}`);
  const moves = taskTransitions.flatMap(({ from, event, when, to }) => {
    const label = when ? `${event} (${conditionTexts[when].en_US})` : event;
    return from.map((id) => `  s${id} --> ${stateName(to)}: ${label}`);
  });
  return [
    'stateDiagram-v2',
    ...states,
    '  state close <<choice>>',
    '  [*] --> s1: created, now',
    '  [*] --> s0: created, later',
    ...moves,
    '  close --> s5: all succeeded',
    '  close --> s6: none succeeded',
    '  close --> s7: both, or no devices left',
  ].join('\n');
};
