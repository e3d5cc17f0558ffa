import type { ComponentMetric } from '@benchwatch/contract/instruments/usage'
import type { ThresholdRule, UsageColor } from '@benchwatch/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import {
  byUrgency,
  componentsByUrgency,
  judgementLabel,
  limitOf,
  readingText,
  splitComponentName,
  usageAmount,
  usageBar,
  usageTooltip,
  usageVerdict,
  worstMetric,
} from './usage-judgement.ts'

type Case = [
  rule: ThresholdRule,
  thresholds: number[],
  value: number | null,
  percentage: number | null,
  color: UsageColor,
]

/** Returns a counter as judged by the server. */
function judged(
  [thresholdRule, thresholdValues, value, usagePercentage, usageColor]: Case,
  more: Partial<ComponentMetric> = {},
): ComponentMetric {
  return {
    metric: 'Seal',
    unit: 'strokes',
    value,
    thresholdRule,
    thresholdValues,
    usagePercentage,
    usageColor,
    forecastDate: null,
    ...more,
  }
}

describe('the tooltip of a use', () => {
  it.each<[string, ...Case]>([
    ['79.9% MAX = 1,000', 'MAXIMUM_USAGE', [1000], 799, 79.9, 'normal'],
    ['80.0% MAX = 1,000', 'MAXIMUM_USAGE', [1000], 800, 80, 'high'],
    ['100.0% MAX = 1,000', 'MAXIMUM_USAGE', [1000], 1000, 100, 'maximum'],
    ['124.6% MAX = 1,000', 'MAXIMUM_USAGE', [1000], 1246, 124.6, 'maximum'],
    ['62.5% MAX = 4,000', 'HIGH_SAFE_USAGE', [2500, 4000], 2499, 62.5, 'normal'],
    ['62.5% SAFETY THRESHOLD = 2,500', 'HIGH_SAFE_USAGE', [2500, 4000], 2500, 62.5, 'safety'],
    ['90.0% MAX = 4,000', 'HIGH_SAFE_USAGE', [2500, 4000], 3600, 90, 'high'],
    ['100.0% MAX = 4,000', 'HIGH_SAFE_USAGE', [2500, 4000], 4000, 100, 'maximum'],
    ['123.0% MAX = 2,000,000', 'MAXIMUM_USAGE', [2_000_000], 2_460_000, 123, 'maximum'],
    ['Change at 7', 'COUNT_DOWN', [30, 7], 31, null, 'normal'],
    ['Change at 1,200', 'COUNT_DOWN', [2400, 1200], 2500, null, 'normal'],
    ['Change soon', 'COUNT_DOWN', [30, 7], 30, null, 'high'],
    ['Change soon', 'COUNT_DOWN', [30, 7], 8, null, 'high'],
    ['Change now!', 'COUNT_DOWN', [30, 7], 7, null, 'maximum'],
    ['Unknown', 'UNKNOWN_THRESHOLD', [], 5, null, 'unknown'],
    ['Unknown', 'MAXIMUM_USAGE', [1000], null, null, 'unknown'],
    ['No threshold data', 'MAXIMUM_USAGE', [], 5, null, 'unknown'],
    ['No threshold data', 'HIGH_SAFE_USAGE', [100], 5, null, 'unknown'],
    ['No threshold data', 'COUNT_DOWN', [30], 5, null, 'unknown'],
  ])('reads %s', (text, ...of) => {
    expect(usageTooltip(judged(of))).toBe(text)
  })
})

describe('the word of a use', () => {
  it('is the one of the colour key, and for a count-down what is left to do', () => {
    expect(judgementLabel(judged(['MAXIMUM_USAGE', [9], 9, 100, 'maximum']))).toBe('Maximum')
    expect(judgementLabel(judged(['HIGH_SAFE_USAGE', [5, 9], 5, 55.6, 'safety']))).toBe('Safety threshold')
    expect(judgementLabel(judged(['COUNT_DOWN', [30, 7], 31, null, 'normal']))).toBe('Normal')
    expect(judgementLabel(judged(['COUNT_DOWN', [30, 7], 20, null, 'high']))).toBe('Change soon')
    expect(judgementLabel(judged(['COUNT_DOWN', [30, 7], 7, null, 'maximum']))).toBe('Change now!')
    expect(judgementLabel(judged(['COUNT_DOWN', [], 7, null, 'unknown']))).toBe('Unknown')
  })
})

it('a tooltip that says no more than the word is not repeated beside it', () => {
  expect(usageVerdict(judged(['COUNT_DOWN', [30, 7], 20, null, 'high']))).toBeNull()
  expect(usageVerdict(judged(['UNKNOWN_THRESHOLD', [], 20, null, 'unknown']))).toBeNull()
  expect(usageVerdict(judged(['MAXIMUM_USAGE', [9], 9, 100, 'maximum']))).toBe('100.0% MAX = 9')
})

