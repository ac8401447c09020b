import { Menu, type MockDetails, mockCalls, modelCalls, productCalls } from '@device-center/contract';
import { createMock, type Mock, type PendingCall } from '@device-center/virtual-device';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { App } from 'antd';
import { type ComponentType, useEffect, useState } from 'react';
import { inject } from 'vitest';
import { admin, createApplication, createUserWithMenus, unique } from '../../../../../test/hub.ts';
import { createQueryClient } from '../../../../api/query-client.ts';
import { loadLazyTexts } from '../../../../i18n/lazy.ts';
import { loadAllTexts } from '../../../../i18n/start.ts';
import { PanelProvider } from '../panel-context.ts';

const functions = [
  {
    signCode: 'humidity',
    functionName: 'Humidity',
    functionType: 1,
    functionDefinition: { accessMode: 'r', dataType: { type: 'integer', min: 0, max: 100 } },
  },
  {
    signCode: 'label',
    functionName: 'Label',
    functionType: 1,
    functionDefinition: { accessMode: 'rw', dataType: { type: 'string', length: 8 } },
  },
  {
    signCode: 'overheat',
    functionName: 'Overheat',
    functionType: 22,
    functionDefinition: {
      eventType: 'alarm',
      output: [{ identifier: 'celsius', name: 'Celsius', required: true, dataType: { type: 'double', max: 200 } }],
    },
  },
  {
    signCode: 'calibrate',
    functionName: 'Calibrate',
    functionType: 32,
    functionDefinition: {
      callType: 'sync',
      input: [{ identifier: 'offset', name: 'Offset', required: true, dataType: { type: 'double' } }],
      output: [{ identifier: 'result', name: 'Result', required: true, dataType: { type: 'string', length: 8 } }],
    },
  },
];

export type MockFixture = Awaited<ReturnType<typeof createMockFixture>>;

/** Creates a tenant with mock gateways of two children, and a user with permission for them. */
export const createMockFixture = async () => {
  await loadAllTexts();
  for (const texts of ['mock', 'mockPanel', 'mockTabs', 'deviceDetail', 'model'] as const) await loadLazyTexts(texts);
  const { session, tenancyId } = await createUserWithMenus([Menu.mockList]);
  const operator = await admin();
  const { applicationId } = await createApplication(tenancyId);
  const product = { categoryId: 'std-lighting', protocolId: 1, classId: 1, applicationId, tenancyId } as const;
  const newProduct = async (nodeType: 2 | 3) => {
    const productName = unique('prod');
    const { productId } = await operator.ok(productCalls.addDeviceProduct, { ...product, productName, nodeType });
    await operator.ok(modelCalls.addProductFunctions, { productId, functions });
    return productId;
  };
  const [gatewayProduct, childProduct] = [await newProduct(2), await newProduct(3)];
  const newGateway = async (): Promise<MockDetails> => {
    const children = ['north', 'south'].map((name) => ({ deviceName: unique(name), productId: childProduct }));
    const gateway = { deviceName: unique('hall'), productId: gatewayProduct, children };
    const { deviceId } = await operator.ok(mockCalls.createMockDevice, gateway);
    return operator.ok(mockCalls.getMockDeviceDetails, { deviceId });
  };
  return { session, operator, newGateway };
};

type PanelProps = { details: MockDetails; mock: Mock; online: boolean; Tab: ComponentType; waiting: PendingCall[] };

const TestPanel = ({ details, mock, online, Tab, waiting }: PanelProps) => {
  const [chosen, choose] = useState(details.deviceId);
  const [mounted, setMounted] = useState(mock.mounted());
  useEffect(() => mock.on('mounted', setMounted), [mock]);
  return (
    <PanelProvider value={{ details, mock, online, mounted, chosen, choose, pending: waiting }}>
      <Tab />
    </PanelProvider>
  );
};

type Options = { details: MockDetails; online?: boolean; waiting?: PendingCall[]; mock?: Mock };

/** Renders one tab of the panel. The mock is never started, so its messages are recorded and never delivered. */
export const openTab = (Tab: ComponentType, { details, online = true, waiting = [], mock: given }: Options) => {
  const mock = given ?? createMock({ hubUrl: inject('hubUrl'), details });
  const sent: unknown[] = [];
  mock.on('sent', (message) => sent.push(message));
  const panel = (Shown: ComponentType) => (
    <QueryClientProvider client={createQueryClient()}>
      <App>
        <TestPanel {...{ details, mock, online, waiting }} Tab={Shown} />
      </App>
    </QueryClientProvider>
  );
  const view = render(panel(Tab));
  return { mock, sent, ...view };
};
