import { readFile } from 'node:fs/promises'
import { errorCode } from '@benchwatch/contract/environment'
import { type Document, isMap, LineCounter, parseDocument, visit, YAMLParseError } from 'yaml'
import { z } from 'zod'
import { ConfigurationError } from './config.ts'
import { matches } from './mapping/conditions.ts'
import { fieldsOf } from './mapping/templates.ts'
import { type SourceConfig, sourceConfig } from './sources/kinds.ts'
import { distinct, type MqttConfig } from './sources/mqtt.ts'

/** The file of sources (`GATEWAY_SOURCES`): `sources:` and a list, each entry with its `kind`. */
const sourceFile = z.strictObject(
  { sources: z.array(sourceConfig).min(1, 'names no source').max(100) },
  "must begin with the line 'sources:'",
)

/** A fault of the file, at a line counted from 1. */
export interface FileFault {
  line: number
  message: string
}

export type ReadSources = { sources: SourceConfig[] } | { faults: FileFault[] }

/** Reads the text of a file of sources. Returns every fault with its line. */
export function readSources(text: string): ReadSources {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const broken = [...document.errors, ...document.warnings, ...loneAliases(document)]
  if (broken.length > 0) {
    return { faults: broken.map((error) => ({ line: lines.linePos(error.pos[0]).line, message: withAdvice(error) })) }
  }
  const lineOf = (path: readonly PropertyKey[]) => lines.linePos(offsetOf(document, path)).line
  const parsed = sourceFile.safeParse(document.toJS({ maxAliasCount: 100 }), { error: wantedShape })
  if (!parsed.success) {
    const nameOf = (index: number) => document.getIn(['sources', index, 'name'])
    const faults = parsed.error.issues
      .flatMap(flatten)
      .map((issue) => faultOf(issue, { line: lineOf(issue.path), place: placeOf(issue.path, nameOf) }))
    return { faults: faults.sort((a, b) => a.line - b.line) }
  }
  const { sources } = parsed.data
  const names = sources.map(({ name }) => name)
  const faults = names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [
          {
            line: lineOf(['sources', index, 'name']),
            message: `Another source is called '${name}'. Names must differ.`,
          },
        ]
      : [],
  )
  return faults.length > 0 ? { faults } : { sources }
}

/** Reads a file of sources. Throws ConfigurationError with every fault. */
export async function readSourceFile(path: string): Promise<SourceConfig[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ConfigurationError(`${path} can't be read (${errorCode(error)}).`)
  })
  const read = readSources(text)
  if ('sources' in read) return read.sources
  throw new ConfigurationError(read.faults.map(({ line, message }) => `${path}:${line}: ${message}`).join('\n'))
}

/** A text such as *.csv without quotes, which YAML reads as the name of another part of the file. */
function loneAliases(document: Document.Parsed): YAMLParseError[] {
  const found: YAMLParseError[] = []
  visit(document, {
    Alias: (_, alias) => {
      const [from, to] = alias.range ?? [0, 0]
      if (!alias.resolve(document))
        found.push(new YAMLParseError([from, to], 'BAD_ALIAS', `*${alias.source} is not a text`))
    },
  })
  return found
}

const QUOTES = "Put a text that begins with a sign, such as '*.csv' or '> 5', in quotes."
const advice: Partial<Record<string, string>> = {
  BAD_ALIAS: QUOTES,
  BAD_SCALAR_START: QUOTES,
  TAG_RESOLVE_FAILED: QUOTES,
  UNEXPECTED_TOKEN: QUOTES,
  MULTILINE_IMPLICIT_KEY: 'Write a space after the colon of each setting.',
}

function withAdvice({ code, message }: { code: string; message: string }): string {
  return code in advice ? `${message}. ${advice[code]}` : message
}

const shapes: Partial<Record<string, string>> = {
  string: 'must be a text. Put it in quotes if it has braces',
  number: 'must be a number without quotes',
  array: 'must be a list, such as [a, b]',
  object: 'must be settings, such as { name: value }',
  record: 'must be settings, such as { name: value }',
}

/** Says what a value must be where its schema does not. */
function wantedShape(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code !== 'invalid_type') return undefined
  return issue.input === undefined ? 'is missing' : shapes[issue.expected]
}

type Issue = z.core.$ZodIssue

