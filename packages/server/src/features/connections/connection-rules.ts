import type { ConnectionTemplateInput } from '@benchwatch/contract/instruments/connections'
import type { ConnectionEventKind, InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import type { LostConnection } from './connections.store.ts'

/**
 * Rules for lost and restored connections of an instrument, and for the texts of events about them. Pure. Document 2
 * section 4.
 */

interface Connected {
  status: InstrumentStatus
  statusAt: Date | null
  unknownAt: Date | null
}

/** State of an instrument while its gateway is silent: unknown since then, or since even earlier. */
export function whileGatewayIsSilent(
  { unknownAt }: Connected,
  silentSince: Date,
): { orcStatus: OrcStatus; unknownAt: Date } {
  return { orcStatus: 'Edge Issue', unknownAt: unknownAt ?? silentSince }
}

/** State of an instrument once its gateway reports again: its last report applies again. */
export function onceGatewayIsBack({ status, statusAt }: Connected): { orcStatus: OrcStatus; unknownAt: Date | null } {
  if (status === 'disconnected') return { orcStatus: 'Disconnected', unknownAt: statusAt }
  return { orcStatus: 'Connected', unknownAt: status === 'Unknown' ? statusAt : null }
}

/** A lost connection becomes an event after this time. */
export const EVENT_AFTER_MS = 10 * 60_000

/** Used without edited texts, and while the flag INSTRUMENT_STATUS_TEMPLATE is off. */
export const builtInTemplates: Record<ConnectionEventKind, ConnectionTemplateInput> = {
  EDGE_ISSUE: {
    severity: 'medium',
    description: 'Gateway {gateway} has not reported for {minutes} min.',
    userMessage: 'The gateway stores the reports of its instruments and sends them once the connection is back.',
  },
  OFFLINE: {
    severity: 'medium',
    description: 'Gateway {gateway} has not reached {instrument} for {minutes} min.',
    userMessage: 'Check that the instrument is switched on and connected to the network of its gateway.',
  },
}

/**
 * Returns the placeholder values (`connectionPlaceholders`) of an event about a connection that has been lost for this
 * long.
 */
export function placeholderValues(
  lost: Pick<LostConnection, 'gatewayName' | 'installedProductId'> & { instrument: { name: string } | null },
  lostForMs: number,
): Record<string, string> {
  const values = { gateway: lost.gatewayName, minutes: String(Math.floor(lostForMs / 60_000)) }
  return lost.instrument ? { ...values, instrument: `${lost.instrument.name} (${lost.installedProductId})` } : values
}
