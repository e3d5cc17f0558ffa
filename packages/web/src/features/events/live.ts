import type { LiveMessage } from '@benchwatch/contract/live'
import type { QueryClient } from '@tanstack/react-query'
import { refreshSoon } from '../../lib/refresh-soon.ts'
import {
  type AlarmCreation,
  type AlarmUpdate,
  type EventRows,
  markRemoved,
  patchEvent,
  patchInstrument,
} from './event-cache.ts'
import { changeEntries, changeServiceEvents, createdQuery, serviceEventKeys } from './events.api.ts'
import { rememberNewEvent } from './list/new-events.ts'

/**
 * Applies live messages to this feature's data: wire 11, document 1 section 4. Rows change in place; a creation
 * changes no list and is only counted. After `resync` the live connection refetches everything, so `hello` needs no
 * handling here.
 */

/** The map updates more slowly: one event changes little, and the answer can be megabytes. */
export const LOCATIONS_DELAY_MS = 10_000

export function applyToServiceEvents(message: LiveMessage, client: QueryClient): void {
  switch (message.entity) {
    case 'alarm':
      if (message.action === 'update') applyUpdate(message, client)
      else if (message.action === 'create') applyCreation(message, client)
      else applyRemoval(message.payload, client)
      return
    case 'instrument':
      changeServiceEvents(client, (event) => patchInstrument(event, message))
      if (message.property === 'instrumentStatus') refreshSurroundingsSoon(client, message.payload)
      return
    case 'hello':
    case 'user':
      return
    default:
      message satisfies never
  }
}

function applyUpdate(update: AlarmUpdate, client: QueryClient): void {
  changeServiceEvents(client, (event) => patchEvent(event, update))
  if (update.property === 'alertStatus' || update.property === 'claimedBy') {
    refreshTotalsSoon(client)
    refreshLocationsSoon(client)
  }
}

function applyCreation(creation: AlarmCreation, client: QueryClient): void {
  const event = { created: creation.payload, arrivedAt: Date.now() }
  client.setQueryData(createdQuery().queryKey, (known = []) => rememberNewEvent(known, event))
  refreshTotalsSoon(client)
  refreshSurroundingsSoon(client, creation.payload)
}

function applyRemoval({ id, eventId }: { id: string; eventId: string }, client: QueryClient): void {
  changeEntries<EventRows>(client, serviceEventKeys.lists, (page) => markRemoved(page, id))
  changeEntries<EventRows>(client, serviceEventKeys.beside, (rows) => markRemoved(rows, id))
  client.setQueryData(createdQuery().queryKey, (known = []) => known.filter(({ created }) => created.id !== id))
  void client.invalidateQueries({ queryKey: serviceEventKeys.detailsOf(eventId) })
  refreshTotalsSoon(client)
  refreshLocationsSoon(client)
}

function refreshTotalsSoon(client: QueryClient): void {
  refreshSoon(client, serviceEventKeys.totals)
}

function refreshLocationsSoon(client: QueryClient): void {
  refreshSoon(client, serviceEventKeys.locations, LOCATIONS_DELAY_MS)
}

/** Refetches the surroundings of this instrument's events, but only those on the screen. */
function refreshSurroundingsSoon(client: QueryClient, instrument: { instrumentInstalledProductId: string }): void {
  refreshSoon(client, serviceEventKeys.aroundOn(instrument.instrumentInstalledProductId))
}
