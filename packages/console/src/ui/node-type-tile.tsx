import type { NodeTypeId } from '@device-center/contract';
import { Cpu, type LucideIcon, Radio, Router } from 'lucide-react';
import './styles/node-type-tile.css';

export const nodeTypeIcons: Record<NodeTypeId, LucideIcon> = { 1: Cpu, 2: Router, 3: Radio };

/** Icon sizes for the tiles of 36, 40 and 48 pixels in node-type-tile.css. */
const iconSizes = { small: 18, medium: 20, large: 24 };

type NodeTypeTileProps = {
  nodeType: NodeTypeId;
  size: keyof typeof iconSizes;
  /** URL of the product's picture, if it has one. */
  picture?: string | undefined;
};

/** The product's picture, or the icon of its node type. Hidden from screen readers: the name is always beside it. */
export const NodeTypeTile = ({ nodeType, size, picture }: NodeTypeTileProps) => {
  const Icon = nodeTypeIcons[nodeType];
  return (
    <span className="dc-node-type-tile" data-size={size} aria-hidden="true">
      {picture === undefined ? <Icon size={iconSizes[size]} strokeWidth={1.5} /> : <img src={picture} alt="" />}
    </span>
  );
};
