import { NodeType, type ProductRow } from '@device-center/contract';
import i18next from 'i18next';

/** Spec §5: only monomer and gateway products are allowed. A child needs a gateway to connect. */
export const mockBlockedReason = ({ nodeType }: Pick<ProductRow, 'nodeType'>): string | undefined =>
  nodeType === NodeType.child ? i18next.t('mock:notForMock') : undefined;
