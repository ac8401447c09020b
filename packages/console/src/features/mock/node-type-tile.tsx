import type { NodeTypeId } from '@device-center/contract';
import { Cpu, type LucideIcon, Radio, Router } from 'lucide-react';
import { useProtectedPicture } from '../../api/picture.ts';
import './node-type-tile.css';

const icons: Record<NodeTypeId, LucideIcon> = { 1: Cpu, 2: Router, 3: Radio };

type NodeTypeTileProps = {
  nodeType: NodeTypeId;
  /** Where the picture of its product is fetched, where that is known and has one. */
  picture?: string;
};

/** What kind of device it is. Its name always stands beside it. */
export const NodeTypeTile = ({ nodeType, picture = '' }: NodeTypeTileProps) => {
  const address = useProtectedPicture(picture);
  const Icon = icons[nodeType];
  return (
    <span className="dc-mock-tile" aria-hidden="true">
      {address === undefined ? <Icon size={20} strokeWidth={1.5} /> : <img src={address} alt="" />}
    </span>
  );
};
