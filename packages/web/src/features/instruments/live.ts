import type { LiveMessage } from '@benchwatch/contract/live'
import type { QueryClient } from '@tanstack/react-query'
import { refreshSoon } from '../../lib/refresh-soon.ts'
import { changeInstruments, instrumentKeys } from './instruments.api.ts'

/**
 * How a live message changes what this feature shows (wire 11): an instrument's own properties in place, and the number of
 * its open events by asking again, because only the server knows which of them count.
 */

export function applyToInstruments(message: LiveMessage, client: QueryClient): void {
  if (message.entity === 'instrument') {
    const { id, instrumentInstalledProductId: _name, ...changed } = message.payload
    changeInstruments(client, (instrument) => (instrument.id === id ? { ...instrument, ...changed } : instrument))
    refreshSoon(client, instrumentKeys.timelinesOf(id))
    return
  }
  const isCountChange =
    message.entity === 'alarm' &&
    (message.action !== 'update' || message.property === 'alertStatus' || message.property === 'claimedBy')
  if (isCountChange) refreshSoon(client, instrumentKeys.all)
}
