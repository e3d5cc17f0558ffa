import { useQuery, useQueryClient } from '@tanstack/react-query'
import { conflicts } from '../../lib/draft.ts'
import { isNotFound } from '../../lib/http.ts'
import { FormSkeleton, RecordForm } from '../../ui/form/record-form.tsx'
import { useDraft, useLeaveGuard } from '../../ui/form/use-draft.ts'
import { anyProblem, useSaving } from '../../ui/form/use-saving.ts'
import { Card } from '../../ui/layout/card.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { ErrorState } from '../../ui/text/notice.tsx'
import { type RegistryKind, type RegistryObject, registryObjectQuery, usePutRegistryObject } from './registry.api.ts'
import { RegistryFormFields } from './registry-field-input.tsx'
import {
  type RegistryDraft,
  registryDraft,
  registryFields,
  registryInput,
  registryProblems,
} from './registry-fields.ts'
import { kindLabels } from './registry-labels.ts'

/** A form for one existing registry object. Its key is fixed. */
export function RegistryObjectForm({ kind, objectKey }: { kind: RegistryKind; objectKey: string }) {
  const object = useQuery(registryObjectQuery(kind, objectKey))
  const { one } = kindLabels[kind]
  if (object.data !== undefined) return <FoundObject key={`${kind}/${objectKey}`} kind={kind} object={object.data} />
  if (object.isPending) return <FormSkeleton label={`Loading ${one}…`} fields={registryFields[kind].fields.length} />
  if (isNotFound(object.error))
    return <ErrorState title={`This ${one} does not exist`}>Check the address or find it in the list.</ErrorState>
  return (
    <ErrorState title={`Could not get ${one}`} onRetry={() => void object.refetch()}>
      {object.error.message}
    </ErrorState>
  )
}

function FoundObject({ kind, object }: { kind: RegistryKind; object: RegistryObject }) {
  const client = useQueryClient()
  const { fields } = registryFields[kind]
  const record = registryDraft(fields, object)
  const draft = useDraft<RegistryDraft>(record)
  const { isSaving, problems, failure, save, forget } = useSaving()
  const put = usePutRegistryObject()
  useLeaveGuard(draft.isChanged && !isSaving)

  async function replace() {
    // A PUT replaces every field: merge the fields that others have changed, so that no edit is lost silently.
    const fresh = registryDraft(fields, await client.fetchQuery(registryObjectQuery(kind, object.key)))
    if (conflicts(draft.edits, record, fresh).length > 0) return null
    const values: RegistryDraft = { ...fresh, ...(draft.edits as RegistryDraft) }
    const found = anyProblem(registryProblems(fields, values))
    if (found !== null) return found
    const saved = await put.mutateAsync({ kind, key: object.key, input: registryInput(fields, values) })
    draft.saved(registryDraft(fields, saved))
    showSuccess({ title: `${saved.key} saved` })
    return null
  }

  function discard() {
    draft.discard()
    forget()
  }

  const labelsOf = (names: readonly (keyof RegistryDraft)[]) =>
    names.map((name) => fields.find((field) => field.name === name)?.label ?? String(name))
  return (
    <Card>
      <RecordForm
        saveLabel="Save"
        isChanged={draft.isChanged}
        isPending={isSaving}
        problem={failure}
        problems={problems}
        elsewhere={{ labels: labelsOf(draft.changedElsewhere), contested: labelsOf(draft.contested) }}
        onSave={() => void save(replace)}
        onDiscard={discard}
      >
        <RegistryFormFields fields={fields} values={draft.values} problems={problems} onChange={draft.change} />
      </RecordForm>
    </Card>
  )
}
