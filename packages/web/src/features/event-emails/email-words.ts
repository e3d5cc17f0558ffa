import type { EventEmail } from '@benchwatch/contract/event-emails'
import type { EventEmailState } from '@benchwatch/contract/notification-vocabulary'
import { formatEventTime } from '../../lib/dates.ts'
import type { StatusTone } from '../../ui/status-mark.tsx'

/** Where a mail stands that has not left; one that was sent says when instead. */
export const emailStates: Record<EventEmailState, { tone: StatusTone; words: string } | null> = {
  held: { tone: 'waiting', words: 'Held' },
  waiting: { tone: 'waiting', words: 'Waits to be sent' },
  sent: null,
  failed: { tone: 'warning', words: 'Could not be sent' },
  withdrawn: { tone: 'off', words: 'Not sent' },
}

/** 'Email support message sent: 20-Nov-2026 14:02', as document 1 section 2 words it. */
export function emailTitle({ automatic, sentAt, state }: Pick<EventEmail, 'automatic' | 'sentAt' | 'state'>): string {
  const name = automatic ? 'Email support message' : 'Shared by mail'
  if (state !== 'sent' || sentAt === null) return name
  return automatic ? `${name} sent: ${formatEventTime(sentAt)}` : `${name}: ${formatEventTime(sentAt)}`
}
