import {
  type ExportFormat,
  exportModel,
  type ModelFunction,
  modelCalls,
  type ProductRow,
} from '@device-center/contract';
import { send } from '../../api/send.ts';
import { downloadText } from '../../model/download.ts';

export const exportVersion = async (
  { productId, productName }: ProductRow,
  modelVersion: number,
  format: ExportFormat,
): Promise<void> => {
  const { functions } = await send(modelCalls.getModelVersion, { productId, modelVersion });
  downloadText(exportModel(format, { productId, productName, functions: functions as ModelFunction[] }));
};
