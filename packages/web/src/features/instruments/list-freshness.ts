import type { Instrument } from '@benchwatch/contract/instruments'
import { replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useStatusPoll } from '../connections/connections.api.ts'
import { changeInstruments, instrumentRowsQuery } from './instruments.api.ts'

/**
 * Keeps the rows of the list as they are now, each in its place: statuses are asked after every ten seconds, and the whole rows
 * when a live message says that something may have changed that only the server knows, such as how many of their events are
 * open. Since when statuses could not be confirmed (epoch ms), or null. `readAt`: when the rows were read.
 */
export function useListFreshness(
  rows: readonly Instrument[],
  { readAt, now }: { readAt: number; now: number },
): number | null {
  const client = useQueryClient()
  const shown = rows.map(({ instrumentInstalledProductId }) => instrumentInstalledProductId)
  const asked = shown.toSorted()
  const { data } = useQuery({
    ...instrumentRowsQuery(asked),
    // The list brought them along; they are asked after when a live message makes them stale.
    initialData: [],
    initialDataUpdatedAt: readAt,
  })
  useEffect(() => {
    if (data.length === 0) return
    const fresh = new Map(data.map((instrument) => [instrument.id, instrument]))
    changeInstruments(client, (known) => replaceEqualDeep(known, { ...known, ...fresh.get(known.id) }))
  }, [client, data])

  return useStatusPoll(shown, {
    readAt,
    now,
    apply: (statuses) =>
      changeInstruments(client, (known) => {
        const status = statuses[known.instrumentInstalledProductId]
        return status === undefined || status === known.instrumentStatus
          ? known
          : { ...known, instrumentStatus: status }
      }),
  })
}
