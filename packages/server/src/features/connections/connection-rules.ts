import type { ConnectionTemplateInput } from '@benchwatch/contract/connections'
import type { ConnectionEventKind, InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import type { LostConnection } from './connections.store.ts'

/** What a lost and a regained connection mean for an instrument, and what an event about it says. Pure. Document 2 section 4. */

interface Connected {
  status: InstrumentStatus
  statusAt: Date | null
  unknownAt: Date | null
}

/** Its gateway is silent: nothing is known since then, or since even earlier. */
export function whileGatewayIsSilent(
  { unknownAt }: Connected,
  silentSince: Date,
): { orcStatus: OrcStatus; unknownAt: Date } {
  return { orcStatus: 'Edge Issue', unknownAt: unknownAt ?? silentSince }
}

/** Its gateway is heard again: what it told last holds again. */
export function onceGatewayIsBack({ status, statusAt }: Connected): { orcStatus: OrcStatus; unknownAt: Date | null } {
  if (status === 'disconnected') return { orcStatus: 'Disconnected', unknownAt: statusAt }
  return { orcStatus: 'Connected', unknownAt: status === 'Unknown' ? statusAt : null }
}

/** A connection becomes an event once it is lost for so long. */
export const EVENT_AFTER_MS = 10 * 60_000

/** Used where nobody has written others, and while the flag INSTRUMENT_STATUS_TEMPLATE is off. */
export const builtInTemplates: Record<ConnectionEventKind, ConnectionTemplateInput> = {
  EDGE_ISSUE: {
    severity: 'medium',
    description: 'No sign of life from gateway {gateway} for {minutes} min.',
    userMessage: 'What its instruments report waits on the gateway and comes in once the line is back.',
  },
  OFFLINE: {
    severity: 'medium',
    description: 'Gateway {gateway} has not reached {instrument} for {minutes} min.',
    userMessage: 'Check that the instrument is switched on and connected to the network of its gateway.',
  },
}

/** What stands for the placeholders of an event about a lost connection (`connectionPlaceholders`), lost for so long. */
export function placeholderValues(
  lost: Pick<LostConnection, 'gatewayName' | 'installedProductId'> & { instrument: { name: string } | null },
  lostForMs: number,
): Record<string, string> {
  const values = { gateway: lost.gatewayName, minutes: String(Math.floor(lostForMs / 60_000)) }
  return lost.instrument ? { ...values, instrument: `${lost.instrument.name} (${lost.installedProductId})` } : values
}
