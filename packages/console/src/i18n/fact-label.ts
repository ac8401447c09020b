import { type DeviceFact, deviceFactNames, factKind } from '@device-center/contract';
import { currentLanguage } from './language.ts';

export const isFact = (field: string): field is DeviceFact => deviceFactNames.some((fact) => fact === field);

export const factLabel = (fact: DeviceFact): string => factKind(fact).label[currentLanguage()];