/** Alternatives of a union: the one that came closest provides the error. */
function flatten(issue: Issue): Issue[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ ...issue, path: [...issue.path, key] }))
  if (issue.code === 'invalid_key') return issue.issues.map((inner) => ({ ...inner, path: issue.path }))
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const depth = (issues: readonly Issue[]) => Math.max(0, ...issues.map(({ path }) => path.length))
  const [closest = []] = [...issue.errors].sort((a, b) => depth(b) - depth(a))
  return closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })).flatMap(flatten)
}

function faultOf(issue: Issue, { line, place }: { line: number; place: string }): FileFault {
  return { line, message: `${place}: ${issue.code === 'unrecognized_keys' ? 'is not a setting' : issue.message}` }
}

/** Names a place as messages of a running source do: by the name of the source, and by the number of the rule from 1. */
function placeOf([list, source, ...path]: readonly PropertyKey[], nameOf: (source: number) => unknown): string {
  if (typeof source !== 'number') return list === undefined ? 'The file' : String(list)
  const given = nameOf(source)
  const name = typeof given === 'string' ? given : `Source ${source + 1}`
  const isRule = path[0] === 'rules' && typeof path[1] === 'number'
  const [rule, rest] = isRule ? [[`rule ${Number(path[1]) + 1}`], path.slice(2)] : [[], path]
  return [name, ...rule, ...(rest.length > 0 ? [rest.map(String).join('.')] : [])].join(', ')
}

/** Returns where the node of a path begins, or else that of the nearest node around it. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  const last = path.at(-1)
  const parent = document.getIn(path.slice(0, -1), true)
  // The key is the better place: the value may begin on the next line.
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => String(key) === String(last))
    const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range
    if (range) return range[0]
  }
  const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined
  if (node?.range) return node.range[0]
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1))
}

/** The fields of every message of a kind; of HTTP in the format `json`, because those of the others depend on the sender. */
const known: Record<SourceConfig['kind'], RegExp> = {
  mqtt: /^(topic\d*|retain|text|json|id|repeated)$/,
  snmp: /^(trap|address|user|inform|values|id|repeated)$/,
  modbus: /^(name|value|instrument)$/,
  files: /^(file|row|json|id|repeated)$/,
  http: /^(path|json)$/,
  opcua:
    /^(kind|id|key|instrument|time|typeName|sourceName|message|severity|severityBefore|user|conditionName|conditionClass|activeState|acknowledged|suppressed|enabled|active|retain|name|value|device|state|unit|runningState|run)$/,
  sparkplug: /^(type|group|node|device|metric|metrics|value|historical|online|instrument|time|id)$/,
  mail: /^(to|mailbox|from|subject|text|fields|headers|time|id|repeated)$/,
}

/**
 * Returns a sentence for each rule that names what no message of its source has, and for topics that overlap. They
 * refuse no file: a rule that has worked without its field must not stop a gateway.
 */
export function ruleWarnings(source: SourceConfig): string[] {
  const isOpen = source.kind === 'http' && source.routes.some(({ format }) => format !== 'json')
  const points = source.kind === 'modbus' ? source.points.map(({ name }) => name) : null
  const unclear = source.kind === 'mqtt' && source.version === 5 ? overlaps(source) : []
  const ofRules = source.rules.flatMap((rule, index) => {
    // A rule that does not say its instrument takes it from the field of this name.
    const unknown = fieldsOf(rule.ignore ? rule : { instrument: '{instrument}', ...rule }).filter((field) => {
      const [root = ''] = field.replace(/^\//, '').split(/[./]/)
      return !isOpen && !known[source.kind].test(root)
    })
    const { name } = rule.when
    const isNoPoint = points && name !== undefined && !points.some((point) => matches(point, name))
    return [
      ...[...new Set(unknown)].map((field) => `Rule ${index + 1}: messages of ${source.kind} have no '${field}'.`),
      ...(isNoPoint ? [`Rule ${index + 1}: no point has the name ${[name].flat().join(', ')}.`] : []),
    ]
  })
  return [...unclear, ...ofRules]
}

function overlaps({ topics }: MqttConfig): string[] {
  const filters = distinct(topics)
  return filters.flatMap((filter, index) =>
    filters
      .slice(index + 1)
      .filter((other) => meet(filter.split('/'), other.split('/')))
      .map((other) => `The topics ${filter} and ${other} overlap, so the broker sends messages of both twice.`),
  )
}

/** Returns true if a topic can belong to both filters. */
function meet([a, ...restOfA]: string[], [b, ...restOfB]: string[]): boolean {
  if (a === '#' || b === '#') return true
  if (a === undefined || b === undefined) return a === b
  return (a === b || a === '+' || b === '+') && meet(restOfA, restOfB)
}
