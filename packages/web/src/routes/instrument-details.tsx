import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { DeleteMenu } from '../features/backoffice/deletions.tsx'
import { InstrumentDetails } from '../features/instruments/details/instrument-details.tsx'
import { readInstrumentTab } from '../features/instruments/details/instrument-details-tabs.tsx'
import { instrumentAddress } from '../features/instruments/instruments.search.ts'
import { lastListAddress } from '../lib/list/list-memory.ts'
import { rememberOpened } from '../ui/list/list-frame.tsx'

/**
 * /instruments/{instrumentId}: one instrument, by its id or installed product ID; `?tab=emails` opens the second tab.
 * Closing returns to the list as it was left.
 */
export function InstrumentDetailsScreen() {
  const { instrumentId = '' } = useParams({ strict: false })
  const { tab }: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [listAddress] = useState(() => lastListAddress(instrumentAddress))
  useEffect(() => rememberOpened(instrumentAddress.area, instrumentId), [instrumentId])
  return (
    <InstrumentDetails
      key={instrumentId}
      instrumentId={instrumentId}
      listAddress={listAddress}
      more={(instrument) => (
        <DeleteMenu
          kind="instrument"
          of={instrument}
          onDone={() => void navigate({ to: '/instruments', search: listAddress as never, replace: true })}
        />
      )}
      tab={readInstrumentTab(tab)}
      onTab={(next) =>
        void navigate({
          to: '.',
          search: (search) => ({ ...search, tab: next === 'events' ? undefined : next }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  )
}
