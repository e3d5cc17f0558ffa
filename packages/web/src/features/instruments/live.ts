import type { LiveMessage } from '@benchwatch/contract/live'
import type { QueryClient } from '@tanstack/react-query'
import { refreshSoon } from '../../lib/refresh-soon.ts'
import { changeInstruments, instrumentKeys } from './instruments.api.ts'

/**
 * How a live message changes what this feature shows (wire 11): an instrument's own properties in place, and the number of
 * its open events by asking again, because only the server knows which of them count. Lists are never read again for that:
 * rows would move under the pointer. The rows that are shown are, and change where they stand (list-freshness.ts).
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
  const isCountChange =
    message.entity === 'alarm' &&
    (message.action !== 'update' || message.property === 'alertStatus' || message.property === 'claimedBy')
  if (!isCountChange) return
  refreshSoon(client, instrumentKeys.rows)
  refreshSoon(client, instrumentKeys.details)
  refreshSoon(client, instrumentKeys.timelines)
}
