import type { NodeTypeId } from '@device-center/contract';
import { useProtectedPicture } from '../../api/picture.ts';
import { NodeTypeTile } from '../../ui/node-type-tile.tsx';
import '../../ui/styles/reading.css';
import './product.css';

type ProductTileProps = { icon: string; nodeType: NodeTypeId; size?: 'small' | 'large' };

export const ProductTile = ({ icon, nodeType, size = 'small' }: ProductTileProps) => (
  <NodeTypeTile nodeType={nodeType} size={size} picture={useProtectedPicture(icon)} />
);
