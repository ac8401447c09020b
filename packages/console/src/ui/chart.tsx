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

// Only the modules for bar charts: all of echarts is three times as large. No other file imports echarts.
use([BarSeries, GridComponent, TooltipComponent, CanvasRenderer]);

type ChartOption = ComposeOption<BarSeriesOption | GridComponentOption | TooltipComponentOption>;

export type Bar = {
  /** Label under the bar. */
  name: string;
  /** Title of the tooltip. */
  title: string;
  value: number;
  /** The period is not over, such as today: the bar is hatched, so that it does not look like a decrease. */
  partial?: boolean;
};

type BarChartProps = {
  /** Accessible name of the chart; a table beside it has the same data. */
  label: string;
  bars: readonly Bar[];
  /** Format of a value in the tooltip and on the axis. */
  formatValue: (value: number) => string;
  formatAxis: (value: number) => string;
};

/** Built from DOM nodes, because the content security policy forbids the style attributes of echarts' own markup. */
const tooltipOf = (bar: Bar, formatValue: BarChartProps['formatValue']): HTMLElement => {
  const tip = document.createElement('div');
  tip.className = 'dc-chart-tip';
  const [title, value] = [document.createElement('span'), document.createElement('strong')];
  title.textContent = bar.title;
  value.textContent = formatValue(bar.value);
  tip.append(title, value);
  return tip;
};

type ThemeToken = ReturnType<typeof theme.useToken>['token'];

/** Hatching in the colour of a complete bar. */
const partialBarStyle = (token: ThemeToken): BarSeriesOption['itemStyle'] => ({
  color: token.colorFillSecondary,
  borderColor: token.colorPrimary,
  borderWidth: 1,
  decal: { color: token.colorPrimary, dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4 },
});

const optionOf = ({ bars, formatValue, formatAxis }: BarChartProps, token: ThemeToken, still: boolean): ChartOption => {
  const axisLabel = { color: token.colorTextSecondary, fontFamily: token.fontFamily, fontSize: 12 };
  return {
    animation: !still,
    animationDuration: 200,
    animationDurationUpdate: 200,
    grid: { left: 0, right: 0, top: 10, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'category',
      data: bars.map(({ name }) => name),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: token.colorBorderSecondary } },
      axisLabel: { ...axisLabel, hideOverlap: true, margin: 10 },
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      splitNumber: 4,
      axisLabel: { ...axisLabel, formatter: formatAxis },
      splitLine: { lineStyle: { color: token.colorBorderSecondary } },
    },
    tooltip: {
      trigger: 'axis',
      confine: true,
      transitionDuration: still ? 0 : 0.14,
      padding: 0,
      borderWidth: 0,
      backgroundColor: 'transparent',
      extraCssText: 'box-shadow:none',
      axisPointer: { type: 'shadow', shadowStyle: { color: token.colorText, opacity: 0.05 } },
      formatter: (hovered) => {
        const [first] = Array.isArray(hovered) ? hovered : [hovered];
        const bar = bars[first?.dataIndex ?? -1];
        return bar ? tooltipOf(bar, formatValue) : '';
      },
    },
    series: [
      {
        type: 'bar',
        data: bars.map(({ value, partial }) => (partial ? { value, itemStyle: partialBarStyle(token) } : value)),
        barMaxWidth: 48,
        barCategoryGap: '32%',
        itemStyle: { color: token.colorPrimary, borderRadius: [3, 3, 0, 0] },
        emphasis: { itemStyle: { color: token.colorPrimaryHover } },
      },
    ],
  };
};

/** Bar chart on a canvas, in the theme's colours and as wide as its container. Large: load it lazily. */
const BarChart = (props: BarChartProps) => {
  const container = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);
  const { token } = theme.useToken();
  const still = useReducedMotion();
  const option = useRef<ChartOption>(undefined);

  useEffect(() => {
    option.current = optionOf(props, token, still);
    chart.current?.setOption(option.current);
  });

  useEffect(() => {
    const { current: element } = container;
    if (!element) return;
    // Create the chart only once the container has a size: it may be in a hidden tab.
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

  return <div ref={container} className="dc-chart" role="img" aria-label={props.label} />;
};

export default BarChart;
