import { Checkbox, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { type FieldProblems, isNotFound } from '../../lib/http.ts'
import { readAgain } from '../../lib/read-again.ts'
import { HtmlField } from '../../ui/form/html-field.tsx'
import { FormSkeleton, RecordForm, useRecordForm } from '../../ui/form/record-form.tsx'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { DeleteButton } from '../../ui/overlay/delete-button.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { ErrorState, FailedQuery } from '../../ui/text/notice.tsx'
import { DayField } from '../../ui/time/day-field.tsx'
import {
  isRegistered,
  type RegistryKind,
  type RegistryObject,
  registryObjectQuery,
  useDeleteRegistryObject,
  useFoundObjects,
  usePutRegistryObject,
} from './registry.api.ts'
import {
  keyProblem,
  type RegistryDraft,
  type RegistryField,
  registryDraft,
  registryFields,
  registryInput,
  registryProblems,
} from './registry-fields.ts'
import { kindLabels, objectName } from './registry-labels.ts'
import { TemplateKeyFields } from './template-key-fields.tsx'

/** A form for one existing registry object. Its key is fixed. */
export function RegistryObjectForm({ kind, objectKey }: { kind: RegistryKind; objectKey: string }) {
  const object = useQuery(registryObjectQuery(kind, objectKey))
  const { one } = kindLabels[kind]
  if (object.data !== undefined) return <FoundObject key={`${kind}/${objectKey}`} kind={kind} object={object.data} />
  if (object.isPending) return <FormSkeleton label={`Loading ${one}…`} fields={registryFields[kind].fields.length} />
  if (isNotFound(object.error))
    return <ErrorState title={`This ${one} does not exist`}>Check the address or find it in the list.</ErrorState>
  return <FailedQuery title={`Could not get ${one}`} query={object} />
}

function FoundObject({ kind, object }: { kind: RegistryKind; object: RegistryObject }) {
  const client = useQueryClient()
  const put = usePutRegistryObject()
  const { fields } = registryFields[kind]
  const form = useRecordForm<RegistryDraft>({
    record: registryDraft(fields, object),
    keepOnPage: `${kind} ${object.key}`,
    read: async () => {
      const now = await readAgain(client, registryObjectQuery(kind, object.key))
      return { record: registryDraft(fields, now), etag: now.etag }
    },
    problemsOf: (values) => registryProblems(fields, values),
    save: async (values, _fresh, etag) => {
      const saved = await put.mutateAsync({ kind, key: object.key, input: registryInput(fields, values), etag })
      showSuccess({ title: `${saved.key} saved` })
      return registryDraft(fields, saved)
    },
  })
  return (
    <Card>
      <RecordForm form={form} labelOf={(name) => fields.find((field) => field.name === name)?.label ?? name}>
        <RegistryFormFields fields={fields} form={form} />
      </RecordForm>
    </Card>
  )
}

/** A button for types and families, which the server deletes unless something refers to them. Other kinds stay. */
export function DeleteRegistryObject(props: { kind: RegistryKind; objectKey: string; onDeleted: () => void }) {
  const { kind, objectKey: key } = props
  const remove = useDeleteRegistryObject()
  if (kind !== 'instrument-families' && kind !== 'instrument-types') return null
  return (
    <DeleteButton
      noun={kindLabels[kind].one}
      name={key}
      remove={() => remove.mutateAsync({ kind, key })}
      onDeleted={props.onDeleted}
    />
  )
}

/**
 * A form for a new object of a kind. Its key can't be changed later, because other objects refer to it. A template's
 * key has two parts. `known` are fields that are filled in already. `onDone` opens the object, `onCancel` leaves the
 * screen.
 */
export function NewRegistryObject(props: {
  kind: RegistryKind
  known: RegistryDraft
  onDone: (key: string) => void
  onCancel: () => void
}) {
  const { kind } = props
  const description = registryFields[kind]
  const { fields } = description
  const isTemplate = kind === 'event-templates'
  const put = usePutRegistryObject()
  const record: RegistryDraft = {
    ...(isTemplate ? { instrumentType: '', templateId: '' } : { key: '' }),
    ...registryDraft(fields, null),
  }
  const form = useRecordForm<RegistryDraft>({
    record,
    keepOnPage: `new ${kind}`,
    // An address may contain anything.
    edits: Object.fromEntries(Object.entries(props.known).filter(([field]) => Object.hasOwn(record, field))),
    problemsOf: async (values) => {
      const wrongKey = keyProblem(description, keyOf(values))
      const found: FieldProblems = {
        ...(wrongKey !== null && keyProblems(values, wrongKey)),
        ...registryProblems(fields, values),
      }
      // A PUT would silently replace an existing object.
      return Object.keys(found).length > 0 || !(await isRegistered(kind, keyOf(values)))
        ? found
        : keyProblems(values, `A ${kindLabels[kind].one} with this key already exists.`)
    },
    save: async (values) => {
      const object = await put.mutateAsync({ kind, key: keyOf(values), input: registryInput(fields, values) })
      showSuccess({ title: `${object.key} registered` })
      props.onDone(object.key)
      return values
    },
  })
  return (
    <Card>
      <RecordForm form={form} saveLabel="Register" discardLabel="Cancel" onCancel={props.onCancel}>
        {isTemplate ? (
          <TemplateKeyFields form={form} idLabel="Template ID" />
        ) : (
          <TextInput
            label={description.keyLabel}
            description={`${description.keyHint} It cannot be changed later.`}
            required
            autoFocus
            autoComplete="off"
            spellCheck={false}
            maxLength={120}
            {...form.getInputProps('key')}
          />
        )}
        <RegistryFormFields fields={fields} form={form} />
      </RecordForm>
    </Card>
  )
}

function keyOf({ key, instrumentType, templateId }: RegistryDraft): string {
  if (key !== undefined) return String(key).trim()
  return `${instrumentType}/${String(templateId).trim().replaceAll('/', '')}`
}

function keyProblems({ key, instrumentType }: RegistryDraft, problem: string): FieldProblems {
  if (key !== undefined) return { key: problem }
  return { ...(instrumentType === '' && { instrumentType: 'Choose an instrument type.' }), templateId: problem }
}

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
function RegistryFormFields(props: { fields: readonly RegistryField[]; form: RecordForm<RegistryDraft> }) {
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
