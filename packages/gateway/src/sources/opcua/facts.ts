import { createHash } from 'node:crypto'
import type { NodeId, Variant } from 'node-opcua-client'
import type { Facts } from '../../mapping/templates.ts'
import { nodeText } from './nodes.ts'

/** Turns what a server sends into the fields of the mapping: plain texts, numbers, and times. */

/** Fields of events that are asked for; a server leaves empty what an event does not have. */
export const eventFields = [
  'EventId',
  'EventType',
  'SourceNode',
  'SourceName',
  'Time',
  'Message',
  'Severity',
  'ConditionId',
  'ConditionName',
  'ConditionClassName',
  'BranchId',
  'Retain',
  'EnabledState.Id',
  'ActiveState.Id',
  'ActiveState.EffectiveDisplayName',
  'AckedState.Id',
  'SuppressedOrShelved',
  'ClientUserId',
] as const

/** Standard event types that steer the source instead of being reported. */
export const refreshStartType = 'i=2787'
export const refreshEndType = 'i=2788'
export const refreshRequiredType = 'i=2789'
export const overflowType = 'i=3035'

/** An event with its fields by name, as plain values. */
export interface OpcUaEvent {
  type: string
  source: string | null
  /** Null for an event without a condition. */
  conditionKey: string | null
  /** An earlier, unacknowledged state of the condition; the condition itself contains the present state. */
  isBranch: boolean
  fields: Facts
}

/** Reads the fields in the order of `eventFields`. */
export function readEvent(values: readonly Variant[], namespaces: readonly string[]): OpcUaEvent {
  const fields: Record<string, unknown> = {}
  for (const [at, name] of eventFields.entries()) fields[name] = plain(values[at]?.value, namespaces)
  const condition = textOrNull(fields['ConditionId'])
  const branch = textOrNull(fields['BranchId'])
  return {
    type: textOrNull(fields['EventType']) ?? '',
    source: textOrNull(fields['SourceNode']),
    conditionKey: condition === null || condition === 'i=0' ? null : CONDITION + digest(condition),
    isBranch: branch !== null && branch !== 'i=0',
    fields,
  }
}

/** Returns the facts of an event without a condition. */
export function eventFacts({ fields }: OpcUaEvent, { typeName, instrument }: Resolved): Facts {
  return {
    kind: 'event',
    id: fields['EventId'],
    ...(instrument !== undefined && { instrument }),
    typeName,
    sourceName: fields['SourceName'] ?? '',
    message: fields['Message'] ?? '',
    severity: fields['Severity'],
    time: fields['Time'],
    user: fields['ClientUserId'],
  }
}

interface Resolved {
  typeName: string
  /** Undefined if the event belongs to no device of the source. */
  instrument: string | undefined
}

/** An event of a condition. Fields are null where the server does not have them. */
export interface ConditionFacts extends Facts {
  /** Names the condition; stays the same when the server restarts. */
  key: string
  enabled: boolean | null
  active: boolean | null
  /** False once the server considers the condition irrelevant. */
  retain: boolean | null
  severity: number | null
  time: Date
}

/** Returns the facts of an event of a condition. */
export function conditionFacts(event: OpcUaEvent, resolved: Resolved, received: Date): ConditionFacts {
  const { fields } = event
  const flag = (name: string) => (typeof fields[name] === 'boolean' ? fields[name] : null)
  const { Severity: severity, Time: time } = fields
  return {
    ...eventFacts(event, resolved),
    kind: 'condition',
    key: event.conditionKey ?? '',
    conditionName: fields['ConditionName'],
    conditionClass: fields['ConditionClassName'],
    activeState: fields['ActiveState.EffectiveDisplayName'],
    acknowledged: flag('AckedState.Id'),
    suppressed: flag('SuppressedOrShelved'),
    enabled: flag('EnabledState.Id'),
    active: flag('ActiveState.Id'),
    retain: flag('Retain'),
    severity: typeof severity === 'number' ? severity : null,
    time: time instanceof Date ? time : received,
  }
}

/** Returns a value of OPC UA as a text, number, boolean, time, list, or null. */
export function plain(value: unknown, namespaces: readonly string[]): unknown {
  if (value === null || value === undefined || typeof value !== 'object' || value instanceof Date) return value ?? null
  if (Buffer.isBuffer(value)) return value.toString('hex')
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>)
  if (Array.isArray(value)) return value.map((one) => plain(one, namespaces))
  if ('identifierType' in value) return nodeText(value as NodeId, namespaces)
  // A text with its language, or a name with its namespace.
  if ('text' in value) return value.text ?? null
  if ('namespaceIndex' in value && 'name' in value) return value.name ?? null
  return JSON.parse(JSON.stringify(value))
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

const CONDITION = 'condition-'

/** Distinguishes alarms of conditions from those of events, which no refresh repeats. */
export function isConditionKey(key: string): boolean {
  return key.startsWith(CONDITION)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
