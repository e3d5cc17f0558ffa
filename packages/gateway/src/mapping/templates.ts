import { createHash } from 'node:crypto'
import { type Condition, matches, textOf } from './conditions.ts'

/**
 * Texts of a mapping with fields in braces: `{json.code}`, `{/json/a.b}` (a JSON pointer), `{unit?}` (may be absent),
 * `{severity|words}` (translated by the table `words`), `{name|hash}` (nine digits that stay the same for the name).
 */

/**
 * Fields of one message, as its source knows it; values may be nested. These have a meaning of their own: `instrument`,
 * `time`, `key` (of its alarm), `active` (false: the alarm is over), `id` (the same when the message is delivered
 * again), `repeated` (true: it may be one; false: it is certainly none), `isHeard` (true: it was certainly taken
 * before).
 */
export type Facts = Readonly<Record<string, unknown>>

/** Translates a value: the first key that matches wins. */
export type Tables = Readonly<Record<string, Readonly<Record<string, string | number>>>>

/** A text that can't be filled; the message is a sentence. */
export class MappingFault extends Error {}

const FIELD = /\{([^{}]*)\}/g

/** Returns the field of facts: a key, a path with dots, or a JSON pointer. Undefined if it is absent. */
export function fieldOf(facts: Facts, name: string): unknown {
  if (name.startsWith('/')) {
    const steps = name.slice(1).split('/')
    return follow(
      facts,
      steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
    )
  }
  // Fields of logs are called `log.level`: as one key, or as an object in an object.
  return Object.hasOwn(facts, name) ? facts[name] : dotted(facts, name.split('.'))
}

function follow(from: unknown, steps: readonly string[]): unknown {
  let at = from
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Record<string, unknown>)[step]
  }
  return at
}

/** Follows a path with dots whose keys may contain dots themselves. */
function dotted(from: unknown, steps: readonly string[]): unknown {
  if (steps.length === 0) return from
  if (typeof from !== 'object' || from === null) return undefined
  for (let length = 1; length <= steps.length; length++) {
    const key = steps.slice(0, length).join('.')
    if (!Object.hasOwn(from, key)) continue
    const found = dotted((from as Record<string, unknown>)[key], steps.slice(length))
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the text with its fields filled. A text that is one field keeps the type of a number. Throws MappingFault. */
export function fill(template: string, facts: Facts, tables: Tables): string | number {
  const only = /^\{([^{}]*)\}$/.exec(template)
  if (only) {
    const value = valueOf(only[1] ?? '', facts, tables)
    return typeof value === 'number' ? value : textIn(value, only[1] ?? '')
  }
  return template.replaceAll(FIELD, (_, field: string) => textIn(valueOf(field, facts, tables), field))
}

function textIn(value: unknown, field: string): string {
  const text = textOf(value)
  if (text === null) throw new MappingFault(`'${field}' is not a text or a number.`)
  return text
}

function valueOf(field: string, facts: Facts, tables: Tables): unknown {
  const [given = '', ...steps] = field.split('|').map((part) => part.trim())
  const isOptional = given.endsWith('?')
  const name = isOptional ? given.slice(0, -1) : given
  let value = fieldOf(facts, name)
  if (value === undefined || value === null) {
    if (!isOptional && steps.length === 0) throw new MappingFault(`The message has no '${name}'${beside(facts, name)}.`)
    value = isOptional ? '' : value
  }
  for (const step of steps) value = step === 'hash' ? hashOf(textIn(value, name)) : translate(value, step, tables)
  return value
}

/** Says what the message has in the place of an absent field: the columns of a row, the names of a JSON object. */
function beside(facts: Facts, name: string): string {
  const around = fieldOf(facts, name.slice(0, Math.max(0, name.lastIndexOf('.'))))
  if (typeof around !== 'object' || around === null || Array.isArray(around)) return ''
  const names = Object.keys(around).join(', ')
  return names === '' ? '' : `, only ${names.length > 200 ? `${names.slice(0, 200)}…` : names}`
}

function translate(value: unknown, name: string, tables: Tables): string | number {
  for (const [key, result] of Object.entries(tables[name] ?? {})) if (matches(value, key)) return result
  throw new MappingFault(`The table '${name}' has no entry for '${textOf(value) ?? 'an absent value'}'.`)
}

/** Returns nine digits that are the same for the same text on every gateway. */
function hashOf(text: string): string {
  return String(createHash('sha256').update(text).digest().readUInt32BE(0) % 1_000_000_000).padStart(9, '0')
}

/** Returns one sentence for each field that can't be right, whatever the message: unknown tables, stray braces. */
export function templateFaults(template: string, tables: Readonly<Record<string, unknown>>): string[] {
  if (/[{}]/.test(template.replaceAll(FIELD, ''))) return [`'${template}' has a brace without its partner.`]
  return [...template.matchAll(FIELD)].flatMap(([, field = '']) => {
    const [name, ...steps] = field.split('|').map((part) => part.trim())
    if (!name) return [`'${template}' has braces without a field.`]
    return steps
      .filter((step) => step !== 'hash' && !Object.hasOwn(tables, step))
      .map((step) => `There is no table '${step}'. Define it under tables.`)
  })
}

/** Returns the fields that a part of a rule names, in its templates and conditions. */
export function fieldsOf(part: unknown): string[] {
  if (typeof part === 'string')
    return [...part.matchAll(FIELD)].map(([, field = '']) => (field.split('|')[0] ?? '').trim().replace(/\?$/, ''))
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, inner]) =>
    key === 'when' || key === 'while' ? Object.keys(inner as object) : fieldsOf(inner),
  )
}

/** A condition of facts: all fields must match. */
export function matchesAll(facts: Facts, when: Readonly<Record<string, Condition>>): boolean {
  return Object.entries(when).every(([name, wanted]) => matches(fieldOf(facts, name), wanted))
}
