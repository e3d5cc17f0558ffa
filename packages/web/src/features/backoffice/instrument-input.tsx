import { limits } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { SearchSelect } from '../../ui/search-select.tsx'
import { suggestedInstrumentsQuery } from './backoffice.api.ts'

/** An installed product id: written, or found among the instruments that the person sees by any word about them. */
export function InstrumentInput(props: {
  value: string
  onChange: (installedProductId: string) => void
  label?: string
  error?: ReactNode
  required?: boolean
  description?: ReactNode
}) {
  const { label = 'Installed product id', onChange } = props
  // Nothing is asked before the field is entered: the page has four of them.
  const [search, setSearch] = useState<string | null>(null)
  const found = useQuery({
    ...suggestedInstrumentsQuery((search ?? '').trim().slice(0, limits.keyword)),
    enabled: search !== null,
  })

  function handleSearch(text: string) {
    setSearch(text)
    // What is written counts, also where nothing is chosen: an id may come from a mail.
    if (text !== '') onChange(text.trim())
  }

  return (
    <SearchSelect
      label={label}
      text={props.value}
      error={props.error}
      description={props.description}
      required={props.required ?? false}
      placeholder="Type an id, a name or a customer"
      options={(found.data ?? []).map((instrument) => ({
        value: instrument.instrumentInstalledProductId,
        label: instrument.instrumentInstalledProductId,
        // Isolated: a customer's name may run from right to left.
        hint: `${instrument.instrumentProductDescription} · \u2068${instrument.instrumentCustomer}\u2069`,
      }))}
      isLoading={found.isFetching}
      failed={found.isError}
      onSearch={handleSearch}
      onChoose={onChange}
      onClear={() => onChange('')}
    />
  )
}
