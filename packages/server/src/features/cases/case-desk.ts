import type { ServiceEvent } from '@benchwatch/contract/events/events'

/** A case as the desk knows it. */
export interface DeskCase {
  number: string
  /** Null if the desk names no address. */
  url: string | null
  /** The correlation id that the desk keeps; null if it keeps none. */
  correlationId: string | null
}

export interface CaseDraft {
  event: ServiceEvent
  /** Identifies the event at the desk. It consists of letters, digits, dots, hyphens and underscores. */
  correlationId: string
  /** The event in the console. */
  link: string
}

/** The system that creates service cases. */
export interface CaseDesk {
  /** As people call it. */
  readonly name: string
  /** Begins every correlation id of this installation. */
  readonly prefix: string
  /** Returns the oldest case of the event; null if there is none. Throws CaseDeskError. */
  find(correlationId: string, stop: AbortSignal): Promise<DeskCase | null>
  /** Resolves when the case exists. Throws CaseDeskError, even if the case may exist because the answer was lost. */
  create(draft: CaseDraft, stop: AbortSignal): Promise<DeskCase>
}

/** The case could not be created or found. The message is a sentence for the people who see the event. */
export class CaseDeskError extends Error {}
