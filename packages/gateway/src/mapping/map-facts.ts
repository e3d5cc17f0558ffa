import { type logLine, type SampledComponent, sampledComponent } from '@benchwatch/contract/ingest'
import { templateIdOf } from '@benchwatch/contract/messages/template-ids'
import { INSTALLED_PRODUCT_ID, TEMPLATE_ID } from '@benchwatch/contract/patterns'
import {
  type InstrumentStatus,
  instrumentStatuses,
  type LogType,
  limits,
  type Severity,
  severities,
} from '@benchwatch/contract/vocabulary'
import type { z } from 'zod'
import { clip } from '../report.ts'
import { lacksNumber, matches, textOf } from './conditions.ts'
import type { Mapping, Rule } from './rules.ts'
import { type Facts, fieldOf, fill, MappingFault, matchesAll, type Tables } from './templates.ts'

/** One thing that a message means for an instrument. Texts have the lengths of the contract. */
export type Outcome =
  | RaiseOutcome
  | { kind: 'clear'; instrument: string; time: Date; key: string }
  | LogOutcome
  | StatusOutcome
  | { kind: 'usage'; instrument: string; time: Date; component: SampledComponent }

export interface RaiseOutcome {
  kind: 'raise'
  instrument: string
  time: Date
  /** Distinguishes alarms of one source and instrument that may be open together. */
  key: string
  templateId: string
  alertType: 1 | 2
  componentName: string
  severity?: Severity
  description?: string
  userMessage?: string
  /** Milliseconds after which the alarm returns to normal on its own. */
  autoClear?: number
}

export interface StatusOutcome {
  kind: 'status'
  instrument: string
  time: Date
  /** Undefined if the message reports only the run. */
  status: InstrumentStatus | undefined
  /** Empty for none; undefined if the message does not name it. */
  run: string | undefined
}

export interface LogOutcome {
  kind: 'log'
  instrument: string
  logType: LogType
  line: LogLineInput
}

type LogLineInput = z.input<typeof logLine>

export interface Mapped {
  /** Position of the rule that matched; null if none did. */
  rule: number | null
  outcomes: Outcome[]
  /** Sentences about what the rule could not make of this message. */
  faults: string[]
}

/** Returns what the first matching rule makes of a message. Pure; never throws for a bad message. */
export function mapFacts(
  { rules, tables, dates }: Pick<Mapping, 'rules' | 'tables' | 'dates'>,
  facts: Facts,
  received: Date,
): Mapped {
  const index = rules.findIndex(({ when }) => matchesAll(facts, when))
  const rule = rules[index]
  if (!rule) return { rule: null, outcomes: [], faults: [] }
  const faults: string[] = []
  /** Runs one part of the rule, so that a fault in it does not stop the others. */
  const attempt: Attempt = (part, make) => {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof MappingFault)) throw error
      faults.push(`Rule ${index + 1}, ${part}: ${error.message}`)
      return undefined
    }
  }
  const text = (template: string, max: number) => clip(String(fill(template, facts, tables)), max)
  if (rule.ignore) return { rule: index, outcomes: [], faults }
  const instrument = attempt('instrument', () => {
    const id = text(rule.instrument ?? '{instrument}', 200)
    if (!INSTALLED_PRODUCT_ID.test(id)) throw new MappingFault(`'${id}' is not an installed product id.`)
    return id
  })
  if (instrument === undefined) return { rule: index, outcomes: [], faults }
  const time = attempt('time', () => timeOf(rule, { facts, tables, dates, received })) ?? received
  const common = { instrument, time }
  const outcomes: Outcome[] = []
  const add = (part: string, make: () => Outcome | undefined) => {
    const outcome = attempt(part, make)
    if (outcome) outcomes.push(outcome)
  }
  const { raise, clear, log, status } = rule
  const run = rule.run ?? (status !== undefined && fieldOf(facts, 'run') !== undefined ? '{run?}' : undefined)
  if (raise) add('raise', () => raised(raise, { common, facts, tables, text, attempt }))
  if (clear) add('clear', () => ({ kind: 'clear', ...common, key: keyOf(clear, { facts, text }) }))
  if (log) add('log', () => ({ kind: 'log', instrument, logType: log.type, line: lineOf(log, { time, text }) }))
  const told = {
    status: status === undefined ? undefined : attempt('status', () => oneOf(text(status, 100), instrumentStatuses)),
    run: run === undefined ? undefined : attempt('run', () => text(run, limits.run).trim()),
  }
  if (told.status !== undefined || told.run !== undefined) outcomes.push({ kind: 'status', ...common, ...told })
  for (const one of [rule.usage ?? []].flat())
    add('usage', () => ({ kind: 'usage', ...common, component: usageOf(one, { facts, tables, text }) }))
  return { rule: index, outcomes, faults }
}

