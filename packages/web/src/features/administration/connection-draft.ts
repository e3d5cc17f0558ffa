import type { ConnectionTemplateInput } from '@benchwatch/contract/connections'
import { connectionPlaceholders } from '@benchwatch/contract/placeholders'
import type { ConnectionEventKind, FeatureKey } from '@benchwatch/contract/vocabulary'
import type { FieldProblems } from '../../lib/http.ts'
import { placeholderProblems } from '../../lib/placeholder-labels.ts'

/** What the form of an event about a lost connection holds: an empty message is none. */
export interface ConnectionDraft {
  severity: ConnectionTemplateInput['severity']
  description: string
  userMessage: string
}

export const connectionLabels: Record<keyof ConnectionDraft, string> = {
  severity: 'Severity',
  description: 'Description',
  userMessage: 'Message to the user',
}

/** The two kinds of events as people read them, and the flag without which there are none. */
export const connectionKindLabel: Record<ConnectionEventKind, { title: string; flag: FeatureKey }> = {
  EDGE_ISSUE: { title: 'Silent gateway', flag: 'EDGE_ISSUE_EVENT_CREATION' },
  OFFLINE: { title: 'Silent instrument', flag: 'INSTRUMENT_OFFLINE_EVENT_CREATION' },
}

export function connectionDraft({ severity, description, userMessage }: ConnectionTemplateInput): ConnectionDraft {
  return { severity, description, userMessage: userMessage ?? '' }
}

/** The body of the request. Call it only for a draft without problems. */
export function connectionInput({ severity, description, userMessage }: ConnectionDraft): ConnectionTemplateInput {
  return { severity, description: description.trim(), userMessage: userMessage.trim() || null }
}

/** Slips in braces, by field: told while they are typed. */
export function connectionSlips(
  kind: ConnectionEventKind,
  { description, userMessage }: ConnectionDraft,
): FieldProblems {
  return placeholderProblems({ description, userMessage }, connectionPlaceholders[kind])
}

/** What keeps the form from being sent, by field. */
export function connectionProblems(kind: ConnectionEventKind, draft: ConnectionDraft): FieldProblems {
  return {
    ...(draft.description.trim() === '' && { description: 'Enter a description.' }),
    ...connectionSlips(kind, draft),
  }
}
