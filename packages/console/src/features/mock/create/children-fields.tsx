import { MOCK_CHILDREN_MAX, mockChild } from '@device-center/contract';
import { Form, Input, Tooltip } from 'antd';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { rulesFrom } from '../../../ui/rules.ts';
import { type ChildFields, ChildProductSelect } from './child-product-select.tsx';
import './children-fields.css';
import { QuickChildren } from './quick-children.tsx';

type ChildRowProps = { index: number; tenancyId: string; onRemove: () => void };

const ChildRow = ({ index, tenancyId, onRemove }: ChildRowProps) => {
  const { t } = useTranslation('mock');
  const number = index + 1;
  return (
    <li className="dc-mock-child">
      <span className="dc-muted dc-number" aria-hidden="true">
        {number}
      </span>
      <Form.Item name={[index, 'deviceName']} rules={rulesFrom(mockChild.shape.deviceName)}>
        <Input aria-label={t('childNameOf', { number })} placeholder={t('deviceName')} />
      </Form.Item>
      <Form.Item name={[index, 'productId']} rules={rulesFrom(mockChild.shape.productId)}>
        <ChildProductSelect tenancyId={tenancyId} label={t('childProductOf', { number })} />
      </Form.Item>
      <Button
        type="text"
        aria-label={t('removeChild', { number })}
        icon={<Trash2 size={15} aria-hidden />}
        onClick={onRemove}
      />
    </li>
  );
};

type ChildrenFieldsProps = {
  /** Tenant of the gateway. */
  tenancyId: string;
  /** Number of existing children. */
  present: number;
};

/** The list `children` of the enclosing form: names and products, up to the limit of a gateway. */
export const ChildrenFields = ({ tenancyId, present }: ChildrenFieldsProps) => {
  const { t } = useTranslation('mock');
  return (
    <Form.List name="children">
      {(rows, { add, remove }, { errors }) => {
        const free = Math.max(0, MOCK_CHILDREN_MAX - present - rows.length);
        const full = free === 0 ? t('childrenFull', { max: MOCK_CHILDREN_MAX }) : '';
        return (
          <div className="dc-mock-children">
            <p className="dc-muted">{t('childrenOf', { count: present + rows.length, max: MOCK_CHILDREN_MAX })}</p>
            {rows.length > 0 && (
              <ol>
                {rows.map(({ key, name }) => (
                  <ChildRow key={key} index={name} tenancyId={tenancyId} onRemove={() => remove(name)} />
                ))}
              </ol>
            )}
            <Form.ErrorList errors={errors} />
            <div className="dc-mock-add">
              <Tooltip title={full}>
                <Button
                  icon={<Plus size={15} aria-hidden />}
                  disabled={free === 0}
                  onClick={() => add({ deviceName: '', productId: '' } satisfies ChildFields)}
                >
                  {t('addChild')}
                </Button>
              </Tooltip>
              {/* A disabled button cannot be focused, so keyboard users do not see its tooltip. */}
              <span role="status" className="dc-muted">
                {full}
              </span>
            </div>
            {free > 0 && (
              <QuickChildren
                tenancyId={tenancyId}
                free={free}
                onAdd={(children) => {
                  for (const child of children) add(child);
                }}
              />
            )}
          </div>
        );
      }}
    </Form.List>
  );
};
