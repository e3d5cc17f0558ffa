import { z } from 'zod'
import { serviceCase } from './events/events.ts'
import { maintenance } from './instruments/maintenance.ts'
import { id, instant } from './primitives.ts'
import { alertStatuses, closeReasons, instrumentStatuses, orcStatuses, severities } from './vocabulary.ts'

/**
 * Messages of the live connection `/api/live?token=…&after=<seq>`: wire 11. `seq` increases; gaps are normal, because
 * only users whose scope includes the entity get the message. Messages of one change share its version.
 */

const alarmHead = { id, eventId: z.string(), version: z.number().int(), instrumentInstalledProductId: z.string() }
const alarmUpdate = <P extends string, S extends z.ZodRawShape>(property: P, payload: S) =>
  z.object({
    seq: z.number().int(),
    entity: z.literal('alarm'),
    action: z.literal('update'),
    property: z.literal(property),
    payload: z.object({ ...alarmHead, ...payload }),
  })

const instrumentUpdate = <P extends string, S extends z.ZodRawShape>(property: P, payload: S) =>
  z.object({
    seq: z.number().int(),
    entity: z.literal('instrument'),
    action: z.literal('update'),
    property: z.literal(property),
    payload: z.object({ id, instrumentInstalledProductId: z.string(), ...payload }),
  })

/** First message of a connection: `ready`, or `resync` if missed messages are no longer available. */
export const helloMessage = z.object({
  seq: z.number().int(),
  entity: z.literal('hello'),
  action: z.enum(['ready', 'resync']),
  property: z.null(),
  payload: z.object({}),
})

/** An event was created or deleted, or one of its properties changed. */
export const alarmMessage = z.union([
  alarmUpdate('alertStatus', {
    alertStatus: z.enum(alertStatuses),
    reasonClosed: z.enum(closeReasons).nullable(),
  }),
  alarmUpdate('claimedBy', { claimedBy: z.string().nullable(), claimedByName: z.string().nullable() }),
  alarmUpdate('serviceMaxCaseNumber', { serviceMaxCaseNumber: z.string().nullable() }),
  alarmUpdate('serviceMaxUrl', { serviceMaxUrl: z.string().nullable() }),
  alarmUpdate('serviceCase', { serviceCase: serviceCase.nullable() }),
  alarmUpdate('reasonClosedComment', { reasonClosedComment: z.string().nullable() }),
  alarmUpdate('latchedCount', { latchedCount: z.number().int() }),
  alarmUpdate('run', { run: z.string().nullable() }),
  alarmUpdate('clearedAt', { clearedAt: instant.nullable() }),
  alarmUpdate('automaticEmailSentAt', { automaticEmailSentAt: instant.nullable() }),
  z.object({
    seq: z.number().int(),
    entity: z.literal('alarm'),
    action: z.literal('create'),
    property: z.null(),
    payload: z.object({
      id,
      eventId: z.string(),
      createdAt: instant,
      severity: z.enum(severities),
      alertStatus: z.enum(alertStatuses),
      instrumentInstalledProductId: z.string(),
    }),
  }),
  z.object({
    seq: z.number().int(),
    entity: z.literal('alarm'),
    action: z.literal('delete'),
    property: z.null(),
    payload: z.object({ id, eventId: z.string() }),
  }),
])

/** One property of an instrument changed. */
export const instrumentMessage = z.union([
  instrumentUpdate('instrumentStatus', { instrumentStatus: z.enum(instrumentStatuses) }),
  instrumentUpdate('orcStatus', { orcStatus: z.enum(orcStatuses) }),
  instrumentUpdate('unknownAt', { unknownAt: instant.nullable() }),
  instrumentUpdate('statusReason', { statusReason: z.string().nullable() }),
  instrumentUpdate('run', { run: z.string().nullable(), runSince: instant.nullable() }),
  instrumentUpdate('maintenances', { maintenances: z.array(maintenance) }),
])

/** The client should reload its features or its session. */
export const userMessage = z.object({
  seq: z.number().int(),
  entity: z.literal('user'),
  action: z.literal('update'),
  property: z.enum(['features', 'session']),
  payload: z.object({}),
})

export const liveMessage = z.union([helloMessage, alarmMessage, instrumentMessage, userMessage])
export type LiveMessage = z.output<typeof liveMessage>
export type AlarmMessage = z.output<typeof alarmMessage>
export type InstrumentMessage = z.output<typeof instrumentMessage>

/** A message before the publisher has assigned its number. */
export type UnnumberedLiveMessage = LiveMessage extends infer M
  ? M extends LiveMessage
    ? Omit<M, 'seq'>
    : never
  : never

/** Close codes: a deploy (reconnect) and a bad token. Sign-out closes without a code (1005: do not reconnect). */
export const liveCloseCodes = { deploy: 1012, badToken: 1008 } as const
