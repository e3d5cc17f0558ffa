import { serviceEvent } from '@benchwatch/contract/events/events'
import { severityNames } from '@benchwatch/contract/vocabulary'
import { z } from 'zod'
import type { CaseDraft } from '../case-desk.ts'

/**
 * Fields of a case: texts with the placeholders `{name}`. Every property of an event on the wire is one, except lists,
 * objects and HTML; so are those of `more`.
 */

const notPlain = ['automaticEmail', 'serviceCase', 'troubleshooting', 'remedy']
const more = ['correlationId', 'facts', 'link', 'title'] as const
const known = [...Object.keys(serviceEvent.shape).filter((name) => !notPlain.includes(name)), ...more]

const PLACEHOLDER = /\{(\w+)\}/g

export type Values = Readonly<Record<string, string>>

/** A text whose placeholders are among `names`. */
export const template = (names: readonly string[] = known) =>
  z.string().superRefine((text, context) => {
    for (const [placeholder, name = ''] of text.matchAll(PLACEHOLDER)) {
      if (names.includes(name)) continue
      context.addIssue({ code: 'custom', message: `${placeholder} is not a placeholder` })
    }
  })

/** Returns the text with its placeholders filled in, each changed by `encode`; an unknown one becomes empty. */
export function fillIn(text: string, values: Values, encode: (value: string) => string = (value) => value): string {
  return text.replace(PLACEHOLDER, (_placeholder, name: string) => encode(values[name] ?? ''))
}

/** Fills in every text of a value that JSON can hold. */
export function fillInAll(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return fillIn(value, values)
  if (Array.isArray(value)) return value.map((item) => fillInAll(item, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillInAll(item, values)]))
}

/** Returns the value of every placeholder; what an event lacks is empty. */
export function valuesOf({ event, correlationId, link }: CaseDraft): Values {
  const own = Object.entries(event).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, String(value)]] : [],
  )
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    correlationId,
    link,
    title: `ORC-${event.eventId} ${event.description}`.replace(/\s+/g, ' '),
    facts: factsOf(event, link),
  }
}

/** Describes the event in lines, without people: a case may be read by more of them than the event. */
function factsOf(event: CaseDraft['event'], link: string): string {
  const joined = (parts: readonly (string | null)[]) => parts.filter(Boolean).join(', ')
  const lines: [label: string, value: string | null][] = [
    ['Event', `ORC-${event.eventId}, ${severityNames[event.severity]}`],
    ['Raised', event.createdAt],
    [
      'Instrument',
      joined([
        event.instrumentProductDescription,
        event.instrumentDefinedSystemName,
        event.instrumentInstalledProductId,
      ]),
    ],
    ['Module', event.componentName],
    ['Customer', event.enterpriseName],
    ['Site', joined([event.siteStreet, event.siteZip, event.siteCity, event.siteCountry])],
    ['Contract', joined([event.cpType, event.cpSLATerm])],
    ['Console', link],
  ]
  const facts = lines.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []))
  return [...[event.description, event.userMessage].filter(Boolean), '', ...facts].join('\n')
}
