import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import type { UnnumberedLiveMessage } from '@benchwatch/contract/live'
import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import type { Announcement } from '../db/queues/outbox.ts'

/** The properties that changed; undefined ones did not. */
interface Changed {
  instrumentStatus?: InstrumentStatus | undefined
  orcStatus?: OrcStatus | undefined
  unknownAt?: Date | null | undefined
  statusReason?: string | null | undefined
  run?: { name: string | null; since: Date | null } | undefined
  maintenances?: Maintenance[] | undefined
}

/**
 * Returns live messages about an instrument, one for each changed property, for users who see its customer (wire 11).
 */
export function instrumentUpdates(
  { id, installedProductId, customerId }: { id: number; installedProductId: string; customerId: number },
  { instrumentStatus, orcStatus, unknownAt, statusReason, run, maintenances }: Changed,
): Announcement[] {
  const of = { entity: 'instrument', action: 'update' } as const
  const head = { id: String(id), instrumentInstalledProductId: installedProductId }
  const messages: UnnumberedLiveMessage[] = []
  if (instrumentStatus !== undefined)
    messages.push({ ...of, property: 'instrumentStatus', payload: { ...head, instrumentStatus } })
  if (orcStatus !== undefined) messages.push({ ...of, property: 'orcStatus', payload: { ...head, orcStatus } })
  if (unknownAt !== undefined)
    messages.push({ ...of, property: 'unknownAt', payload: { ...head, unknownAt: unknownAt?.toISOString() ?? null } })
  if (statusReason !== undefined) messages.push({ ...of, property: 'statusReason', payload: { ...head, statusReason } })
  if (run !== undefined) {
    const payload = { ...head, run: run.name, runSince: run.since?.toISOString() ?? null }
    messages.push({ ...of, property: 'run', payload })
  }
  if (maintenances !== undefined) messages.push({ ...of, property: 'maintenances', payload: { ...head, maintenances } })
  return messages.map((message) => ({ audience: { customerId }, message }))
}
