import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { textOf } from '../mapping/conditions.ts'
import type { Facts } from '../mapping/templates.ts'

/** Reads the bodies that other programs post, into the facts of a mapping. Pure. */

export const formats = ['alertmanager', 'grafana', 'elasticsearch', 'cloudevents', 'json'] as const
type Format = (typeof formats)[number]

/** A body that can't be read as a whole; the message gives the sender the reason. */
export class Unreadable extends Error {}

export interface ReadBody {
  messages: Facts[]
  /** Sentences about parts that can't be read. They are not sent again. */
  faults: string[]
  /** The answer that the sender expects. */
  reply: object
}

/** Reads a body. Throws Unreadable. */
export function readMessages(
  text: string,
  { format, path, headers }: { format: Format; path: string; headers: IncomingHttpHeaders },
): ReadBody {
  switch (format) {
    case 'alertmanager':
    case 'grafana':
      return alerts(text, path)
    case 'elasticsearch':
      return bulk(text, path)
    case 'cloudevents':
      return cloudEvents(text, { path, headers })
    case 'json':
      return all(listOf(parse(text)).map((json) => ({ path, json })))
  }
}

const all = (messages: Facts[]): ReadBody => ({ messages, faults: [], reply: { taken: messages.length } })

const alertBody = z.object({
  alerts: z.array(
    z.looseObject({
      status: z.enum(['firing', 'resolved']),
      labels: z.record(z.string(), z.string()),
      annotations: z.record(z.string(), z.string()).default({}),
      startsAt: z.string(),
      endsAt: z.string().optional(),
      fingerprint: z.string().min(1),
    }),
  ),
})

/** Prometheus Alertmanager and Grafana send the same fields. An alert keeps its fingerprint until it is resolved. */
function alerts(text: string, path: string): ReadBody {
  const parsed = alertBody.safeParse(parse(text))
  if (!parsed.success)
    throw new Unreadable(`This is not a webhook of Alertmanager or Grafana: ${z.prettifyError(parsed.error)}`)
  return all(
    parsed.data.alerts.map((alert) => {
      const active = alert.status === 'firing'
      return {
        ...alert,
        path,
        active,
        key: alert.fingerprint,
        id: `${alert.fingerprint} ${alert.startsAt}`,
        time: active ? alert.startsAt : alert.endsAt,
      }
    }),
  )
}

const ACTIONS = ['index', 'create', 'update', 'delete'] as const

/** The bulk format of Elasticsearch: a line with the action, then a line with the document. */
function bulk(text: string, path: string): ReadBody {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const messages: Facts[] = []
  const faults: string[] = []
  const items: object[] = []
  for (let at = 0; at < lines.length; at++) {
    const head = object(lines[at] ?? '')
    const action = ACTIONS.find((name) => head && name in head)
    if (!action) throw new Unreadable(`Line ${at + 1} is not an action of _bulk, such as {"create": {}}.`)
    if (action === 'delete' || action === 'update') {
      if (action === 'update') at++
      faults.push(`Line ${at + 1}: documents can only be added, not changed.`)
      items.push({ [action]: { status: 400, error: { type: 'illegal_argument_exception', reason: 'Only adds.' } } })
      continue
    }
    const line = lines[++at]
    const document = line === undefined ? null : object(line)
    if (document) {
      messages.push({ time: document['@timestamp'], ...document, path })
      items.push({ [action]: { _index: 'benchwatch', _id: String(items.length), status: 201, result: 'created' } })
    } else {
      const reason = `Line ${at + 1} is not a JSON object.`
      faults.push(reason)
      items.push({ [action]: { status: 400, error: { type: 'document_parsing_exception', reason } } })
    }
  }
  return { messages, faults, reply: { took: 0, errors: faults.length > 0, items } }
}

const cloudEvent = z.looseObject({ specversion: z.string(), id: z.string(), type: z.string(), source: z.string() })

/** CloudEvents 1.0 over HTTP: structured, batched, or binary (attributes in headers). */
function cloudEvents(text: string, { path, headers }: { path: string; headers: IncomingHttpHeaders }): ReadBody {
  const attributes = Object.entries(headers).filter(([name]) => name.startsWith('ce-'))
  const given =
    attributes.length > 0
      ? { ...Object.fromEntries(attributes.map(([name, value]) => [name.slice(3), value])), data: parse(text) }
      : parse(text)
  const parsed = z.array(cloudEvent).safeParse(listOf(given))
  if (!parsed.success) throw new Unreadable(`This is not a CloudEvent: ${z.prettifyError(parsed.error)}`)
  return all(
    parsed.data.map((event) => ({
      ...event,
      id: `${event.source} ${event.id} ${textOf(event['time'])}`,
      // Without a time, the id alone may be one that a script always gives.
      ...(event['time'] !== undefined && { repeated: true }),
      path,
    })),
  )
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable('The body is not JSON.')
  }
}

function object(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
