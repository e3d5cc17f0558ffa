import type { ConnectionTemplateInput } from '@benchwatch/contract/connections'
import { connectionPlaceholders } from '@benchwatch/contract/placeholders'
import type { ConnectionEventKind, FeatureKey } from '@benchwatch/contract/vocabulary'
import type { FieldProblems } from '../../lib/http.ts'
import { placeholderProblems } from '../../lib/placeholder-labels.ts'

/** The form of a connection event. An empty message means none. */
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

/** Titles of the two connection events, and the flag that must be on for each to be created. */
export const connectionKindLabels: Record<ConnectionEventKind, { title: string; flag: FeatureKey }> = {
  EDGE_ISSUE: { title: 'Silent gateway', flag: 'EDGE_ISSUE_EVENT_CREATION' },
  OFFLINE: { title: 'Silent instrument', flag: 'INSTRUMENT_OFFLINE_EVENT_CREATION' },
}

export function connectionDraft({ severity, description, userMessage }: ConnectionTemplateInput): ConnectionDraft {
  return { severity, description, userMessage: userMessage ?? '' }
}

/** Builds the body of the request. Call it only for a draft without problems. */
export function connectionInput({ severity, description, userMessage }: ConnectionDraft): ConnectionTemplateInput {
  return { severity, description: description.trim(), userMessage: userMessage.trim() || null }
}

/** Returns mistakes in placeholders by field. They are shown while the user types. */
export function connectionSlips(
  kind: ConnectionEventKind,
  { description, userMessage }: ConnectionDraft,
): FieldProblems {
  return placeholderProblems({ description, userMessage }, connectionPlaceholders[kind])
}

/** Returns the problems of the form by field. */
export function connectionProblems(kind: ConnectionEventKind, draft: ConnectionDraft): FieldProblems {
  return {
    ...(draft.description.trim() === '' && { description: 'Enter a description.' }),
    ...connectionSlips(kind, draft),
  }
}
