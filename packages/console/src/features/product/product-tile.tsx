import type { NodeTypeId } from '@device-center/contract';
import { Cpu, type LucideIcon, Radio, Router } from 'lucide-react';
import { useProtectedPicture } from '../../api/picture.ts';
import '../../ui/styles/reading.css';
import './product.css';

export const nodeTypeIcons: Record<NodeTypeId, LucideIcon> = { 1: Cpu, 2: Router, 3: Radio };

type ProductTileProps = { icon: string; nodeType: NodeTypeId; size?: 'small' | 'large' };

/** The product's picture, or else what kind of device it is. Its name always stands beside it. */
export const ProductTile = ({ icon, nodeType, size = 'small' }: ProductTileProps) => {
  const picture = useProtectedPicture(icon);
  const Icon = nodeTypeIcons[nodeType];
  return (
    <span className={`dc-product-tile dc-product-tile-${size}`} aria-hidden="true">
      {picture === undefined ? (
        <Icon size={size === 'small' ? 18 : 24} strokeWidth={1.5} />
      ) : (
        <img src={picture} alt="" />
      )}
    </span>
  );
};
