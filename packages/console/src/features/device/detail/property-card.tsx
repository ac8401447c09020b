import { type DeviceDetails, type LatestValue, recordCalls } from '@device-center/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send } from '../../../api/send.ts';
import { useCan } from '../../../api/session.ts';
import { isWritable } from '../../../model/values/value-draft.ts';
import { hasCurve, plotted, unitOf, valueText } from '../../../model/values/value-texts.ts';
import { ValueView } from '../../../model/values/value-view.tsx';
import { Button } from '../../../ui/button.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type Point, Sparkline } from '../../../ui/sparkline.tsx';
import { useLiveEvents } from './device-live.tsx';
import type { PropertyFunction } from './model-query.ts';

const POINTS = 60;

/** The history when the page opened, and the values received since. */
const useTrend = (device: DeviceDetails, entry: PropertyFunction, reported: boolean): Point[] => {
  const { deviceId } = device;
  const { signCode, functionDefinition } = entry;
  const { dataType } = functionDefinition;
  const [livePoints, setLivePoints] = useState<Point[]>([]);
  const canPlot = hasCurve(signCode, dataType);
  const { data } = useQuery({
    // A separate key, so that a mutation does not refetch every history.
    queryKey: ['trend', deviceId, signCode],
    queryFn: ({ signal }) => send(recordCalls.getPropertyHistory, { deviceId, signCode, limit: POINTS }, { signal }),
    enabled: canPlot && reported,
    staleTime: 0,
  });
  useLiveEvents((event) => {
    if (!canPlot || event.kind !== 'value' || event.data.signCode !== signCode) return;
    const value = plotted(dataType, event.data.value);
    const point = { time: Date.parse(event.data.time), value };
    if (value !== undefined) setLivePoints((points) => [...points, { ...point, value }].slice(-POINTS));
  });
  return useMemo(() => {
    const history = (data ?? []).flatMap(({ time, value }): Point[] => {
      const plottedValue = plotted(dataType, value);
      return plottedValue === undefined ? [] : [{ time: Date.parse(time), value: plottedValue }];
    });
    const last = history[0]?.time ?? 0;
    // The history is sorted newest first, and its latest values may also have been streamed.
    return [...history.reverse(), ...livePoints.filter(({ time }) => time > last)].slice(-POINTS);
  }, [data, livePoints, dataType]);
};

const COMPLEX = new Set(['json', 'array']);

const Value = ({ entry, latest }: { entry: PropertyFunction; latest: LatestValue }) => {
  const { dataType } = entry.functionDefinition;
  if (COMPLEX.has(dataType.type))
    return (
      <div className="dc-property-fields">
        <ValueView type={dataType} value={latest.value} />
      </div>
    );
  const text = valueText(dataType, latest.value);
  const unit = unitOf(dataType);
  return (
    <p className="dc-property-value" data-long={text.length > 12} title={text}>
      <strong>{text}</strong>
      {unit !== '' && <span>{unit}</span>}
    </p>
  );
};

type PropertyCardProps = {
  device: DeviceDetails;
  entry: PropertyFunction;
  latest: LatestValue | undefined;
  onSet: () => void;
};

export const PropertyCard = ({ device, entry, latest, onSet }: PropertyCardProps) => {
  const { t } = useTranslation('deviceDetail');
  const mayWrite = useCan('device:write');
  const trend = useTrend(device, entry, latest !== undefined);
  const values = trend.map(({ value }) => value);
  const offline = device.online !== 1;
  return (
    <article className="dc-card dc-property" aria-label={entry.functionName}>
      <header>
        <h3 title={`${entry.functionName} (${entry.signCode})`}>{entry.functionName}</h3>
        {mayWrite && isWritable(entry) && (
          <Button
            size="small"
            disabled={offline}
            title={offline ? t('notOnline') : undefined}
            aria-label={t('setTitle', { name: entry.functionName })}
            onClick={onSet}
          >
            {t('set')}
          </Button>
        )}
      </header>
      {latest === undefined ? (
        <p className="dc-property-none">{t('neverReported')}</p>
      ) : (
        <Value entry={entry} latest={latest} />
      )}
      <Sparkline
        points={trend}
        label={t('trend', { count: trend.length, min: Math.min(...values), max: Math.max(...values) })}
        stepped={entry.functionDefinition.dataType.type === 'boolean'}
      />
      <footer>
        <code className="dc-mono" title={entry.signCode}>
          {entry.signCode}
        </code>
        {latest !== undefined && <RelativeTime value={latest.time} />}
      </footer>
    </article>
  );
};
