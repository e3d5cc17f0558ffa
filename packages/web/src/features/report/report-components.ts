import type { ComponentUsage } from '@benchwatch/contract/usage'
import { type UsageColor, usageColors } from '@benchwatch/contract/vocabulary'
import { formatInstrumentDate } from '../../lib/dates.ts'
import {
  readingText,
  splitComponentName,
  usageAmount,
  usageVerdict,
  usageWord,
  usageWords,
  worstMetric,
} from '../usage/usage-judgement.ts'
import type { ReportComponent, ReportTable } from './report-model.ts'

/** Components in a report: each with its counters, the key of their colours, and the list of all. */

export function componentCards(components: readonly ComponentUsage[]): ReportComponent[] {
  return components.map(({ componentName, usage, info, details }) => ({
    ...splitComponentName(componentName),
    counters: usage.map((metric) => ({
      metric,
      word: usageWord(metric),
      amount: usageAmount(metric),
      verdict: usageVerdict(metric),
    })),
    facts: [...info, ...details].map((reading) => ({ name: reading.metric, value: readingText(reading) })),
  }))
}

const meanings: Record<UsageColor, string> = {
  normal: 'Below its thresholds',
  safety: 'Above the safety threshold, below the maximum',
  high: 'Near the maximum, or to be changed soon',
  maximum: 'At or above the maximum, or to be changed now',
  unknown: 'No value, or no threshold known',
}

/** From nothing to do to what must be done, and what is not known at the end. */
export const usageKey = [...usageColors]
  .sort((one, other) => Number(one === 'unknown') - Number(other === 'unknown'))
  .map((usage) => ({ usage, word: usageWords[usage], meaning: meanings[usage] }))

/** One line for each component, with the counter that needs somebody first. */
export function componentTable(components: readonly ComponentUsage[]): ReportTable {
  return {
    kind: 'table',
    title: null,
    columns: [
      { title: 'No.', share: 6, isNumber: true },
      { title: 'Component', share: 28 },
      { title: 'Highest use', share: 30 },
      { title: 'State', share: 19 },
      { title: 'Limit expected', share: 17 },
    ],
    rows: components.map((component, place) => {
      const { name, module } = splitComponentName(component.componentName)
      const worst = worstMetric(component)
      return [
        { text: `${place + 1}` },
        { text: name, note: module },
        worst === undefined ? { text: 'Nothing is counted' } : { text: usageAmount(worst), note: worst.metric },
        worst === undefined
          ? { text: '–' }
          : { text: usageWord(worst), mark: { kind: 'usage', usage: worst.usageColor } },
        { text: formatInstrumentDate(worst?.forecastDate ?? null) },
      ]
    }),
    empty: '',
  }
}
