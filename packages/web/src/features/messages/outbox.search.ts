/** The outbox's address: recipient filter, open message and visible part. */

export const messageParts = ['html', 'text', 'headers'] as const
export type MessagePart = (typeof messageParts)[number]

export interface OutboxSearch {
  /** Part of a recipient; empty for all. */
  to: string
  message: string | null
  part: MessagePart
}

const MAX_TO = 200

export function readOutboxSearch({ to = '', message, part }: Record<string, string | undefined>): OutboxSearch {
  return {
    to: to.slice(0, MAX_TO),
    message: message !== undefined && /^\d{1,18}$/.test(message) ? message : null,
    part: messageParts.find((known) => known === part) ?? 'html',
  }
}

/** The inverse of readOutboxSearch. Omits defaults. */
export function writeOutboxSearch({ to, message, part }: OutboxSearch): Record<string, string> {
  return { ...(to !== '' && { to }), ...(message !== null && { message }), ...(part !== 'html' && { part }) }
}
