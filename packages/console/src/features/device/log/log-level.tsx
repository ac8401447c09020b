import { logLevels } from '@device-center/contract';

/** Levels that a line can have; OFF is a setting only. */
export const lineLevelIds = [2, 3, 4, 5, 6, 7] as const;
export type LineLevelId = (typeof lineLevelIds)[number];

const names = new Map<number, string>(Object.entries(logLevels).map(([id, name]) => [Number(id), name]));
export const levelName = (level: number): string => names.get(level) ?? String(level);

export const LevelBadge = ({ level }: { level: number }) => (
  <span className="dc-level" data-level={level}>
    {levelName(level)}
  </span>
);
