import type { SupportEmailTemplate } from '@benchwatch/contract/messages/support-emails'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isNotFound } from '../../lib/http.ts'
import { type KnownTypes, typeLabel, useInstrumentTypes } from '../../lib/instrument-type.ts'
import { readAgain } from '../../lib/read-again.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { BesideForm, FormSkeleton, RecordForm, useRecordForm } from '../../ui/form/record-form.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import { DeleteButton } from '../../ui/overlay/delete-button.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { ErrorState, FailedQuery } from '../../ui/text/notice.tsx'
import { TemplateKeyFields } from '../registry/template-key-fields.tsx'
import { isTemplate, templateQuery, useDeleteTemplate, usePutTemplate } from './support-emails.api.ts'
import {
  emptyTemplate,
  type TemplateDraft,
  templateDraft,
  templateInput,
  templateKeyProblems,
  templateLabels,
  templateProblems,
} from './template-draft.ts'
import { TemplateFields } from './template-fields.tsx'
import { TemplatePreview } from './template-preview.tsx'

/** A form for one template, with a preview of its e-mail. `onDeleted` leaves the screen. */
export function TemplateEditor(props: { templateKey: string; crumbs: ReactNode; onDeleted: () => void }) {
  const { templateKey, crumbs } = props
  const template = useQuery(templateQuery(templateKey))
  if (template.data !== undefined)
    return <FoundTemplate key={templateKey} template={template.data} crumbs={crumbs} onDeleted={props.onDeleted} />
  return (
    <>
      <PageHeader crumbs={crumbs} title={templateKey.split('/')[1] ?? templateKey} />
      {template.isPending ? (
        <FormSkeleton label="Loading template…" fields={6} />
      ) : isNotFound(template.error) ? (
        <ErrorState title="This template does not exist">Check the address or find it in the list.</ErrorState>
      ) : (
        <FailedQuery title="Could not get template" query={template} />
      )}
    </>
  )
}

function FoundTemplate(props: { template: SupportEmailTemplate; crumbs: ReactNode; onDeleted: () => void }) {
  const { template } = props
  const client = useQueryClient()
  const put = usePutTemplate()
  const remove = useDeleteTemplate()
  const types = useInstrumentTypes()
  const form = useRecordForm<TemplateDraft>({
    record: templateDraft(template),
    keepOnPage: `template ${template.key}`,
    read: async () => {
      const now = await readAgain(client, templateQuery(template.key))
      return { record: templateDraft(now), etag: now.etag }
    },
    problemsOf: templateProblems,
    save: async (values, _fresh, etag) => {
      const saved = await put.mutateAsync({ key: template.key, input: templateInput(values), etag })
      showSuccess({ title: `Template for ${saved.templateId} saved`, message: 'The next e-mail uses this text.' })
      return templateDraft(saved)
    },
  })
  return (
    <>
      <PageHeader crumbs={props.crumbs} title={template.templateId} note={noteOf(template, types)}>
        <DeleteButton
          noun="template"
          name={`for ${template.templateId} on ${typeLabel(types, template.instrumentType)}`}
          consequence="No more e-mails are sent about this error. Sent e-mails and unsubscriptions are kept."
          remove={() => remove.mutateAsync(template.key)}
          onDeleted={props.onDeleted}
        />
      </PageHeader>
      <BesideForm
        form={
          <Card>
            <RecordForm form={form} labelOf={(field) => templateLabels[field as keyof TemplateDraft]}>
              <TemplateFields form={form} />
            </RecordForm>
          </Card>
        }
        preview={<TemplatePreview templateKey={template.key} input={inputToPreview(form.values)} />}
      />
    </>
  )
}

/** Returns null while the texts can't be sent. */
function inputToPreview(draft: TemplateDraft) {
  return Object.keys(templateProblems(draft)).length === 0 ? templateInput(draft) : null
}

const blank = { instrumentType: '', templateId: '', ...emptyTemplate }

/** A form for a new template. `onDone` opens it, `onCancel` leaves the screen. */
export function NewTemplate(props: {
  onDone: (template: { instrumentType: string; templateId: string }) => void
  onCancel: () => void
}) {
  const put = usePutTemplate()
  const form = useRecordForm({
    record: blank,
    keepOnPage: 'new template',
    problemsOf: async (values) => {
      const { instrumentType, templateId, texts } = partsOf(values)
      const found = { ...templateKeyProblems(instrumentType, templateId), ...templateProblems(texts) }
      if (Object.keys(found).length > 0) return found
      // A PUT would silently replace an existing template.
      const isTaken = await isTemplate(`${instrumentType}/${templateId}`)
      return isTaken ? { templateId: 'A template for this error already exists.' } : {}
    },
    save: async (values) => {
      const { instrumentType, templateId, texts } = partsOf(values)
      await put.mutateAsync({ key: `${instrumentType}/${templateId}`, input: templateInput(texts) })
      showSuccess({
        title: `Template for ${templateId} created`,
        message: texts.underReview ? 'No e-mails are sent while it is under review.' : 'E-mails are sent from now on.',
      })
      props.onDone({ instrumentType, templateId })
      return values
    },
  })
  const { instrumentType, templateId, texts } = partsOf(form.values)
  const hasKey = Object.keys(templateKeyProblems(instrumentType, templateId)).length === 0
  return (
    <BesideForm
      form={
        <Card>
          <RecordForm form={form} saveLabel="Create" discardLabel="Cancel" onCancel={props.onCancel}>
            <TemplateKeyFields form={form} idLabel="Error id" />
            <TemplateFields form={form} />
          </RecordForm>
        </Card>
      }
      preview={
        <TemplatePreview
          templateKey={`${instrumentType}/${templateId}`}
          input={hasKey ? inputToPreview(texts) : null}
        />
      }
    />
  )
}

function partsOf({ instrumentType, templateId, ...texts }: typeof blank) {
  return { instrumentType, templateId: templateId.trim(), texts }
}

/** Returns e.g. 'ÄKTA pure · Updated 5-Nov-2026 14:02 by Ada Own'. */
function noteOf({ instrumentType, updatedAt, updatedBy }: SupportEmailTemplate, types: KnownTypes): string {
  const by = updatedBy === null ? '' : ` by ${updatedBy}`
  const updated = updatedAt === null ? [] : [`Updated ${formatEventTime(updatedAt)}${by}`]
  return [typeLabel(types, instrumentType), ...updated].join(' · ')
}
