import { type KpiQuestion, type KpiSearch, readKpiQuestion, writeKpiQuestion } from './kpi-question.ts'

/**
 * What the console and the frame of the built-in dashboard say to each other. Both take messages of their own origin and of
 * each other's window alone, and read them as what anybody could have written.
 */

/** Where the built-in dashboard lies. */
export const BUILT_IN = '/kpi-embed/'

/** A token of the dashboard with its end, as milliseconds since 1970. */
export interface KpiPass {
  token: string
  expiresAt: number
}

export type ToConsole = { kind: 'kpi-pass-wanted' } | { kind: 'kpi-asked'; search: KpiSearch }

export type ToDashboard =
  | { kind: 'kpi-theme'; theme: 'light' | 'dark' }
  | { kind: 'kpi-question'; search: KpiSearch }
  /** Null: there is none for this person any more. Absent `pass`: it could not be had, for this reason. */
  | { kind: 'kpi-pass'; pass: KpiPass | null }
  | { kind: 'kpi-pass-failed'; reason: string }

/** What the frame of a dashboard says; null for every other message. */
export function readToConsole(
  data: unknown,
): { kind: 'kpi-pass-wanted' } | { kind: 'kpi-asked'; question: KpiQuestion } | null {
  const message = fieldsOf(data)
  if (message.kind === 'kpi-pass-wanted') return { kind: message.kind }
  if (message.kind === 'kpi-asked') return { kind: message.kind, question: readKpiQuestion(fieldsOf(message.search)) }
  return null
}

/** What the console says to the frame; null for every other message. */
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

/** The pass within an address of the built-in dashboard; null in that of another one. */
export function passIn(address: string, expiresAt: string): KpiPass | null {
  const fragment = new URLSearchParams(address.split('#')[1] ?? '')
  return readPass({ token: fragment.get('token'), expiresAt: Date.parse(expiresAt) })
}

/** The address of a frame: the built-in dashboard is told its question and the end of its token, others stay as they are. */
export function frameAddress(
  address: string,
  { expiresAt, question }: { expiresAt: string; question: KpiQuestion },
): string {
  const pass = address.startsWith(BUILT_IN) ? passIn(address, expiresAt) : null
  if (pass === null) return address
  const told = { token: pass.token, expiresAt: `${pass.expiresAt}`, ...writeKpiQuestion(question) }
  return `${BUILT_IN}#${new URLSearchParams(told)}`
}

/** What the frame reads there: the inverse. */
export function readFragment(fragment: string): { pass: KpiPass | null; question: KpiQuestion } {
  const told = Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, '')))
  return { pass: readPass({ token: told.token, expiresAt: Number(told.expiresAt) }), question: readKpiQuestion(told) }
}

function readPass({ token, expiresAt }: { token?: unknown; expiresAt?: unknown }): KpiPass | null {
  if (typeof token !== 'string' || token === '') return null
  // Without an end it is tried, and renewed once it is refused.
  return { token, expiresAt: Number.isFinite(expiresAt) ? Number(expiresAt) : Number.POSITIVE_INFINITY }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
