import { supportEmailPlaceholders } from '@benchwatch/contract/messages/placeholders'
import type { SupportEmailTemplate, SupportEmailTemplateInput } from '@benchwatch/contract/messages/support-emails'
import { limits } from '@benchwatch/contract/vocabulary'
import { Anchor, Box, Checkbox, Group, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { type CallAnswer, isNotFound } from '../../lib/http.ts'
import { type KnownTypes, typeLabel, useInstrumentTypes } from '../../lib/instrument-type.ts'
import { readAgain } from '../../lib/read-again.ts'
import { eventName } from '../../lib/screen-name.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { HtmlField } from '../../ui/form/html-field.tsx'
import { BesideForm, FormSkeleton, RecordForm, useRecordForm } from '../../ui/form/record-form.tsx'
import { SegmentedControl } from '../../ui/form/segmented-control.tsx'
import { EDIT_DELAY_MS } from '../../ui/form/use-delayed-edit.ts'
import { usePlaceholderInsert } from '../../ui/form/use-placeholder-insert.ts'
import { Card } from '../../ui/layout/card.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import { DeleteButton } from '../../ui/overlay/delete-button.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { Fact, FactList } from '../../ui/text/fact.tsx'
import { ErrorState, FailedQuery, RetryLine } from '../../ui/text/notice.tsx'
import { PlaceholderList } from '../../ui/text/skeleton.tsx'
import { TemplateKeyFields } from '../registry/template-key-fields.tsx'
import {
  isTemplate,
  type TemplateToPreview,
  templatePreviewQuery,
  templateQuery,
  useDeleteTemplate,
  usePutTemplate,
} from './support-emails.api.ts'
import {
  emptyTemplate,
  type TemplateDraft,
  templateDraft,
  templateInput,
  templateKeyProblems,
  templateLabels,
  templateProblems,
  templateSlips,
} from './template-draft.ts'
import styles from './template-preview.module.css'

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
        message: texts.underReview
          ? 'No e-mails are sent while NOTIFY_UNDER_REVIEW is off.'
          : 'E-mails are sent from now on.',
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

/** The fields of a template. Placeholders are inserted into the last edited text, by default the body. */
export function TemplateFields({ form }: { form: RecordForm<TemplateDraft> }) {
  const { register, focused, insert } = usePlaceholderInsert<'subject' | 'body'>({
    first: 'body',
    values: form.values,
    onChange: (name, text) => form.change({ [name]: text }),
  })
  // Placeholder mistakes are shown while typing, everything else on saving.
  const slips = templateSlips(form.values)
  const field = (name: keyof TemplateDraft) => ({ label: templateLabels[name], ...form.getInputProps(name) })
  const wide = { wrapperProps: { 'data-wide': true } }
  const text = (name: 'subject' | 'body') => ({
    ref: (element: HTMLInputElement | HTMLTextAreaElement | null) => register(name, element),
    required: true,
    ...wide,
    ...field(name),
    ...(slips[name] !== undefined && { error: slips[name] }),
    onFocus: () => focused(name),
  })
  const box = (name: 'closesEvent' | 'underReview') => ({
    label: templateLabels[name],
    ...form.getInputProps(name, { type: 'checkbox' }),
  })
  return (
    <>
      <TextInput
        description="Readable name of the module."
        required
        autoComplete="off"
        maxLength={120}
        {...wide}
        {...field('componentName')}
      />
      <TextInput autoComplete="off" maxLength={limits.supportEmailSubject} {...text('subject')} />
      <Textarea
        description="Plain text; an empty line starts a new paragraph."
        autosize
        minRows={8}
        maxRows={22}
        maxLength={limits.supportEmailBody}
        {...text('body')}
      />
      <PlaceholderList placeholders={supportEmailPlaceholders} onInsert={insert} />
      <HtmlField
        description="HTML. Replaces {troubleshooting} in the body."
        maxLength={50_000}
        {...field('troubleshooting')}
      />
      <Checkbox
        description="The system closes it with ‘Closed by automatic email’ unless a user owns it."
        {...box('closesEvent')}
      />
      <Checkbox
        description="While NOTIFY_UNDER_REVIEW is off, no e-mails are sent about this error."
        {...box('underReview')}
      />
    </>
  )
}

/** How a mail program draws an e-mail: on a light or a dark background. */
type MailTheme = 'light' | 'dark'

/**
 * Shows the e-mail that the server would send with the texts in the form, half a second after the last key. `input` is
 * null while the form is invalid; the previous e-mail then stays.
 */
export function TemplatePreview({
  templateKey,
  input,
}: {
  templateKey: string
  input: SupportEmailTemplateInput | null
}) {
  const current = input === null ? null : JSON.stringify({ ...input, key: templateKey })
  const settled = useSettled(current)
  const preview = useQuery(templatePreviewQuery(settled === null ? null : (JSON.parse(settled) as TemplateToPreview)))
  const mail = preview.data
  const isStale = input === null || preview.isPlaceholderData || settled !== current
  return (
    <Card title="Preview" end={<State input={input} isStale={isStale} hasMail={mail !== undefined} />} flush>
      {preview.isError && (
        <Text component="div" c="dimmed" p="12px 16px 18px">
          <RetryLine onRetry={() => void preview.refetch()}>
            Could not get the preview. {preview.error.message}
          </RetryLine>
        </Text>
      )}
      {mail !== undefined ? (
        <Mail mail={mail} isStale={isStale} />
      ) : settled === null ? (
        <Text c="dimmed" p="12px 16px 18px">
          The e-mail appears here once all required fields are filled in.
        </Text>
      ) : (
        !preview.isError && <WaitingMail />
      )}
    </Card>
  )
}

/** Returns `text` debounced, for requests while the user types. `null` requests nothing and changes nothing. */
function useSettled(text: string | null): string | null {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    if (text === null || text === settled) return
    const timer = setTimeout(() => setSettled(text), EDIT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text, settled])
  return settled
}

