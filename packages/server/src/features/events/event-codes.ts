import { type AlertStatus, type CloseReason, closeReasons, SYSTEM_OWNER } from '@benchwatch/contract/vocabulary'

/**
 * Database codes of the wire values: small numbers that sort as users expect (new < in progress < closed) and keep
 * indexes narrow.
 */
export const alertStatusCodes: Record<AlertStatus, number> = { '1_NEW': 1, '2_IN_PROGRESS': 2, '3_CLOSED': 3 }

/** `app_user.id` of the system user, who owns events that the product closed automatically. */
export const SYSTEM_USER_ID = 0

const alertStatusLabel = new Map(Object.entries(alertStatusCodes).map(([word, code]) => [code, word as AlertStatus]))

export function alertStatusOf(code: number): AlertStatus {
  return known(alertStatusLabel.get(code), 'alert_status', code)
}

/** Returns the position of the reason among the six reasons, starting at 1; null for none. */
export function closeReasonCode(reason: CloseReason): number
export function closeReasonCode(reason: CloseReason | null): number | null
export function closeReasonCode(reason: CloseReason | null): number | null {
  return reason === null ? null : closeReasons.indexOf(reason) + 1
}

export function closeReasonOf(code: number | null): CloseReason | null {
  return code === null ? null : known(closeReasons[code - 1], 'reason_closed', code)
}

/** Returns an owner as used on the wire: a user id, `SYSTEM`, or null. */
export function ownerOnWire(userId: number | null): string | null {
  if (userId === null) return null
  return userId === SYSTEM_USER_ID ? SYSTEM_OWNER : String(userId)
}

/** Splits a template id such as `P9B-1042` at its last hyphen into module code and error code. */
export function splitTemplateId(templateId: string): { eisCode: string; errorCode: string } {
  const hyphen = templateId.lastIndexOf('-')
  return { eisCode: templateId.slice(0, hyphen), errorCode: templateId.slice(hyphen + 1) }
}

function known<T>(word: T | undefined, column: string, code: number): T {
  if (word === undefined) throw new Error(`service_event.${column} contains ${code}, which has no meaning.`)
  return word
}
