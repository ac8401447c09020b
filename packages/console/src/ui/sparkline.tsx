import { useId } from 'react';
import './styles/sparkline.css';

export type Point = { time: number; value: number };

const WIDTH = 200;
const HEIGHT = 36;
const EDGE = 3;

/** Scales points to the view box: x from first to last time, y from the lowest value (or 0) to the highest. */
export const toCoordinates = (points: readonly Point[], fromZero = false): [x: number, y: number][] => {
  const [first, last] = [points[0], points[points.length - 1]];
  if (!first || !last) return [];
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values, ...(fromZero ? [0] : [])), Math.max(...values)];
  const span = last.time - first.time || 1;
  const range = high - low;
  return points.map(({ time, value }) => [
    EDGE + ((time - first.time) / span) * (WIDTH - 2 * EDGE),
    // A constant value is drawn in the middle.
    range === 0 ? HEIGHT / 2 : HEIGHT - EDGE - ((value - low) / range) * (HEIGHT - 2 * EDGE),
  ]);
};

const pathOf = (coordinates: [number, number][], stepped: boolean): string =>
  coordinates
    .map(([x, y], index) => {
      const [at, to] = [x.toFixed(1), y.toFixed(1)];
      if (index === 0) return `M${at} ${to}`;
      return stepped ? `H${at}V${to}` : `L${at} ${to}`;
    })
    .join('');

type SparklineProps = {
  points: readonly Point[];
  /** Accessible name of the chart. */
  label: string;
  /** Draws steps, for flags, which have no values in between. */
  stepped?: boolean;
  /** Fills the area below, for amounts; y then starts at 0. */
  filled?: boolean;
  /** The period of the last point is not over: it is hatched, so that it does not look like a decrease. */
  partial?: boolean;
};

export const Sparkline = ({ points, label, stepped = false, filled = false, partial = false }: SparklineProps) => {
  const id = useId();
  if (points.length < 2) return null;
  const coordinates = toCoordinates(points, filled);
  const whole = partial ? coordinates.slice(0, -1) : coordinates;
  const path = pathOf(whole, stepped);
  const [from] = whole.slice(-1);
  const end = coordinates[coordinates.length - 1];
  return (
    <svg
      className="dc-sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {filled && <path d={`${path}V${HEIGHT}H${EDGE}Z`} className="dc-sparkline-area" />}
      <path d={path} fill="none" stroke="currentColor" vectorEffect="non-scaling-stroke" />
      {partial && from && end && (
        <g className="dc-sparkline-partial">
          <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line x1="0" x2="0" y1="0" y2="4" />
          </pattern>
          <path d={`${pathOf([from, end], stepped)}V${HEIGHT}H${from[0]}Z`} fill={`url(#${id})`} />
          <path d={pathOf([from, end], stepped)} fill="none" vectorEffect="non-scaling-stroke" />
        </g>
      )}
      {end && <line x1={end[0]} x2={end[0]} y1={end[1]} y2={end[1]} vectorEffect="non-scaling-stroke" />}
    </svg>
  );
};