/** A message by the field that names it, such as `topic`, and the text of that field. */
export interface MessageName {
  field: string
  name: string
}

/** Fields that name a message, the most specific first. A message has the fields of its protocol. */
const NAMING = [
  'conditionName',
  'metric',
  'trap',
  'labels.alertname',
  'event.code',
  'name',
  'typeName',
  'type',
  'subject',
  'topic',
  'file',
  'path',
  'kind',
]

/** Returns the field that names a message best, and its text; null if it has none. */
export function messageName(facts: Facts): MessageName | null {
  for (const field of NAMING) {
    const name = textOf(fieldOf(facts, field))?.trim()
    if (name) return { field, name: clip(name, 200) }
  }
  return null
}

type Text = (template: string, max: number) => string
type Attempt = <T>(part: string, make: () => T) => T | undefined

interface RaiseInput {
  common: { instrument: string; time: Date }
  facts: Facts
  tables: Tables
  text: Text
  attempt: Attempt
}

function raised(
  raise: NonNullable<Rule['raise']>,
  { common, facts, tables, text, attempt }: RaiseInput,
): Outcome | undefined {
  const key = keyOf(raise, { facts, text })
  const active = fieldOf(facts, 'active')
  const isOver = raise.while ? !isMet(raise.while, facts) : active === false
  if (isOver) return { kind: 'clear', ...common, key }
  // Something happened once; a state holds, and may have changed meanwhile.
  if (facts['isHeard'] === true && !raise.while && active === undefined) return undefined
  const templateId = templateIdOf(String(fill(raise.template, facts, tables)))
  if (!TEMPLATE_ID.test(templateId)) throw new MappingFault(`'${templateId}' is not a template id.`)
  // Without these it is still an alarm, whose severity and description come from its event template.
  const optional = (part: 'severity' | 'description' | 'userMessage') =>
    raise[part] === undefined ? undefined : attempt(part, () => text(raise[part] ?? '', 10_000))
  const given = optional('severity')
  const severity = given && attempt('severity', () => oneOf(given, severities))
  const description = optional('description')
  const userMessage = optional('userMessage')
  return {
    kind: 'raise',
    ...common,
    key,
    templateId,
    alertType: raise.type === 'alarm' ? 1 : 2,
    componentName: text(raise.component, 200).trim() || 'Instrument',
    ...(severity && { severity }),
    ...(description && { description }),
    ...(userMessage && { userMessage }),
    ...(raise.autoClear !== undefined && { autoClear: raise.autoClear }),
  }
}

/** Throws MappingFault if it depends on a number that the message does not have: a broken sensor ends no alarm. */
function isMet(wanted: NonNullable<NonNullable<Rule['raise']>['while']>, facts: Facts): boolean {
  const unmet = Object.entries(wanted).filter(([name, one]) => !matches(fieldOf(facts, name), one))
  const [first] = unmet
  if (!first || !unmet.every(([name, one]) => lacksNumber(fieldOf(facts, name), one))) return !first
  const value = textOf(fieldOf(facts, first[0]))
  const reason = value === null ? 'is missing' : `is '${clip(value, 100)}', which is not a number`
  throw new MappingFault(`'${first[0]}' ${reason}, so the alarm stays as it is.`)
}

function keyOf(
  part: { key?: string | undefined; template?: string; component?: string },
  { facts, text }: { facts: Facts; text: Text },
): string {
  if (part.key !== undefined) return text(part.key, 1000)
  const given = textOf(fieldOf(facts, 'key'))
  if (given !== null) return given.slice(0, 1000)
  if (part.template === undefined || part.component === undefined)
    throw new MappingFault("The message has no 'key'. Say which alarm is over: by key, or by template and component.")
  return `${templateIdOf(text(part.template, 200))} ${text(part.component, 200)}`
}

function lineOf(log: NonNullable<Rule['log']>, { time, text }: { time: Date; text: Text }): LogLineInput {
  const optional = (name: 'module' | 'level' | 'eventCode' | 'userName' | 'hostname', max: number) => {
    const value = log[name] === undefined ? '' : text(log[name], max)
    return value === '' ? {} : { [name]: value }
  }
  return {
    timestamp: time.toISOString(),
    message: text(log.message, 64_000),
    ...optional('module', 200),
    ...optional('level', 40),
    ...optional('eventCode', 100),
    ...optional('userName', 200),
    ...optional('hostname', 200),
  }
}

