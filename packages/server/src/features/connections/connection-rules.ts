import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import { fillPlaceholders } from '../../platform/placeholders.ts'
import type { ConnectionTemplate, LostConnection } from './connections.store.ts'

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

/** Used where nobody has written others, and while the flag INSTRUMENT_STATUS_TEMPLATE is off. */
export const builtInTemplates: Record<'EDGE_ISSUE' | 'OFFLINE', ConnectionTemplate> = {
  EDGE_ISSUE: {
    severity: 'medium',
    description: 'No sign of life from gateway {gateway} for {minutes} minutes.',
    userMessage: 'What its instruments report waits on the gateway and comes in once the line is back.',
  },
  OFFLINE: {
    severity: 'medium',
    description: 'Gateway {gateway} has not reached {instrument} for {minutes} minutes.',
    userMessage: 'Check that the instrument is switched on and connected to the network of its gateway.',
  },
}

/** A text with its placeholders filled in; braces around other words stay as they are. */
export function filledIn(
  text: string,
  {
    lost,
    now,
  }: { lost: Pick<LostConnection, 'gatewayName' | 'lostAt' | 'instrument' | 'installedProductId'>; now: Date },
): string {
  const values: Record<string, string> = {
    gateway: lost.gatewayName,
    instrument: lost.instrument ? `${lost.instrument.name} (${lost.installedProductId})` : lost.gatewayName,
    minutes: String(Math.floor((now.getTime() - lost.lostAt.getTime()) / 60_000)),
  }
  return fillPlaceholders(text, values)
}
