import { TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FieldProblems } from '../../lib/http.ts'
import { isNotFound } from '../../lib/http.ts'
import { readAgain } from '../../lib/read-again.ts'
import { FormSkeleton, RecordForm, useRecordForm } from '../../ui/form/record-form.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { DeleteButton } from '../../ui/overlay/delete-button.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { ErrorState, FailedQuery } from '../../ui/text/notice.tsx'
import {
  isRegistered,
  type RegistryKind,
  type RegistryObject,
  registryObjectQuery,
  useDeleteRegistryObject,
  usePutRegistryObject,
} from './registry.api.ts'
import { RegistryFormFields } from './registry-field-input.tsx'
import {
  keyProblem,
  type RegistryDraft,
  registryDraft,
  registryFields,
  registryInput,
  registryProblems,
} from './registry-fields.ts'
import { kindLabels } from './registry-labels.ts'
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
