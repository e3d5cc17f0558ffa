import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'

/** What somebody at the back office sets of an instrument. */
export interface SetState {
  instrumentStatus: InstrumentStatus
  orcStatus: OrcStatus
}

/** What follows from it. */
export interface Connection {
  unknownAt: Date | null
  connectedAt: Date | null
}

/**
 * Since when nothing is known of an instrument, and when it was first heard, once its statuses are set by hand: as if it had
 * reported them. One that is brought back to Onboarding was never heard, so that its next report ends that anew.
 */
export function connectionAfter(before: Connection, { set, now }: { set: SetState; now: Date }): Connection {
  if (set.orcStatus === 'Onboarding') return { unknownAt: null, connectedAt: null }
  const isKnown =
    set.orcStatus === 'Connected' && set.instrumentStatus !== 'Unknown' && set.instrumentStatus !== 'disconnected'
  return { unknownAt: isKnown ? null : (before.unknownAt ?? now), connectedAt: before.connectedAt ?? now }
}
