import { Checkbox, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { Fragment, type ReactNode, useState } from 'react'
import { HtmlField } from '../../ui/form/html-field.tsx'
import type { RecordForm } from '../../ui/form/record-form.tsx'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { DayField } from '../../ui/time/day-field.tsx'
import { type RegistryKind, useFoundObjects } from './registry.api.ts'
import type { RegistryDraft, RegistryField } from './registry-fields.ts'
import { objectName } from './registry-labels.ts'

/** The browser lists city zones only; UTC is the zone of sites without one. */
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

const OPTIONS = 40

/** The control for one field, according to its description. */
function RegistryFieldInput({ field, form }: { field: RegistryField; form: RecordForm<RegistryDraft> }) {
  const { name, input, label } = field
  const own = {
    label,
    description: field.hint,
    required: field.required === true,
    ...form.getInputProps(name, { type: input.kind === 'yes-no' ? 'checkbox' : 'input' }),
  }
  const found = {
    ...own,
    text: String(form.values[name] ?? ''),
    onChoose: (value: string) => form.change({ [name]: value }),
  }
  switch (input.kind) {
    case 'yes-no':
      return <Checkbox {...own} required={false} />
    case 'choice':
      return <NativeSelect {...own} data={[{ value: '', label: 'Choose…' }, ...input.options]} />
    case 'reference':
      return <ReferenceInput {...found} to={input.to} />
    case 'time-zone':
      return <TimeZoneInput {...found} />
    case 'lines':
      return input.html ? (
        <HtmlField {...own} maxLength={input.maxLength} />
      ) : (
        <Textarea
          {...own}
          wrapperProps={{ 'data-wide': true }}
          autosize
          minRows={2}
          maxRows={16}
          maxLength={input.maxLength}
        />
      )
    case 'date':
      return <DayField {...own} value={found.text} onChange={found.onChoose} />
    case 'number':
    case 'text':
      return (
        <TextInput
          {...own}
          autoComplete="off"
          inputMode={input.kind === 'number' ? 'decimal' : 'text'}
          maxLength={input.kind === 'text' ? input.maxLength : 20}
        />
      )
  }
}

/** Props of a field whose value is found by typing. */
interface FoundInputProps {
  label: string
  description: ReactNode
  required: boolean
  error?: ReactNode
  text: string
  onChoose: (value: string) => void
}

/** An IANA time zone, found by any part of its name. Spaces match underscores. */
function TimeZoneInput(props: FoundInputProps) {
  const [search, setSearch] = useState('')
  const sought = search.trim().toLowerCase().replaceAll(' ', '_')
  const found = zones.filter((zone) => zone.toLowerCase().includes(sought)).slice(0, OPTIONS)
  return (
    <SearchSelect
      {...props}
      placeholder="Type a city or a region"
      options={found.map((zone) => ({ value: zone, label: zone, hint: clockIn(zone) }))}
      isLoading={false}
      onSearch={setSearch}
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
function ReferenceInput({ to, ...props }: FoundInputProps & { to: RegistryKind }) {
  const { objects, control } = useFoundObjects(to)
  return (
    <SearchSelect
      {...props}
      {...control}
      options={objects.map((object) => ({
        value: object.key,
        label: object.key,
        hint: objectName(to, object) ?? undefined,
      }))}
      onClear={props.required ? undefined : () => props.onChoose('')}
    />
  )
}

/** All fields of a kind, in their groups. */
export function RegistryFormFields(props: { fields: readonly RegistryField[]; form: RecordForm<RegistryDraft> }) {
  return props.fields.map((field) => (
    <Fragment key={field.name}>
      {field.opens !== undefined && (
        <Text component="h2" size="xs" fw={620} c="dimmed" pt={8} data-wide>
          {field.opens}
        </Text>
      )}
      <RegistryFieldInput field={field} form={props.form} />
    </Fragment>
  ))
}
