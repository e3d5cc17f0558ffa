import { useState } from 'react'
import { BesideForm, RecordForm } from '../../ui/form/record-form.tsx'
import { useLeaveGuard } from '../../ui/form/use-draft.ts'
import { anyProblem, useSaving } from '../../ui/form/use-saving.ts'
import { Card } from '../../ui/layout/card.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { TemplateKeyFields } from '../registry/template-key-fields.tsx'
import { isTemplate, usePutTemplate } from './support-emails.api.ts'
import {
  emptyTemplate,
  type TemplateDraft,
  templateInput,
  templateKeyProblems,
  templateProblems,
} from './template-draft.ts'
import { TemplateFields } from './template-fields.tsx'
import { TemplatePreview } from './template-preview.tsx'

const blank = { instrumentType: '', templateId: '', ...emptyTemplate }

/** A form for a new template. `onDone` opens it, `onCancel` leaves the screen. */
export function NewTemplate(props: {
  onDone: (template: { instrumentType: string; templateId: string }) => void
  onCancel: () => void
}) {
  const [draft, setDraft] = useState(blank)
  const { instrumentType, templateId: typedId, ...texts } = draft
  const templateId = typedId.trim()
  const { isSaving, problems, failure, save, forget } = useSaving()
  const put = usePutTemplate()
  const isChanged = JSON.stringify(draft) !== JSON.stringify(blank)
  useLeaveGuard(isChanged && !isSaving)
  const keyProblems = templateKeyProblems(instrumentType, templateId)
  const textProblems = templateProblems(texts)
  const canBeSeen = anyProblem({ ...keyProblems, ...textProblems }) === null

  function change(edits: Partial<typeof draft>) {
    setDraft((known) => ({ ...known, ...edits }))
    forget()
  }

  async function create() {
    const found = anyProblem({ ...keyProblems, ...textProblems })
    if (found !== null) return found
    const key = `${instrumentType}/${templateId}`
    // A PUT would silently replace an existing template.
    if (await isTemplate(key)) return { templateId: 'A template for this error already exists.' }
    await put.mutateAsync({ key, input: templateInput(texts) })
    showSuccess({
      title: `Template for ${templateId} created`,
      message: texts.underReview ? 'No e-mails are sent while it is under review.' : 'E-mails are sent from now on.',
    })
    props.onDone({ instrumentType, templateId })
    return null
  }

  return (
    <BesideForm
      form={
        <Card>
          <RecordForm
            saveLabel="Create"
            discardLabel="Cancel"
            isChanged={isChanged}
            isPending={isSaving}
            problem={failure ?? problems.key ?? null}
            problems={problems}
            onSave={() => void save(create)}
            onDiscard={props.onCancel}
          >
            <TemplateKeyFields
              value={{ instrumentType, templateId: typedId }}
              idLabel="Error id"
              problems={problems}
              onChange={change}
            />
            <TemplateFields
              values={texts}
              problems={problems}
              onChange={(edits: Partial<TemplateDraft>) => change(edits)}
            />
          </RecordForm>
        </Card>
      }
      preview={
        <TemplatePreview
          templateKey={`${instrumentType}/${templateId}`}
          input={canBeSeen ? templateInput(texts) : null}
        />
      }
    />
  )
}
