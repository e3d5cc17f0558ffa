import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { hintBelow } from '../../ui/form/code-field.tsx'
import { RecordForm } from '../../ui/form/record-form.tsx'
import { useLeaveGuard } from '../../ui/form/use-draft.ts'
import { anyProblem, useSaving } from '../../ui/form/use-saving.ts'
import { Card } from '../../ui/layout/card.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { isRegistered, type RegistryKind, usePutRegistryObject } from './registry.api.ts'
import { RegistryFormFields } from './registry-field-input.tsx'
import { keyProblem, registryDraft, registryFields, registryInput, registryProblems } from './registry-fields.ts'
import { kindLabels } from './registry-labels.ts'
import { TemplateKeyFields } from './template-key-fields.tsx'

/** A form for a new object of a kind. `onDone` opens the object, `onCancel` leaves the screen. */
export function NewRegistryObject(props: { kind: RegistryKind; onDone: (key: string) => void; onCancel: () => void }) {
  const { kind } = props
  const description = registryFields[kind]
  const empty = registryDraft(description.fields, null)
  const [key, setKey] = useState('')
  const [draft, setDraft] = useState(empty)
  const { isSaving, problems, failure, save } = useSaving()
  const put = usePutRegistryObject()
  const isChanged = key !== '' || JSON.stringify(draft) !== JSON.stringify(empty)
  useLeaveGuard(isChanged && !isSaving)

  async function register() {
    const wrongKey = keyProblem(description, key)
    const found = anyProblem({
      ...(wrongKey !== null && { key: wrongKey }),
      ...registryProblems(description.fields, draft),
    })
    if (found !== null) return found
    const name = key.trim()
    // A PUT would silently replace an existing object.
    if (await isRegistered(kind, name)) return { key: `A ${kindLabels[kind].one} with this key already exists.` }
    const object = await put.mutateAsync({ kind, key: name, input: registryInput(description.fields, draft) })
    showSuccess({ title: `${object.key} registered` })
    props.onDone(object.key)
    return null
  }

  return (
    <Card>
      <RecordForm
        saveLabel="Register"
        discardLabel="Cancel"
        isChanged={isChanged}
        isPending={isSaving}
        problem={failure}
        problems={problems}
        onSave={() => void save(register)}
        onDiscard={props.onCancel}
      >
        <RegistryKeyInput kind={kind} value={key} error={problems.key} onChange={setKey} />
        <RegistryFormFields
          fields={description.fields}
          values={draft}
          problems={problems}
          onChange={(edits) => setDraft((known) => ({ ...known, ...edits }))}
        />
      </RecordForm>
    </Card>
  )
}

/**
 * The key of a new object. It can't be changed later, because other objects refer to it. A template's key has two
 * parts.
 */
function RegistryKeyInput(props: {
  kind: RegistryKind
  value: string
  error: string | undefined
  onChange: (key: string) => void
}) {
  const { keyLabel, keyHint } = registryFields[props.kind]
  if (props.kind === 'event-templates') return <TemplateKeyInput {...props} />
  return (
    <TextInput
      label={keyLabel}
      inputWrapperOrder={hintBelow}
      description={`${keyHint} It cannot be changed later.`}
      required
      autoFocus
      autoComplete="off"
      spellCheck={false}
      maxLength={120}
      value={props.value}
      error={props.error}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  )
}

function TemplateKeyInput(props: { value: string; error: string | undefined; onChange: (key: string) => void }) {
  const [instrumentType = '', templateId = ''] = props.value.split('/')
  const key = { instrumentType, templateId }
  return (
    <TemplateKeyFields
      value={key}
      idLabel="Template ID"
      problems={{ instrumentType: props.error !== undefined && instrumentType === '', templateId: props.error }}
      onChange={(edits) => {
        const edited = { ...key, ...edits }
        props.onChange(`${edited.instrumentType}/${edited.templateId.replaceAll('/', '')}`)
      }}
    />
  )
}
