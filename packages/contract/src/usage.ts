import { z } from 'zod'
import { paths } from './paths.ts'
import { calendarDate, instrumentId, text } from './primitives.ts'
import { route } from './route.ts'
import { instrumentTypes, runtimeRanges, thresholdRules, usageColors } from './vocabulary.ts'

/** What the parts of an instrument have been used for, and how long it ran: document 2 section 4, wire 4, 3-decisions 9. */

const params = z.object({ id: instrumentId })

/** What a component tells of itself. */
const componentReading = z.object({
  metric: z.string(),
  unit: z.string().nullable(),
  /** A text where nothing is counted, such as a serial number. */
  value: z.union([z.number(), z.string()]).nullable(),
})
export type ComponentReading = z.output<typeof componentReading>

/** One counted use, judged by its rule. */
export const componentMetric = z.object({
  metric: z.string(),
  unit: z.string().nullable(),
  value: z.number().nullable(),
  thresholdRule: z.enum(thresholdRules),
  /** MAXIMUM_USAGE [max], HIGH_SAFE_USAGE [safe, max], COUNT_DOWN [soon, now]; empty when none is known. */
  thresholdValues: z.array(z.number()),
  /**
   * Of the maximum, with one decimal; above 100 where it is exceeded, so a bar is capped by whoever draws it. Null for
   * COUNT_DOWN, which has no maximum, and where value or thresholds are not known.
   */
  usagePercentage: z.number().nullable(),
  usageColor: z.enum(usageColors),
  /**
   * UTC day on which the maximum (of COUNT_DOWN: the second value) is reached, at the pace of the last 90 days. Null where it
   * is reached already, comes no nearer, lies more than 5 years ahead, or too few days were measured.
   */
  forecastDate: calendarDate.nullable(),
})
export type ComponentMetric = z.output<typeof componentMetric>

export const componentUsage = z.object({
  /** With its module in parentheses at the end. */
  componentName: z.string(),
  usage: z.array(componentMetric),
  info: z.array(componentReading),
  details: z.array(componentReading),
})
export type ComponentUsage = z.output<typeof componentUsage>

const usageFlags = { kind: 'signed-in', flags: ['ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS'] } as const

export const listComponentUsage = route({
  ...paths.listComponentUsage,
  summary: 'What the components of an instrument have been used for, judged by their thresholds',
  params,
  /** An instrument of another type than asked for is not found. */
  query: z.strictObject({ instrumentType: z.enum(instrumentTypes).optional() }),
  /** By name. */
  answer: z.array(componentUsage),
  errors: ['session-expired', 'feature-off', 'not-found'],
  access: usageFlags,
})

export const usageHistory = z.object({
  componentName: z.string(),
  metric: componentMetric,
  /** The last value of each UTC day that was measured, oldest first; of the last year. */
  values: z.array(z.object({ time: calendarDate, value: z.number() })),
  /** Days of `values` on which counting began anew: a part was changed. */
  resets: z.array(calendarDate),
  /**
   * What the forecast was made of: the median pace in units a day between any two of these values (Theil–Sen), from `from` on.
   * Null where too few days were measured.
   */
  trend: z.object({ from: calendarDate, days: z.number().int(), perDay: z.number() }).nullable(),
})
export type UsageHistory = z.output<typeof usageHistory>

export const getUsageHistory = route({
  ...paths.getUsageHistory,
  summary: 'One metric of one component day by day, with what its forecast was made of',
  params,
  query: z.strictObject({ componentName: text(200).min(1), metric: text(200).min(1) }),
  answer: usageHistory,
  errors: ['session-expired', 'feature-off', 'not-found'],
  access: usageFlags,
})

/** Run time of one day in the zone of the site, in seconds. */
export const dailyRuntime = z.object({ time: calendarDate, value: z.number().int().min(0).max(86_400) })
export type DailyRuntime = z.output<typeof dailyRuntime>

export const listDailyRuntimes = route({
  ...paths.listDailyRuntimes,
  summary: 'How long an instrument ran on each of the last days, today included; a day without data is absent',
  params,
  query: z.strictObject({
    numberOfDays: z
      .enum(runtimeRanges.map(String) as ['7', '30', '365'], { error: 'must be 7, 30 or 365' })
      .default('7')
      .transform(Number),
  }),
  /** Oldest first. */
  answer: z.array(dailyRuntime),
  errors: ['session-expired', 'feature-off', 'not-found'],
  access: { kind: 'signed-in', flags: ['FETCH_INSTRUMENT_DAILY_RUNTIMES'] },
})
