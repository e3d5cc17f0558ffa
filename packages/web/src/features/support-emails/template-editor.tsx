import type { SupportEmailTemplate } from '@benchwatch/contract/support-emails'
import { instrumentTypeLabels } from '@benchwatch/contract/vocabulary'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { conflicts } from '../../lib/draft.ts'
import { reasonOf } from '../../lib/folded.ts'
import { isNotFound } from '../../lib/http.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { BesideForm, FormSkeleton, RecordForm } from '../../ui/form/record-form.tsx'
import { useDraft, useLeaveGuard } from '../../ui/form/use-draft.ts'
import { anyProblem, useSaving } from '../../ui/form/use-saving.ts'
import { Card } from '../../ui/layout/card.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { ErrorState } from '../../ui/text/notice.tsx'
import { templateQuery, useDeleteTemplate, usePutTemplate } from './support-emails.api.ts'
import { type TemplateDraft, templateDraft, templateInput, templateLabels, templateProblems } from './template-draft.ts'
import styles from './template-editor.module.css'
import { TemplateFields } from './template-fields.tsx'
import { TemplatePreview } from './template-preview.tsx'

/** A form for one template, with a preview of its e-mail. `onDeleted` leaves the screen. */
export function TemplateEditor(props: { templateKey: string; crumbs: ReactNode; onDeleted: () => void }) {
  const { templateKey, crumbs } = props
  const template = useQuery(templateQuery(templateKey))
  if (template.data !== undefined)
    return <FoundTemplate key={templateKey} template={template.data} crumbs={crumbs} onDeleted={props.onDeleted} />
  return (
    <div className={styles.page}>
      <PageHeader crumbs={crumbs} title={templateKey.split('/')[1] ?? templateKey} />
      {template.isPending ? (
        <FormSkeleton label="Loading template…" fields={6} />
      ) : isNotFound(template.error) ? (
        <ErrorState title="This template does not exist">Check the address or find it in the list.</ErrorState>
      ) : (
        <ErrorState title="Could not get template" onRetry={() => void template.refetch()}>
          {template.error.message}
        </ErrorState>
      )}
    </div>
  )
}

function FoundTemplate(props: { template: SupportEmailTemplate; crumbs: ReactNode; onDeleted: () => void }) {
  const { template } = props
  const client = useQueryClient()
  const record = templateDraft(template)
  const draft = useDraft<TemplateDraft>(record)
  const { isSaving, problems, failure, save, forget } = useSaving()
  const put = usePutTemplate()
  useLeaveGuard(draft.isChanged && !isSaving)
  const canBeSeen = anyProblem(templateProblems(draft.values)) === null

  async function replace() {
    // A PUT replaces every field: merge the fields that others have changed, so that no edit is lost silently.
    const fresh = templateDraft(await client.fetchQuery(templateQuery(template.key)))
    if (conflicts(draft.edits, record, fresh).length > 0) return null
    const values = { ...fresh, ...draft.edits }
    const found = anyProblem(templateProblems(values))
    if (found !== null) return found
    const saved = await put.mutateAsync({ key: template.key, input: templateInput(values) })
    draft.saved(templateDraft(saved))
    showSuccess({ title: `Template for ${saved.templateId} saved`, message: 'The next e-mail uses this text.' })
    return null
  }

  function change(edits: Partial<TemplateDraft>) {
    draft.change(edits)
    forget()
  }

  function discard() {
    draft.discard()
    forget()
  }

  const labelsOf = (fields: (keyof TemplateDraft)[]) => fields.map((field) => templateLabels[field])
  return (
    <div className={styles.page}>
      <PageHeader crumbs={props.crumbs} title={template.templateId} note={noteOf(template)}>
        <DeleteButton template={template} onDeleted={props.onDeleted} />
      </PageHeader>
      <BesideForm
        form={
          <Card>
            <RecordForm
              saveLabel="Save"
              isChanged={draft.isChanged}
              isPending={isSaving}
              problem={failure ?? problems.key ?? null}
              problems={problems}
              elsewhere={{ labels: labelsOf(draft.changedElsewhere), contested: labelsOf(draft.contested) }}
              onSave={() => void save(replace)}
              onDiscard={discard}
            >
              <TemplateFields values={draft.values} problems={problems} onChange={change} />
            </RecordForm>
          </Card>
        }
        preview={<TemplatePreview templateKey={template.key} input={canBeSeen ? templateInput(draft.values) : null} />}
      />
    </div>
  )
}

/** Returns e.g. 'ÄKTA pure · Updated 5-Nov-2026 14:02 by Ada Own'. */
function noteOf({ instrumentType, updatedAt, updatedBy }: SupportEmailTemplate): string {
  const by = updatedBy === null ? '' : ` by ${updatedBy}`
  const updated = updatedAt === null ? [] : [`Updated ${formatEventTime(updatedAt)}${by}`]
  return [instrumentTypeLabels[instrumentType], ...updated].join(' · ')
}

function DeleteButton({ template, onDeleted }: { template: SupportEmailTemplate; onDeleted: () => void }) {
  const remove = useDeleteTemplate()
  const name = `${template.templateId} on ${instrumentTypeLabels[template.instrumentType]}`

  async function handleDelete() {
    const isSure = await confirm({
      message: `Delete the template for ${name}? No more e-mails are sent about this error. Sent e-mails and unsubscriptions are kept.`,
      confirmLabel: 'Delete',
      isDestructive: true,
    })
    if (!isSure) return
    try {
      await remove.mutateAsync(template.key)
      showSuccess({ title: `Template for ${name} deleted` })
      onDeleted()
    } catch (error) {
      showFailure({ title: 'Could not delete template', message: reasonOf(error) })
    }
  }

  return (
    <Button
      variant="default"
      c="var(--bw-danger)"
      loading={remove.isPending}
      leftSection={<IconTrash size={16} stroke={1.7} aria-hidden="true" />}
      onClick={() => void handleDelete()}
    >
      Delete
    </Button>
  )
}
