import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import type { FieldProblems } from '../../lib/http.ts'
import { hintBelow } from '../../ui/form/code-field.tsx'
import form from '../../ui/form/form.module.css'
import { HtmlField } from '../../ui/form/html-field.tsx'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { type RegistryKind, registryListQuery } from './registry.api.ts'
import type { RegistryDraft, RegistryField } from './registry-fields.ts'
import { objectName } from './registry-labels.ts'

/** Options in one dropdown; further ones are found by typing more. */
const REFERENCE_INPUT_OPTIONS = 25

/** The browser lists city zones only; UTC is the zone of sites without one. */
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

const OPTIONS = 40

/** The control for one field, according to its description. */
export function RegistryFieldInput(props: {
  field: RegistryField
  value: string | boolean
  error: string | undefined
  onChange: (value: string | boolean) => void
}) {
  const { field, error, onChange } = props
  const { input, label } = field
  const text = typeof props.value === 'string' ? props.value : ''
  const own = { label, error, description: field.hint, required: field.required === true }
  const usual = { ...own, inputWrapperOrder: hintBelow }
  switch (input.kind) {
    case 'yes-no':
      return (
        <Checkbox
          className={form.box}
          label={label}
          error={error}
          checked={props.value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )
    case 'choice':
      return (
        <NativeSelect {...usual} value={text} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">Choose…</option>
          {input.options.map(({ value, label: option }) => (
            <option key={value} value={value}>
              {option}
            </option>
          ))}
        </NativeSelect>
      )
    case 'reference':
      return <ReferenceInput {...own} to={input.to} value={text} onChange={onChange} />
    case 'time-zone':
      return <TimeZoneInput {...own} value={text} onChange={onChange} />
    case 'lines':
      return input.html ? (
        <HtmlField {...own} maxLength={input.maxLength} value={text} onChange={onChange} />
      ) : (
        <div data-wide>
          <Textarea
            {...usual}
            autosize
            minRows={2}
            maxRows={16}
            maxLength={input.maxLength}
            value={text}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
        </div>
      )
    case 'date':
      return (
        <TextInput
          {...usual}
          type="date"
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
    case 'number':
    case 'text':
      return (
        <TextInput
          {...usual}
          autoComplete="off"
          inputMode={input.kind === 'number' ? 'decimal' : 'text'}
          maxLength={input.kind === 'text' ? input.maxLength : 20}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
  }
}

/** An IANA time zone, found by any part of its name. Spaces match underscores. */
function TimeZoneInput(props: {
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

/** Returns e.g. '14:02', the current time in a zone, as a hint to the right one. */
function clockIn(zone: string): string {
  return new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format()
}

/** The key of an object of another kind, found by key or name. */
function ReferenceInput(props: {
  label: string
  to: RegistryKind
  value: string
  onChange: (key: string) => void
  error: string | undefined
  description: ReactNode
  required: boolean
}) {
  // No request is sent before the field gets the focus: a form has up to five of these.
  const [search, setSearch] = useState<string | null>(null)
  const found = useQuery({
    ...registryListQuery(props.to, { keyword: search ?? '', page: 1, pageSize: REFERENCE_INPUT_OPTIONS }),
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

/** All fields of a kind, in their groups. */
export function RegistryFormFields(props: {
  fields: readonly RegistryField[]
  values: RegistryDraft
  problems: FieldProblems
  onChange: (edits: RegistryDraft) => void
}) {
  return props.fields.map((field) => (
    <Fragment key={field.name}>
      {field.opens !== undefined && <h2 className={form.legend}>{field.opens}</h2>}
      <RegistryFieldInput
        field={field}
        value={props.values[field.name] ?? ''}
        error={props.problems[field.name]}
        onChange={(value) => props.onChange({ [field.name]: value })}
      />
    </Fragment>
  ))
}
