import type { Ref } from 'react';
import { DARK, type Drawing, LIGHT } from './drawing.ts';

type CodePictureProps = { drawing: Drawing; title: string; ref?: Ref<SVGSVGElement> };

/** The SVG as it is saved. It embeds no fonts, so it uses generic font families. */
export const CodePicture = ({ drawing: { width, height, path, logo, lines }, title, ref }: CodePictureProps) => (
  <svg
    ref={ref}
    xmlns="http://www.w3.org/2000/svg"
    width={width}
    height={height}
    viewBox={`0 0 ${width} ${height}`}
    role="img"
    aria-label={title}
  >
    <rect width={width} height={height} fill={LIGHT} />
    <path d={path} fill={DARK} shapeRendering="crispEdges" />
    {logo && <image href={logo.address} x={logo.place} y={logo.place} width={logo.side} height={logo.side} />}
    {lines.map(({ text, y, fontSize, kind }) => (
      <text
        key={`${kind}${y}`}
        x={width / 2}
        y={y}
        fill={DARK}
        textAnchor="middle"
        fontSize={fontSize}
        fontFamily={kind === 'name' ? 'sans-serif' : 'monospace'}
        fontWeight={kind === 'name' ? 600 : 400}
      >
        {text}
      </text>
    ))}
  </svg>
);
