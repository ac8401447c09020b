import type { NodeTypeId } from '@device-center/contract';
import { Cpu, type LucideIcon, Radio, Router } from 'lucide-react';
import './styles/node-type-tile.css';

export const nodeTypeIcons: Record<NodeTypeId, LucideIcon> = { 1: Cpu, 2: Router, 3: Radio };

/** As in node-type-tile.css: of 36, 40 and 48 pixels. */
const iconSizes = { small: 18, medium: 20, large: 24 };

type NodeTypeTileProps = {
  nodeType: NodeTypeId;
  size: keyof typeof iconSizes;
  /** Address of the picture of its product, where it has one. */
  picture?: string | undefined;
};

/** The product's picture, or else what kind of device it is. Its name always stands beside it. */
export const NodeTypeTile = ({ nodeType, size, picture }: NodeTypeTileProps) => {
  const Icon = nodeTypeIcons[nodeType];
  return (
    <span className="dc-node-type-tile" data-size={size} aria-hidden="true">
      {picture === undefined ? <Icon size={iconSizes[size]} strokeWidth={1.5} /> : <img src={picture} alt="" />}
    </span>
  );
};
