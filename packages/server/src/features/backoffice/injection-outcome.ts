import type { AlarmTestResult } from '@benchwatch/contract/vocabulary'

/** How far a test event came, by what the database shows of it. */
export interface Progress {
  /** Null while there is no event. */
  eventId: number | null
  /** Its live message is numbered and published. */
  isPublished: boolean
  /** Whoever is to be told of it was decided. */
  isNotified: boolean
  /** Whoever may see its customer finds it among the open events of its instrument. */
  isFound: boolean
}

/** A test that took longer was late. */
export const IN_TIME_MS = 60_000
/** Then it counts as missing, and support is told. */
export const MISSING_AFTER_MS = 10 * 60_000

/** What is known of a test so long after it was raised. */
export function resultOf(progress: Progress, tookMs: number): AlarmTestResult {
  if (brokenStage(progress) === null) return tookMs <= IN_TIME_MS ? 'arrived' : 'late'
  return tookMs < MISSING_AFTER_MS ? 'waiting' : 'missing'
}

/** The first stage of the chain that a test did not pass, in the words of the alarm about it; null once it passed all. */
export function brokenStage({ eventId, isFound, isPublished, isNotified }: Progress): string | null {
  if (eventId === null) return 'No service event was made of what the gateway sends'
  if (!isFound) return 'Its service event is not found by the list'
  if (!isPublished) return 'No live message was published'
  if (!isNotified) return 'Nobody was decided on to be told'
  return null
}
