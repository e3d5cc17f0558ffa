import type { Severity } from '@benchwatch/contract/vocabulary'
import type { Side } from './compare-clock.ts'

/** Where a person stands in two logs: a moment of the shared clock, and the line they came to, if they did. */
export interface ComparePlace {
  at: number
  line?: LineName | undefined
}

export interface LineName {
  side: Side
  id: string
}

/** The name as one text: keys of rows, and of what is opened in them. */
export function lineKey({ side, id }: LineName): string {
  return `${side}:${id}`
}

/** Where to bring the table; a later turn of the same place brings it there again. */
export interface Destination extends ComparePlace {
  turn: number
}

/** What the table shows, from its upper edge to its lower one, by the shared clock. */
export interface Sight {
  from: number
  to: number
  middle: number
}

export type Direction = 'older' | 'newer'

/** The event whose moment is marked. */
export interface ComparedEvent {
  eventId: string
  at: number
  severity: Severity
}
