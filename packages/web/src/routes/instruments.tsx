import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type InstrumentSearch, instrumentAddress } from '../features/instruments/instruments.search.ts'
import { InstrumentList } from '../features/instruments/list/instrument-list.tsx'
import { searchOfView } from '../features/instruments/list/instrument-view.ts'
import { type OpenedList, useListOpening } from '../features/views/use-list-opening.ts'
import type { AddressParameters } from '../lib/list/list-address.ts'
import { rememberChoice } from '../lib/list/list-memory.ts'

const list: OpenedList<InstrumentSearch> = { ...instrumentAddress, area: 'instruments', searchOfView }

/**
 * /instruments: the address contains the state. Every edit is written to it, filters and columns also to the browser's
 * storage.
 */
export function InstrumentsScreen() {
  const parameters: AddressParameters = useSearch({ strict: false })
  const navigate = useNavigate()
  const show = useCallback(
    (next: InstrumentSearch, options?: { replace: boolean }) =>
      navigate({ to: '/instruments', search: list.write(next), replace: options?.replace ?? false }),
    [navigate],
  )
  const opening = useListOpening(list, parameters, (search) => show(search, { replace: true }))
  return (
    <InstrumentList
      search={opening.search}
      isWaiting={opening.isWaiting}
      onSearch={(next, options) => {
        rememberChoice(list, { before: opening.search, next })
        void show(next, options).then(opening.decide)
      }}
      onOpen={(id) => void navigate({ to: '/instruments/$instrumentId', params: { instrumentId: id } })}
    />
  )
}
