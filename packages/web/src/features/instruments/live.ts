import type { AlarmMessage, LiveMessage } from '@benchwatch/contract/live'
import type { QueryClient } from '@tanstack/react-query'
import { refreshSoon } from '../../lib/refresh-soon.ts'
import { mapPage, patchEvent } from '../events/event-cache.ts'
import { changeInstruments, instrumentKeys, readInstruments } from './instruments.api.ts'

/**
 * How a live message changes what this feature shows (wire 11): an instrument's own properties and its open events in
 * place; which events are open, and how many, by asking again, because only the server knows which of them count. Lists are
 * never read again for that: rows would move under the pointer. The rows that are shown are, and change where they stand
 * (list-freshness.ts).
 */

export function applyToInstruments(message: LiveMessage, client: QueryClient): void {
  if (message.entity === 'instrument') {
    const { id, instrumentInstalledProductId: _name, ...changed } = message.payload
    changeInstruments(client, (instrument) => (instrument.id === id ? { ...instrument, ...changed } : instrument))
    refreshSoon(client, instrumentKeys.timelinesOf(id))
    // A page that is on its way may have been read before the change.
    if (client.isFetching({ queryKey: instrumentKeys.lists }) > 0) refreshSoon(client, instrumentKeys.rows)
    return
  }
  if (message.entity === 'alarm') applyAlarm(message, client)
}

function applyAlarm(message: AlarmMessage, client: QueryClient): void {
  // A claim is told as that of its owner, and makes a new event one in progress, which the time line shows.
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

/** A deletion does not tell whose event it was. */
function isAbout(message: AlarmMessage, installedProductId: string): boolean {
  return message.action === 'delete' || message.payload.instrumentInstalledProductId === installedProductId
}
