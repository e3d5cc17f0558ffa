import { SOURCE_NAME } from '@benchwatch/contract/patterns'
import { instrumentStatuses, logTypes, severities, thresholdRules } from '@benchwatch/contract/vocabulary'
import { z } from 'zod'
import { condition, wantedText } from './conditions.ts'
import { templateFaults } from './templates.ts'

/** The part of the file of sources that all kinds share: names, limits, and the rules of the mapping. */

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const SUCH_AS = 'must be a duration such as 30s, 5m, 1h or 2d'

/** A duration such as `30s`, `5m` or `1h`, in milliseconds. */
export const duration = z
  .string(SUCH_AS)
  .regex(/^\d{1,6}(ms|s|m|h|d)$/, SUCH_AS)
  .transform((text) => Number.parseInt(text, 10) * (UNITS[text.replace(/^\d+/, '')] ?? 0))
  // Timers end at once above 2^31 ms.
  .refine((ms) => ms <= 20 * 86_400_000, 'must be 20d or shorter')

/** A text with fields in braces. A number stands for itself. */
const template = z.union([z.string().max(2000), z.number()]).transform(String)
/** A template that without fields must be one of these. */
const oneOf = (words: readonly string[]) =>
  template.refine(
    (text) => text.includes('{') || words.some((word) => word.toLowerCase() === text.trim().toLowerCase()),
    {
      error: `must be one of ${words.join(', ')}, or have a field in braces`,
    },
  )
const when = z.record(z.string().min(1), condition)

const raise = z.strictObject({
  /** `<module>-<code>`; namedTemplateId makes codes of other names. */
  template,
  component: template,
  /** Absent: from the event template in the registry. */
  severity: oneOf(severities).optional(),
  description: template.optional(),
  userMessage: template.optional(),
  type: z.enum(['alarm', 'alert']).default('alarm'),
  /** Distinguishes alarms that may be open together. Without it: the field `key`, or else template and component. */
  key: template.optional(),
  /** While this holds the alarm is raised, otherwise cleared. Without it, the field `active` decides where it exists. */
  while: when.optional(),
  /** For messages that have no end: the alarm returns to normal on its own. */
  autoClear: duration.optional(),
})

const clear = z.union([
  z.strictObject({ key: template }),
  z.strictObject({ template, component: template }),
  z.strictObject({}),
])

const log = z.strictObject({
  type: z.enum(logTypes),
  message: template,
  module: template.optional(),
  level: template.optional(),
  eventCode: template.optional(),
  userName: template.optional(),
  hostname: template.optional(),
})

const usage = z.strictObject({
  component: template,
  metric: template,
  unit: template.optional(),
  value: template,
  /** Multiplies the value. */
  scale: z.number().optional(),
  rule: z.enum(thresholdRules).default('UNKNOWN_THRESHOLD'),
  thresholds: z.array(template).max(10).default([]),
})

export const rule = z
  .strictObject({
    when: when.default({}),
    /** Installed product id; without it, the field `instrument`. */
    instrument: template.optional(),
    /** Time of the instrument; without it, the field `time`, or else the time of receipt. */
    time: template.optional(),
    raise: raise.optional(),
    clear: clear.optional(),
    log: log.optional(),
    status: oneOf(instrumentStatuses).optional(),
    /** Id of the run in progress; an empty text ends it. Without it, the field `run`, or else the run that is known. */
    run: template.optional(),
    usage: z.union([usage, z.array(usage).min(1).max(100)]).optional(),
    /** The message is known and of no interest. */
    ignore: z.literal(true).optional(),
  })
  .refine((rule) => rule.raise ?? rule.clear ?? rule.log ?? rule.status ?? rule.run ?? rule.usage ?? rule.ignore, {
    error: 'says nothing to do. Add raise, clear, log, status, run, usage, or ignore: true',
  })
export type Rule = z.output<typeof rule>

const tables = z.record(z.string().regex(/^\w+$/), z.record(wantedText, z.union([z.string(), z.number()])))

/** The fields of every source that maps messages. */
export const mappedSource = {
  name: z.string().regex(SOURCE_NAME, 'must be 1 to 40 letters, digits, dots, hyphens or underscores'),
  /** The gateway that reports; needed only where a process runs several. */
  gateway: z.string().optional(),
  /** A link that is down for longer shows its instruments as disconnected. */
  lostAfter: duration.default(60_000),
  /** Instruments behind this source, in addition to those that it has reported. */
  instruments: z.array(z.string()).max(1000).optional(),
  /** More alarms than this in a minute are merged into one per instrument and template, with their number. */
  alarmsPerMinute: z.number().int().min(1).max(10_000).default(60),
  /** How the source writes dates that do not begin with the year, such as 05.11.2026 or 11/5/26. */
  dates: z.enum(['day-first', 'month-first']).optional(),
  tables: tables.default({}),
  rules: z.array(rule).max(1000).default([]),
}

const mapped = z.strictObject(mappedSource)
export type Mapping = z.output<typeof mapped>

/** Reports templates that can't be filled, with the path of each. For `superRefine` of a source's schema. */
export function checkTemplates(
  { rules, tables }: Partial<Pick<Mapping, 'rules' | 'tables'>>,
  context: z.RefinementCtx,
): void {
  // Checks also run where a part of the shape is wrong.
  const known = typeof tables === 'object' && tables !== null ? tables : {}
  const visit = (value: unknown, path: (string | number)[]): void => {
    if (typeof value === 'string')
      for (const message of templateFaults(value, known)) context.addIssue({ code: 'custom', message, path })
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value))
        if (key !== 'when' && key !== 'while') visit(inner, [...path, Array.isArray(value) ? Number(key) : key])
  }
  visit(rules, ['rules'])
}

/**
 * Reports alarms that nothing ends, which would be raised once and never again. For `superRefine` of a source whose
 * messages have no field `active`.
 */
export function checkEnds({ rules }: Partial<Pick<Mapping, 'rules'>>, context: z.RefinementCtx): void {
  const known = Array.isArray(rules) ? rules : []
  if (known.some((rule) => rule?.clear)) return
  known.forEach((rule, index) => {
    if (!rule?.raise || rule.raise.while || rule.raise.autoClear !== undefined) return
    const message = 'is an alarm that nothing ends. Add while, autoClear: 0s, or a rule with clear'
    context.addIssue({ code: 'custom', message, path: ['rules', index, 'raise'] })
  })
}
