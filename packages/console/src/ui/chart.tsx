import './styles/chart.css';
import { theme } from 'antd';
import { BarChart as BarSeries, type BarSeriesOption } from 'echarts/charts';
import {
  GridComponent,
  type GridComponentOption,
  TooltipComponent,
  type TooltipComponentOption,
} from 'echarts/components';
import { type ComposeOption, type EChartsType, init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import { useReducedMotion } from './media.ts';

// Only what bars need: the whole of echarts is three times as heavy. No other file imports it.
use([BarSeries, GridComponent, TooltipComponent, CanvasRenderer]);

type ChartOption = ComposeOption<BarSeriesOption | GridComponentOption | TooltipComponentOption>;

export type Bar = {
  /** Under the bar. */
  name: string;
  /** In the tooltip. */
  title: string;
  value: number;
  /** Still growing, such as that of today: hatched, so that it is no fall. */
  partial?: boolean;
};

type BarChartProps = {
  /** What the bars tell, for those who cannot see them; beside it there is a table of the same. */
  label: string;
  bars: readonly Bar[];
  /** A value as the tooltip has it, and as the axis does. */
  words: (value: number) => string;
  axisWords: (value: number) => string;
};

/** Made of nodes: the style attributes of echarts' own markup are against the page's policy. */
const tipOf = (bar: Bar, words: BarChartProps['words']): HTMLElement => {
  const tip = document.createElement('div');
  tip.className = 'dc-chart-tip';
  const [title, value] = [document.createElement('span'), document.createElement('strong')];
  title.textContent = bar.title;
  value.textContent = words(bar.value);
  tip.append(title, value);
  return tip;
};

type Look = ReturnType<typeof theme.useToken>['token'];

/** Lines in the colour of a whole bar. */
const hatchedIn = (look: Look): BarSeriesOption['itemStyle'] => ({
  color: look.colorFillSecondary,
  borderColor: look.colorPrimary,
  borderWidth: 1,
  decal: { color: look.colorPrimary, dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4 },
});

const optionOf = ({ bars, words, axisWords }: BarChartProps, look: Look, still: boolean): ChartOption => {
  const axisLabel = { color: look.colorTextSecondary, fontFamily: look.fontFamily, fontSize: 12 };
  return {
    animation: !still,
    animationDuration: 200,
    animationDurationUpdate: 200,
    grid: { left: 0, right: 0, top: 10, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'category',
      data: bars.map(({ name }) => name),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: look.colorBorderSecondary } },
      axisLabel: { ...axisLabel, hideOverlap: true, margin: 10 },
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      splitNumber: 4,
      axisLabel: { ...axisLabel, formatter: axisWords },
      splitLine: { lineStyle: { color: look.colorBorderSecondary } },
    },
    tooltip: {
      trigger: 'axis',
      confine: true,
      transitionDuration: still ? 0 : 0.14,
      padding: 0,
      borderWidth: 0,
      backgroundColor: 'transparent',
      extraCssText: 'box-shadow:none',
      axisPointer: { type: 'shadow', shadowStyle: { color: look.colorText, opacity: 0.05 } },
      formatter: (hovered) => {
        const [first] = Array.isArray(hovered) ? hovered : [hovered];
        const bar = bars[first?.dataIndex ?? -1];
        return bar ? tipOf(bar, words) : '';
      },
    },
    series: [
      {
        type: 'bar',
        data: bars.map(({ value, partial }) => (partial ? { value, itemStyle: hatchedIn(look) } : value)),
        barMaxWidth: 48,
        barCategoryGap: '32%',
        itemStyle: { color: look.colorPrimary, borderRadius: [3, 3, 0, 0] },
        emphasis: { itemStyle: { color: look.colorPrimaryHover } },
      },
    ],
  };
};

/** Bars on a canvas, in the colours of the theme, as wide as their place. Heavy: load it lazily. */
const BarChart = (props: BarChartProps) => {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);
  const { token } = theme.useToken();
  const still = useReducedMotion();
  const option = useRef<ChartOption>(undefined);

  useEffect(() => {
    option.current = optionOf(props, token, still);
    chart.current?.setOption(option.current);
  });

  useEffect(() => {
    const { current: element } = place;
    if (!element) return;
    // A place without a size is not measured but waited for: it may be in a tab that is not in sight.
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === 0 || element.clientHeight === 0) return;
      if (chart.current) return chart.current.resize();
      chart.current = init(element, null, { renderer: 'canvas' });
      if (option.current) chart.current.setOption(option.current);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.current?.dispose();
      chart.current = undefined;
    };
  }, []);

  return <div ref={place} className="dc-chart" role="img" aria-label={props.label} />;
};

export default BarChart;
