import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { SearchSelect } from '../../ui/search-select.tsx'
import { type RegistryKind, registryListQuery } from './registry.api.ts'
import { objectName } from './registry-words.ts'

/** Options in one dropdown; who does not find theirs types more of it. */
const OPTIONS = 25

/** The key of an object of another kind, found by key or name. */
export function ReferenceInput(props: {
  label: string
  to: RegistryKind
  value: string
  onChange: (key: string) => void
  error: string | undefined
  description: ReactNode
  required: boolean
}) {
  // Nothing is asked before the field is entered: a form has up to five of them.
  const [search, setSearch] = useState<string | null>(null)
  const found = useQuery({
    ...registryListQuery(props.to, { keyword: search ?? '', page: 1, pageSize: OPTIONS }),
    enabled: search !== null,
  })
  return (
    <SearchSelect
      label={props.label}
      text={props.value}
      error={props.error}
      description={props.description}
      required={props.required}
      options={(found.data?.values ?? []).map((object) => ({
        value: object.key,
        label: object.key,
        hint: objectName(props.to, object) ?? undefined,
      }))}
      isLoading={found.isFetching}
      failed={found.isError}
      onSearch={setSearch}
      onChoose={props.onChange}
      onClear={props.required ? undefined : () => props.onChange('')}
    />
  )
}
