import {
  type NodeTypeId,
  nodeTypeIds,
  nodeTypes,
  optionsOf,
  type ProtocolId,
  protocolIds,
  protocols,
} from '@device-center/contract';
import { currentLanguage } from '../i18n/language.ts';
import { SelectFilter } from '../ui/filter-bar.tsx';

type KindFilterProps<Id> = { label: string; value: Id | undefined; onChange: (value: Id | undefined) => void };

export const NodeTypeFilter = (props: KindFilterProps<NodeTypeId>) => (
  <SelectFilter options={optionsOf(nodeTypes, nodeTypeIds, currentLanguage())} {...props} />
);

export const ProtocolFilter = (props: KindFilterProps<ProtocolId>) => (
  <SelectFilter options={optionsOf(protocols, protocolIds, currentLanguage())} {...props} />
);
