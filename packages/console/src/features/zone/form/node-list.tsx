import { ZONE_NODES_MAX, type ZoneNode, ZoneType } from '@device-center/contract';
import { Form } from 'antd';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { NodeTestButton, type TestedNode } from '../node-test.tsx';
import { InnerFields, OuterFields } from './node-fields.tsx';
import { emptyNode, type NodeValues, type nodeRules, testedNode, type ZoneValues } from './zone-values.ts';

const checked = {
  [ZoneType.inner]: ['hostName', 'port', 'username', 'password', 'apiKey', 'certificate', 'certificatePassword'],
  [ZoneType.outer]: ['bucketUrl', 'bucketZoneId', 'apiKey', 'certificate', 'certificatePassword'],
} as const satisfies Record<1 | 2, readonly (keyof typeof nodeRules | 'certificate')[]>;

type NodeToolsProps = {
  index: number;
  count: number;
  /** The last node may be removed too. */
  mayBeNone: boolean;
  onMove: (to: number) => void;
  onRemove: () => void;
};

const NodeTools = ({ index, count, mayBeNone, onMove, onRemove }: NodeToolsProps) => {
  const { t } = useTranslation('zoneForm');
  const needed = count === 1 && !mayBeNone;
  const number = index + 1;
  return (
    <span className="dc-node-tools">
      {count > 1 && (
        <>
          <Button
            type="text"
            size="small"
            aria-label={t('moveUp', { number })}
            icon={<ArrowUp size={15} aria-hidden />}
            disabled={index === 0}
            onClick={() => onMove(index - 1)}
          />
          <Button
            type="text"
            size="small"
            aria-label={t('moveDown', { number })}
            icon={<ArrowDown size={15} aria-hidden />}
            disabled={number === count}
            onClick={() => onMove(index + 1)}
          />
        </>
      )}
      <Button
        type="text"
        size="small"
        aria-label={t('removeNode', { number })}
        title={needed ? t('keepOne') : t('removeNode', { number })}
        icon={<Trash2 size={15} aria-hidden />}
        disabled={needed}
        onClick={onRemove}
      />
    </span>
  );
};

type NodeRowProps = NodeToolsProps & { type: 1 | 2; stored: ZoneNode | undefined };

const NodeRow = ({ type, stored, ...tools }: NodeRowProps) => {
  const { t } = useTranslation(['zone']);
  const form = Form.useFormInstance<ZoneValues>();
  const { index } = tools;
  const title = t('zone:node', { number: index + 1 });
  const tested = async (): Promise<TestedNode | undefined> => {
    try {
      await form.validateFields(checked[type].map((field) => ['nodes', index, field]));
    } catch {
      return undefined;
    }
    const values: ZoneValues = form.getFieldsValue(true);
    const node = values.nodes[index];
    return node && testedNode(values, node);
  };
  const Fields = type === ZoneType.inner ? InnerFields : OuterFields;
  return (
    <fieldset className="dc-node-row" aria-label={title}>
      <div className="dc-node-head">
        <h3>{title}</h3>
        <NodeTools {...tools} />
      </div>
      <Fields index={index} stored={stored} />
      <NodeTestButton number={index + 1} node={tested} />
    </fieldset>
  );
};

const CountNote = ({ count, mayBeNone }: { count: number; mayBeNone: boolean }) => {
  const { t } = useTranslation('zoneForm');
  const few = mayBeNone ? '' : t('keepOne');
  const full = count >= ZONE_NODES_MAX ? t('nodesFull', { max: ZONE_NODES_MAX }) : '';
  return (
    <span role="status" className="dc-muted">
      {count === 1 ? few : full}
    </span>
  );
};

type NodeListProps = { type: 1 | 2; stored: readonly ZoneNode[]; mayBeNone: boolean };

/** The list `nodes` of the enclosing form. */
export const NodeList = ({ type, stored, mayBeNone }: NodeListProps) => {
  const { t } = useTranslation('zoneForm');
  const form = Form.useFormInstance<ZoneValues>();
  const storedAt = (index: number): ZoneNode | undefined => {
    const { nodeId } = (form.getFieldValue(['nodes', index]) ?? { nodeId: '' }) as NodeValues;
    return nodeId === '' ? undefined : stored.find((node) => node.nodeId === nodeId);
  };
  return (
    <Form.List name="nodes">
      {(rows, { add, remove, move }, { errors }) => (
        <div className="dc-node-rows">
          <p className="dc-muted">{t(mayBeNone ? 'nodesHintBuiltin' : `nodesHint_${type}`)}</p>
          {rows.map(({ key, name }) => (
            <NodeRow
              key={`${type} ${key}`}
              index={name}
              count={rows.length}
              mayBeNone={mayBeNone}
              type={type}
              stored={storedAt(name)}
              onMove={(to) => move(name, to)}
              onRemove={() => remove(name)}
            />
          ))}
          <Form.ErrorList errors={errors} />
          <div className="dc-node-add">
            <Button
              icon={<Plus size={15} aria-hidden />}
              disabled={rows.length >= ZONE_NODES_MAX}
              onClick={() => add(emptyNode())}
            >
              {t('addNode')}
            </Button>
            <CountNote count={rows.length} mayBeNone={mayBeNone} />
          </div>
        </div>
      )}
    </Form.List>
  );
};