/** Shows whether the preview matches the form. */
function State(props: { input: SupportEmailTemplateInput | null; isStale: boolean; hasMail: boolean }) {
  const label = !props.hasMail
    ? ''
    : props.input === null
      ? 'Not updated: correct the marked fields'
      : props.isStale
        ? 'Updating…'
        : 'Up to date'
  return (
    <Text span size="xs" c="dimmed" role="status">
      {label}
    </Text>
  )
}

const parts = [
  { value: 'html', label: 'E-mail' },
  { value: 'text', label: 'Text' },
] as const
const widths = [
  { value: 'wide', label: 'Wide' },
  { value: 'narrow', label: 'Narrow' },
] as const
const themes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

function Mail({ mail, isStale }: { mail: CallAnswer<'previewSupportEmailTemplate'>; isStale: boolean }) {
  const [part, setPart] = useState<'html' | 'text'>('html')
  const [width, setWidth] = useState<'wide' | 'narrow'>('wide')
  const [theme, setTheme] = useState<MailTheme>('light')
  return (
    <>
      <Box p="10px 16px 12px">
        <FactList>
          <Fact name="To">{mail.to ?? 'Contact of the instrument'}</Fact>
          <Fact name="About">
            {mail.eventId === null ? (
              'A sample event: this error has not been reported yet'
            ) : (
              // The form keeps its edits.
              <>
                <Anchor inherit underline="always" href={`/events/${mail.eventId}`} target="_blank" rel="noreferrer">
                  {eventName({ eventId: mail.eventId })}
                </Anchor>
                , the newest event with this error
              </>
            )}
          </Fact>
          <Fact name="Subject">
            <strong dir="auto">{mail.subject}</strong>
          </Fact>
        </FactList>
      </Box>
      <Group gap={8} p="0 16px 12px">
        <SegmentedControl label="Part of the e-mail" value={part} options={parts} onChange={setPart} />
        {part === 'html' && (
          <>
            {/* On a phone the preview is always narrow. */}
            <Box visibleFrom="sm">
              <SegmentedControl label="Width" value={width} options={widths} onChange={setWidth} />
            </Box>
            <SegmentedControl label="E-mail theme" value={theme} options={themes} onChange={setTheme} />
          </>
        )}
      </Group>
      {part === 'text' ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus, so that keys scroll it
        <section className={styles.text} data-stale={isStale || undefined} tabIndex={0} aria-label="E-mail as text">
          <pre>{mail.text}</pre>
        </section>
      ) : (
        <div className={styles.ground} data-theme={theme} data-stale={isStale || undefined}>
          <iframe
            className={styles.mail}
            data-width={width}
            title="E-mail as a mail program shows it"
            // No scripts, no forms, no same-origin access; links do nothing.
            sandbox=""
            srcDoc={mailInTheme(`<base target="_blank">${mail.html}`, theme)}
          />
        </div>
      )}
    </>
  )
}

function WaitingMail() {
  return (
    <Stack gap={16} p="14px 16px 24px" role="status" aria-label="Loading preview…">
      {[34, 52, 70, 46].map((width) => (
        <Skeleton key={width} h={10} w={`${width}%`} />
      ))}
    </Stack>
  )
}

/**
 * Returns an e-mail as a mail program with this theme draws it, independent of the browser's preference. It replaces
 * the theme queries in the e-mail's own styles, because not every browser can give a frame another preference.
 */
export function mailInTheme(html: string, theme: MailTheme): string {
  const answered = html.replace(/<style\b[^>]*>[^]*?<\/style>/gi, (styles) =>
    styles.replace(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_asked, current: string) =>
      current.toLowerCase() === theme ? '(min-width: 0)' : '(max-width: 0)',
    ),
  )
  return answered.replace(/<\/head>/i, `<style>:root{color-scheme:${theme}!important}</style></head>`)
}