describe('the bar of a use', () => {
  it('is capped at 100%, with marks where the judgement changes', () => {
    expect(usageBar(judged(['MAXIMUM_USAGE', [1000], 1246, 124.6, 'maximum']))).toEqual({
      kind: 'share',
      width: 100,
      marks: [80],
    })
    expect(usageBar(judged(['HIGH_SAFE_USAGE', [2500, 4000], 400, 10, 'normal']))).toEqual({
      kind: 'share',
      width: 10,
      marks: [62.5, 90],
    })
  })

  it('is never less than nothing, and has no mark at its ends', () => {
    expect(usageBar(judged(['HIGH_SAFE_USAGE', [0, 4000], -40, -1, 'normal']))).toEqual({
      kind: 'share',
      width: 0,
      marks: [90],
    })
  })

  it('is one of three steps for a count-down, and nothing where nothing is known', () => {
    const steps = (['normal', 'high', 'maximum'] as const).map((color) =>
      usageBar(judged(['COUNT_DOWN', [30, 7], 1, null, color])),
    )
    expect(steps).toEqual([1, 2, 3].map((step) => ({ kind: 'steps', step })))
    expect(usageBar(judged(['UNKNOWN_THRESHOLD', [], 5, null, 'unknown']))).toEqual({ kind: 'none' })
  })
})

describe('the amount of a use', () => {
  it('stands beside its maximum, of a count-down and without a maximum alone', () => {
    expect(usageAmount(judged(['MAXIMUM_USAGE', [2_000_000], 1_684_000, 84.2, 'high']))).toBe(
      '1,684,000 of 2,000,000 strokes',
    )
    expect(usageAmount(judged(['COUNT_DOWN', [30, 7], 20, null, 'high'], { unit: 'days' }))).toBe('20 days')
    expect(usageAmount(judged(['COUNT_DOWN', [30, 7], 1, null, 'maximum'], { unit: 'days' }))).toBe('1 day')
    expect(usageAmount(judged(['MAXIMUM_USAGE', [1000], 1, 0.1, 'normal']))).toBe('1 of 1,000 strokes')
    expect(usageAmount(judged(['UNKNOWN_THRESHOLD', [], 1234.56, null, 'unknown'], { unit: null }))).toBe('1,234.6')
    expect(usageAmount(judged(['MAXIMUM_USAGE', [9], null, null, 'unknown']))).toBe('–')
  })

  it('is not limited by a maximum of nothing', () => {
    expect(limitOf(judged(['MAXIMUM_USAGE', [0], 5, null, 'unknown']))).toBeNull()
  })
})

describe('what needs somebody first', () => {
  const unknown = judged(['UNKNOWN_THRESHOLD', [], 5, null, 'unknown'], { metric: 'Volume' })
  const normal = judged(['MAXIMUM_USAGE', [100], 10, 10, 'normal'], { metric: 'Seal' })
  const further = judged(['MAXIMUM_USAGE', [100], 50, 50, 'normal'], { metric: 'Belt' })
  const due = judged(['COUNT_DOWN', [30, 7], 3, null, 'maximum'], { metric: 'Battery' })
  const component = (componentName: string, ...usage: ComponentMetric[]) => ({
    componentName,
    usage,
    info: [],
    details: [],
  })

  it('is the worst counter of a component, then the one that is furthest', () => {
    expect(byUrgency([unknown, normal, further, due])).toEqual([due, further, normal, unknown])
    expect(worstMetric(component('A', unknown, normal))).toBe(normal)
    expect(worstMetric(component('A'))).toBeUndefined()
  })

  it('is the component with the worst counter; equal ones stay by name', () => {
    const [a, b, c, d] = [component('A'), component('B', unknown), component('C', normal), component('D', unknown, due)]
    const e = component('E', further)
    expect(
      componentsByUrgency([a, b, c, d, e])
        .map(({ componentName }) => componentName)
        .join(''),
    ).toBe('DCEBA')
  })
})

it.each([
  ['Pump A (P9-A)', 'Pump A', 'P9-A'],
  ['Valve (old) (V9)', 'Valve (old)', 'V9'],
  ['Column', 'Column', null],
  ['(P9)', '(P9)', null],
  ['Pump (A) left', 'Pump (A) left', null],
  ['Pump A (P9-A', 'Pump A (P9-A', null],
])('%s has its module in parentheses at its end', (componentName, name, module) => {
  expect(splitComponentName(componentName)).toEqual({ name, module })
})

it.each([
  [0.5, 'MPa', '0.5 MPa'],
  [1_684_000, null, '1,684,000'],
  ['P9-004711', null, 'P9-004711'],
  ['10 to 20', 'bar', '10 to 20 bar'],
  ['2026-02-19', null, '19-Feb-2026'],
  ['', 'bar', null],
  [null, 'bar', null],
])('a component shows its %j in %j as %j', (value, unit, text) => {
  expect(readingText({ metric: 'Pressure', unit, value })).toBe(text)
})