function usageOf(
  usage: Exclude<NonNullable<Rule['usage']>, readonly unknown[]>,
  { facts, tables, text }: { facts: Facts; tables: Tables; text: Text },
): SampledComponent {
  const number = (template: string) => {
    const filled = fill(template, facts, tables)
    const value = typeof filled === 'string' && filled.trim() === '' ? Number.NaN : Number(filled)
    if (!Number.isFinite(value)) throw new MappingFault(`'${clip(String(filled), 100)}' is not a number.`)
    return value
  }
  const parsed = sampledComponent.safeParse({
    componentName: text(usage.component, 200),
    usage: [
      {
        metric: text(usage.metric, 200),
        unit: usage.unit === undefined ? null : text(usage.unit, 40),
        value: number(usage.value) * (usage.scale ?? 1),
        thresholdRule: usage.rule,
        thresholdValues: usage.thresholds.map(number),
      },
    ],
    info: [],
    details: [],
  })
  if (!parsed.success) throw new MappingFault(parsed.error.issues[0]?.message ?? 'This is not a usage.')
  return parsed.data
}

interface TimeInput extends Pick<Mapping, 'dates'> {
  facts: Facts
  tables: Tables
  received: Date
}

function timeOf(rule: Rule, { facts, tables, dates, received }: TimeInput): Date {
  const given = rule.time === undefined ? fieldOf(facts, 'time') : fill(rule.time, facts, tables)
  if (given === undefined || given === null || given === '') return received
  const time = given instanceof Date ? given : readTime(given, { dates, received })
  const year = time.getUTCFullYear()
  if (Number.isNaN(year) || year < 1970 || year > 9999) {
    const text = String(textOf(given))
    const advice = dates === undefined && /^\d\d?[-./]\d/.test(text) ? ' Set dates to day-first or month-first.' : ''
    throw new MappingFault(`'${clip(text, 100)}' is not a time. The time of receipt was taken.${advice}`)
  }
  return time
}

const DAY_MS = 86_400_000
const SINCE_1970 = /^\d{10}(\d{3})?(\.\d+)?$/
const DATE =
  /^(\d{4}|\d\d?)([-./])(\d\d?)\2(\d{4}|\d\d?)(?:[T ,]+(\d{1,2})(:\d\d(?::\d\d(?:[.,]\d+)?)?) ?([AP]M)? ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

/**
 * Reads only what is certain: `new Date` takes 5/11 for a day in May, and `Nov 5` for one of 2001. A day before its month,
 * or a month before its day, takes a source that says so.
 */
function readTime(given: unknown, { dates, received }: Pick<TimeInput, 'dates' | 'received'>): Date {
  const number = typeof given === 'number' ? given : SINCE_1970.test(String(given)) ? Number(given) : null
  // Numbers below this are seconds, as Unix programs write them.
  if (number !== null) return new Date(number < 1e11 ? number * 1000 : number)
  const parts = DATE.exec(String(given).trim())
  const day = parts && dayOf(parts, dates)
  if (!day) return new Date(Number.NaN)
  const [hour = '0', rest = ':00', half, zone = ''] = parts.slice(5)
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : hour
  const offset = zone.replace(/^([+-]\d\d):?(\d\d)?$/, (_, ahead, minutes = '00') => `${ahead}:${minutes}`)
  const time = new Date(`${day}T${String(hours).padStart(2, '0')}${rest.replace(',', '.')}${offset}`)
  return offset ? time : nearest(received, time)
}

/**
 * Returns the instant nearer to the receipt where clocks go back and an hour comes twice. A run that ends in that hour
 * would otherwise end before it began.
 */
function nearest(received: Date, first: Date): Date {
  const later = new Date(first.getTime() + DAY_MS)
  const second = new Date(first.getTime() + (later.getTimezoneOffset() - first.getTimezoneOffset()) * 60_000)
  const isSame = second.getHours() === first.getHours() && second.getMinutes() === first.getMinutes()
  const away = (one: Date) => Math.abs(received.getTime() - one.getTime())
  return isSame && away(second) < away(first) ? second : first
}

/** Returns the day as YYYY-MM-DD; null if its order is not certain, or if no month has it. */
function dayOf([, first = '', , second = '', third = '']: RegExpExecArray, dates: Mapping['dates']): string | null {
  const isYearFirst = first.length === 4
  if (!isYearFirst && dates === undefined) return null
  const [month, day] = isYearFirst ? [second, third] : dates === 'day-first' ? [second, first] : [first, second]
  const year = isYearFirst ? first : third.length === 2 ? `20${third}` : third
  const written = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
  return year.length === 4 && new Date(written).getUTCDate() === Number(day) ? written : null
}

function oneOf<const T extends string>(value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one.toLowerCase() === value.trim().toLowerCase())
  if (found === undefined) throw new MappingFault(`'${clip(value, 100)}' is none of ${allowed.join(', ')}.`)
  return found
}
