import type { AlarmMessage, LiveMessage } from '@benchwatch/contract/live'
import type { QueryClient } from '@tanstack/react-query'
import { refreshSoon } from '../../lib/refresh-soon.ts'
import { mapPage, patchEvent } from '../events/event-cache.ts'
import { changeInstruments, instrumentKeys, readInstruments } from './instruments.api.ts'

/**
 * Applies a live message to the instruments on screen (wire 11). An instrument's own properties and open events change
 * in place. Which events are open, and how many, is read again, because only the server knows which count. Lists are
 * never read again for a live message: rows would move under the pointer. The rows on screen are read again and
 * updated in place (`instrument-list.tsx`).
 */

export function applyToInstruments(message: LiveMessage, client: QueryClient): void {
  if (message.entity === 'instrument') {
    const { id, instrumentInstalledProductId: _name, ...changed } = message.payload
    changeInstruments(client, (instrument) => (instrument.id === id ? { ...instrument, ...changed } : instrument))
    refreshSoon(client, instrumentKeys.timelinesOf(id))
    if (message.property !== 'instrumentStatus') refreshSoon(client, instrumentKeys.counts)
    if (message.property === 'maintenances') refreshSoon(client, instrumentKeys.planned)
    // A read in flight may be older than the change.
    const isInFlight = (queryKey: readonly unknown[]) => client.isFetching({ queryKey }) > 0
    if (isInFlight(instrumentKeys.details)) refreshSoon(client, instrumentKeys.details)
    if (isInFlight(instrumentKeys.lists) || isInFlight(instrumentKeys.rows)) refreshSoon(client, instrumentKeys.rows)
    return
  }
  if (message.entity === 'alarm') applyAlarm(message, client)
}

function applyAlarm(message: AlarmMessage, client: QueryClient): void {
  // A claim arrives as a change of owner. It also sets a new event to in progress, which the time line shows.
  const isReadAgain =
    message.action !== 'update' || message.property === 'alertStatus' || message.property === 'claimedBy'
  if (isReadAgain) refreshSoon(client, instrumentKeys.rows)

  for (const { queryKey, instrument } of readInstruments(client)) {
    if (!isAbout(message, instrument.instrumentInstalledProductId)) continue
    if (message.action === 'update') {
      const { values } = mapPage({ values: instrument.events }, (event) => patchEvent(event, message))
      if (values !== instrument.events) client.setQueryData(queryKey, { ...instrument, events: values })
    }
    if (isReadAgain) {
      refreshSoon(client, queryKey)
      refreshSoon(client, instrumentKeys.timelinesOf(instrument.id))
    }
  }
}

/** A deletion message does not name the event's instrument. */
function isAbout(message: AlarmMessage, installedProductId: string): boolean {
  return message.action === 'delete' || message.payload.instrumentInstalledProductId === installedProductId
}
