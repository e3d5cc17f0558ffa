import { z } from 'zod'
import { paths } from '../paths.ts'
import { calendarDate, instrumentId, instrumentTypeKey, text } from '../primitives.ts'
import { route } from '../route.ts'
import { runtimeRanges, thresholdRules, usageColors } from '../vocabulary.ts'

/** Component usage and run time of an instrument: document 2 section 4, wire 4, 3-decisions 9. */

const params = z.object({ id: instrumentId })

/** A value that a component reports. */
const componentReading = z.object({
  metric: z.string(),
  unit: z.string().nullable(),
  /** A text for values that are not counted, such as a serial number. */
  value: z.union([z.number(), z.string()]).nullable(),
})
export type ComponentReading = z.output<typeof componentReading>

/** A usage counter with its threshold rating. */
export const componentMetric = z.object({
  metric: z.string(),
  unit: z.string().nullable(),
  value: z.number().nullable(),
  thresholdRule: z.enum(thresholdRules),
  /** MAXIMUM_USAGE [max], HIGH_SAFE_USAGE [safe, max], COUNT_DOWN [soon, now]; empty if unknown. */
  thresholdValues: z.array(z.number()),
  /**
   * Percentage of the maximum, with one decimal. May exceed 100; clients cap the bar themselves. Null for COUNT_DOWN,
   * which has no maximum, and if value or thresholds are unknown.
   */
  usagePercentage: z.number().nullable(),
  usageColor: z.enum(usageColors),
  /**
   * UTC day on which the maximum (COUNT_DOWN: the second value) is reached at the pace of the last 90 days. Null if it
   * is already reached, comes no nearer, lies more than 5 years ahead, or if too few days were measured.
   */
  forecastDate: calendarDate.nullable(),
})
export type ComponentMetric = z.output<typeof componentMetric>

export const componentUsage = z.object({
  /** Ends with the module in parentheses. */
  componentName: z.string(),
  usage: z.array(componentMetric),
  info: z.array(componentReading),
  details: z.array(componentReading),
})
export type ComponentUsage = z.output<typeof componentUsage>

/** Access to component usage: both flags must be on. */
export const usageFlags = { kind: 'signed-in', flags: ['ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS'] } as const

export const listComponentUsage = route({
  ...paths.listComponentUsage,
  summary: 'Usage of an instrument’s components, rated by their thresholds',
  params,
  /** If the instrument has another type, it is not found. */
  query: z.strictObject({ instrumentType: instrumentTypeKey.optional() }),
  /** Ordered by name. */
  answer: z.array(componentUsage),
  errors: ['session-expired', 'feature-off', 'not-found'],
  access: usageFlags,
})

export const usageHistory = z.object({
  componentName: z.string(),
  metric: componentMetric,
  /** The last value of each measured UTC day of the last year, oldest first. */
  values: z.array(z.object({ time: calendarDate, value: z.number() })),
  /** Days of `values` on which the counter restarted because a part was replaced. */
  resets: z.array(calendarDate),
  /**
   * Basis of the forecast: the median pace in units per day between any two of these values (Theil–Sen), starting at
   * `from`. Null if too few days were measured.
   */
  trend: z.object({ from: calendarDate, days: z.number().int(), perDay: z.number() }).nullable(),
})
export type UsageHistory = z.output<typeof usageHistory>

export const getUsageHistory = route({
  ...paths.getUsageHistory,
  summary: 'Daily values of one metric of one component, with the basis of its forecast',
  params,
  query: z.strictObject({ componentName: text(200).min(1), metric: text(200).min(1) }),
  answer: usageHistory,
  errors: ['session-expired', 'feature-off', 'not-found'],
  access: usageFlags,
})

/** Run time of one day in the time zone of the site, in seconds. */
export const dailyRuntime = z.object({ time: calendarDate, value: z.number().int().min(0).max(86_400) })
export type DailyRuntime = z.output<typeof dailyRuntime>

export const listDailyRuntimes = route({
  ...paths.listDailyRuntimes,
  summary: 'Run time of an instrument for each of the last days including today; days without data are missing',
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
