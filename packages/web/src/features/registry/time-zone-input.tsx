import { type ReactNode, useState } from 'react'
import { SearchSelect } from '../../ui/search-select.tsx'

/** The browser's list names cities alone; UTC is where a site without a zone is. */
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
const OPTIONS = 40

/** An IANA zone, found by any part of its name; blanks stand for underscores. */
export function TimeZoneInput(props: {
  label: string
  value: string
  onChange: (zone: string) => void
  error: string | undefined
  description: ReactNode
  required: boolean
}) {
  const [search, setSearch] = useState('')
  const sought = search.trim().toLowerCase().replaceAll(' ', '_')
  const found = zones.filter((zone) => zone.toLowerCase().includes(sought)).slice(0, OPTIONS)
  return (
    <SearchSelect
      label={props.label}
      text={props.value}
      error={props.error}
      description={props.description}
      required={props.required}
      placeholder="Type a city or a region"
      options={found.map((zone) => ({ value: zone, label: zone, hint: clockIn(zone) }))}
      isLoading={false}
      onSearch={setSearch}
      onChoose={props.onChange}
    />
  )
}

/** 14:02: what a clock there shows now, so that the right zone is known at a glance. */
function clockIn(zone: string): string {
  return new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format()
}
