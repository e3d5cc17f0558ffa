import { type AlertStatus, type CloseReason, closeReasons, SYSTEM_OWNER } from '@benchwatch/contract/vocabulary'

/**
 * How the words of the wire are stored: small numbers that sort as people expect (new < in progress < closed) and keep the
 * indexes narrow.
 */
export const alertStatusCodes: Record<AlertStatus, number> = { '1_NEW': 1, '2_IN_PROGRESS': 2, '3_CLOSED': 3 }

/** `app_user.id` of the system marker, the owner of what the product closed by itself. */
export const SYSTEM_USER_ID = 0

const alertStatusLabel = new Map(Object.entries(alertStatusCodes).map(([word, code]) => [code, word as AlertStatus]))

export function alertStatusOf(code: number): AlertStatus {
  return known(alertStatusLabel.get(code), 'alert_status', code)
}

/** Position of the reason among the six texts, from 1; null for none. */
export function closeReasonCode(reason: CloseReason): number
export function closeReasonCode(reason: CloseReason | null): number | null
export function closeReasonCode(reason: CloseReason | null): number | null {
  return reason === null ? null : closeReasons.indexOf(reason) + 1
}

export function closeReasonOf(code: number | null): CloseReason | null {
  return code === null ? null : known(closeReasons[code - 1], 'reason_closed', code)
}

/** An owner as the wire names them: a user id, `SYSTEM`, or null. */
export function ownerOnWire(userId: number | null): string | null {
  if (userId === null) return null
  return userId === SYSTEM_USER_ID ? SYSTEM_OWNER : String(userId)
}

/** Module code and error code of a template id such as `P9B-1042`: before and after its last hyphen. */
export function splitTemplateId(templateId: string): { eisCode: string; errorCode: string } {
  const hyphen = templateId.lastIndexOf('-')
  return { eisCode: templateId.slice(0, hyphen), errorCode: templateId.slice(hyphen + 1) }
}

function known<T>(word: T | undefined, column: string, code: number): T {
  if (word === undefined) throw new Error(`service_event.${column} holds ${code}, which stands for nothing.`)
  return word
}
