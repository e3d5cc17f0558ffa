import { useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { RecordForm } from '../../ui/record-form.tsx'
import { showSuccess } from '../../ui/toasts.ts'
import { useLeaveGuard } from '../../ui/use-leave-guard.ts'
import { anyProblem, useSaving } from '../../ui/use-saving.ts'
import { isRegistered, type RegistryKind, usePutRegistryObject } from './registry.api.ts'
import { keyProblem, registryDraft, registryInput, registryProblems } from './registry-draft.ts'
import { registryFields } from './registry-fields.ts'
import { RegistryFormFields } from './registry-form-fields.tsx'
import { RegistryKeyInput } from './registry-key-input.tsx'
import { kindWords } from './registry-words.ts'

/** A new object of a kind. `onDone` leads to it, `onCancel` off the screen. */
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
    // A PUT would replace what is there already, unseen.
    if (await isRegistered(kind, name)) return { key: `There is a ${kindWords[kind].one} with this key already.` }
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
