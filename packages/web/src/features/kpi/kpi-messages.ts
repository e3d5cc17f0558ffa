import { type KpiQuestion, type KpiSearch, readKpiQuestion, writeKpiQuestion } from './kpi-question.ts'

/**
 * Messages between the console and the frame of the built-in dashboard. Both accept only messages of their own origin
 * and of the other's window, and validate them like any untrusted input.
 */

/** Path of the built-in dashboard. */
export const BUILT_IN = '/kpi-embed/'

/** A dashboard token and its expiry in milliseconds since the epoch. */
export interface KpiPass {
  token: string
  expiresAt: number
}

export type ToConsole =
  | { kind: 'kpi-pass-wanted' }
  | { kind: 'kpi-asked'; search: KpiSearch }
  /** `search` is an address of the event list. */
  | { kind: 'kpi-events'; search: Record<string, string> }

export type ToDashboard =
  | { kind: 'kpi-theme'; theme: 'light' | 'dark' }
  | { kind: 'kpi-question'; search: KpiSearch }
  /** `pass` null: this user no longer has access. `pass` absent: the request failed for this reason. */
  | { kind: 'kpi-pass'; pass: KpiPass | null }
  | { kind: 'kpi-pass-failed'; reason: string }

/** Reads a message from a dashboard frame; null for anything else. */
export function readToConsole(
  data: unknown,
): Exclude<ToConsole, { kind: 'kpi-asked' }> | { kind: 'kpi-asked'; question: KpiQuestion } | null {
  const message = fieldsOf(data)
  if (message.kind === 'kpi-pass-wanted') return { kind: message.kind }
  if (message.kind === 'kpi-asked') return { kind: message.kind, question: readKpiQuestion(fieldsOf(message.search)) }
  if (message.kind === 'kpi-events') {
    const texts = Object.entries(fieldsOf(message.search)).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    )
    return { kind: message.kind, search: Object.fromEntries(texts) }
  }
  return null
}

/** Reads a message from the console; null for anything else. */
export function readToDashboard(
  data: unknown,
): Exclude<ToDashboard, { kind: 'kpi-question' }> | { kind: 'kpi-question'; question: KpiQuestion } | null {
  const message = fieldsOf(data)
  switch (message.kind) {
    case 'kpi-theme':
      return { kind: message.kind, theme: message.theme === 'dark' ? 'dark' : 'light' }
    case 'kpi-question':
      return { kind: message.kind, question: readKpiQuestion(fieldsOf(message.search)) }
    case 'kpi-pass':
      return { kind: message.kind, pass: readPass(fieldsOf(message.pass)) }
    case 'kpi-pass-failed':
      return { kind: message.kind, reason: String(message.reason) }
    default:
      return null
  }
}

/** Returns the token in an address of the built-in dashboard; null for other dashboards. */
export function passIn(address: string, expiresAt: string): KpiPass | null {
  const fragment = new URLSearchParams(address.split('#')[1] ?? '')
  return readPass({ token: fragment.get('token'), expiresAt: Date.parse(expiresAt) })
}

/**
 * Returns the address of a frame. The built-in dashboard also gets the selection and the expiry of its token; other
 * addresses stay as they are.
 */
export function frameAddress(
  address: string,
  { expiresAt, question }: { expiresAt: string; question: KpiQuestion },
): string {
  const pass = address.startsWith(BUILT_IN) ? passIn(address, expiresAt) : null
  if (pass === null) return address
  const parameters = { token: pass.token, expiresAt: `${pass.expiresAt}`, ...writeKpiQuestion(question) }
  return `${BUILT_IN}#${new URLSearchParams(parameters)}`
}

/** Reads the fragment that `frameAddress` writes. */
export function readFragment(fragment: string): { pass: KpiPass | null; question: KpiQuestion } {
  const parameters = Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, '')))
  return {
    pass: readPass({ token: parameters.token, expiresAt: Number(parameters.expiresAt) }),
    question: readKpiQuestion(parameters),
  }
}

function readPass({ token, expiresAt }: { token?: unknown; expiresAt?: unknown }): KpiPass | null {
  if (typeof token !== 'string' || token === '') return null
  // A token without expiry is used until the server refuses it.
  return { token, expiresAt: Number.isFinite(expiresAt) ? Number(expiresAt) : Number.POSITIVE_INFINITY }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
