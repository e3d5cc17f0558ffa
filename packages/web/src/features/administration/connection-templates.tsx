import type { ConnectionTemplate, ConnectionTemplateInput } from '@benchwatch/contract/instruments/connections'
import { connectionPlaceholders, fillPlaceholders } from '@benchwatch/contract/messages/placeholders'
import {
  type ConnectionEventKind,
  type FeatureKey,
  limits,
  severities,
  severityNames,
} from '@benchwatch/contract/vocabulary'
import { Button, Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { reasonOf } from '../../lib/folded.ts'
import type { CallAnswer, FieldProblems } from '../../lib/http.ts'
import { placeholderProblems } from '../../lib/placeholder-labels.ts'
import { readAgain } from '../../lib/read-again.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { BesideForm, FormSkeleton, RecordForm, useRecordForm, useSharedLeaveGuard } from '../../ui/form/record-form.tsx'
import { usePlaceholderInsert } from '../../ui/form/use-placeholder-insert.ts'
import { Card } from '../../ui/layout/card.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { Fact, FactList } from '../../ui/text/fact.tsx'
import { LongText } from '../../ui/text/long-text.tsx'
import { FailedQuery, Notice } from '../../ui/text/notice.tsx'
import { PlaceholderList } from '../../ui/text/skeleton.tsx'
import { SeverityBadge } from '../events/status/severity-badge.tsx'
import {
  connectionTemplatesQuery,
  useDeleteConnectionTemplate,
  usePutConnectionTemplate,
} from './administration.api.ts'

/** /administration/connection-events: the texts of events about gateways and instruments that lost their connection. */
export function ConnectionEventsScreen() {
  return (
    <>
      <PageHeader
        title="Connection events"
        note="Texts of the events about connections that have been lost for 10 minutes."
      />
      <ConnectionTemplates />
    </>
  )
}

/** Edits the texts of both connection events, each with a preview. */
function ConnectionTemplates() {
  const templates = useQuery(connectionTemplatesQuery())
  if (templates.data !== undefined) return <Found answer={templates.data} />
  if (templates.isPending) return <FormSkeleton label="Loading texts…" fields={6} />
  return <FailedQuery title="Could not get the texts" query={templates} />
}

function Found({ answer: { used, values } }: { answer: CallAnswer<'listConnectionTemplates'> }) {
  const onUnsaved = useSharedLeaveGuard()
  return (
    <>
      {!used && (
        <Notice tone="warning">
          These texts are not used. While INSTRUMENT_STATUS_TEMPLATE is off, events use the built-in texts. Turn it on
          under <Link to="/administration/features">Flags</Link>.
        </Notice>
      )}
      {values.map((template) => (
        <ConnectionTemplateForm key={template.kind} template={template} onUnsaved={onUnsaved(template.kind)} />
      ))}
    </>
  )
}

/** Edits the texts of one connection event, beside a preview of the event. */
function ConnectionTemplateForm(props: { template: ConnectionTemplate; onUnsaved: (hasUnsaved: boolean) => void }) {
  const { template } = props
  const { kind } = template
  const { title, flag } = connectionKindLabels[kind]
  const client = useQueryClient()
  const put = usePutConnectionTemplate()
  const form = useRecordForm<ConnectionDraft>({
    record: connectionDraft(template),
    keepOnPage: `connection template ${kind}`,
    read: async () => {
      const { values } = await readAgain(client, connectionTemplatesQuery())
      const now = values.find((one) => one.kind === kind) ?? template
      return { record: connectionDraft(now), etag: now.etag }
    },
    problemsOf: (values) => connectionProblems(kind, values),
    save: async (values, _fresh, etag) => {
      const saved = await put.mutateAsync({ kind, input: connectionInput(values), etag })
      showSuccess({ title: `${title}: texts saved`, message: 'The next event uses these texts.' })
      return connectionDraft(saved)
    },
  })
  const { register, focused, insert } = usePlaceholderInsert<'description' | 'userMessage'>({
    first: 'description',
    values: form.values,
    onChange: (name, text) => form.change({ [name]: text }),
  })
  // Mistakes in placeholders are shown while the user types, all other problems on save.
  const slips = connectionSlips(kind, form.values)
  const text = (name: 'description' | 'userMessage') => ({
    ref: (field: HTMLInputElement | HTMLTextAreaElement | null) => register(name, field),
    label: connectionLabels[name],
    wrapperProps: { 'data-wide': true },
    ...form.getInputProps(name),
    ...(slips[name] !== undefined && { error: slips[name] }),
    onFocus: () => focused(name),
  })
  return (
    <BesideForm
      form={
        <Card title={title} end={<Origin template={template} onReset={form.discard} />}>
          <RecordForm
            form={form}
            onUnsaved={props.onUnsaved}
            labelOf={(field) => connectionLabels[field as keyof ConnectionDraft]}
          >
            {!template.raised && (
              <div data-wide>
                <Notice tone="info">
                  No such events are created while {flag} is off. Turn it on under{' '}
                  <Link to="/administration/features">Flags</Link>.
                </Notice>
              </div>
            )}
            <TextInput required autoComplete="off" maxLength={limits.connectionDescription} {...text('description')} />
            <Textarea
              description="What users of the instrument can do. Optional."
              autosize
              minRows={2}
              maxRows={12}
              maxLength={limits.connectionUserMessage}
              {...text('userMessage')}
            />
            <PlaceholderList placeholders={connectionPlaceholders[kind]} onInsert={insert} />
            <NativeSelect
              label={connectionLabels.severity}
              data={severities.map((value) => ({ value, label: severityNames[value] }))}
              {...form.getInputProps('severity')}
            />
          </RecordForm>
        </Card>
      }
      preview={<ConnectionEventPreview template={template} draft={form.values} />}
    />
  )
}

/** Says who wrote the texts, and offers to restore the built-in ones. */
function Origin({ template, onReset }: { template: ConnectionTemplate; onReset: () => void }) {
  const reset = useDeleteConnectionTemplate()
  if (template.builtIn)
    return (
      <Text size="xs" c="dimmed">
        Built-in texts
      </Text>
    )

  async function handleReset() {
    const { title } = connectionKindLabels[template.kind]
    const isSure = await confirm({
      message: `${title}: restore the built-in texts? Your texts are deleted. Existing events keep theirs.`,
      confirmLabel: 'Use built-in texts',
      isDestructive: true,
    })
    if (!isSure) return
    try {
      await reset.mutateAsync(template.kind)
      onReset()
      showSuccess({ title: `${title}: built-in texts restored`, message: 'The next event uses these texts.' })
    } catch (error) {
      showFailure({ title: 'Could not reset the texts', message: reasonOf(error) })
    }
  }

  return (
    <Group gap="4px 12px">
      <Text size="xs" c="dimmed">
        {originLabel(template)}
      </Text>
      <Button variant="default" size="xs" loading={reset.isPending} onClick={() => void handleReset()}>
        Use built-in texts
      </Button>
    </Group>
  )
}

/** 'Updated 5-Nov-2026 14:02 by Ada Own' */
function originLabel({ updatedAt, updatedBy }: ConnectionTemplate): string {
  if (updatedAt === null) return 'Custom texts'
  return `Updated ${formatEventTime(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}

/** Previews the event that the texts would produce, with placeholders filled in as on the server. */
function ConnectionEventPreview({
  template: { kind, example },
  draft,
}: {
  template: ConnectionTemplate
  draft: ConnectionDraft
}) {
  const { values, invented } = example
  const filled = (text: string) => fillPlaceholders(text, values).trim()
  return (
    <Card
      title={`Preview: ${connectionKindLabels[kind].title.toLowerCase()}`}
      end={<SeverityBadge severity={draft.severity} />}
    >
      <FactList>
        <Fact name={connectionLabels.description}>{textOf(filled(draft.description))}</Fact>
        <Fact name={connectionLabels.userMessage}>{textOf(filled(draft.userMessage))}</Fact>
        <Fact name="Gateway">{values.gateway}</Fact>
        {kind === 'OFFLINE' && <Fact name="Instrument">{values.instrument}</Fact>}
      </FactList>
      <Text size="xs" c="dimmed" mt={12}>
        {invented
          ? `With example names, because no ${kind === 'OFFLINE' ? 'instrument' : 'gateway'} is registered yet.`
          : `With the names of a registered ${kind === 'OFFLINE' ? 'instrument' : 'gateway'}. It has no connection problem.`}
      </Text>
    </Card>
  )
}

function textOf(text: string) {
  return text === '' ? null : <LongText text={text} />
}

/** The form of a connection event. An empty message means none. */
export interface ConnectionDraft {
  severity: ConnectionTemplateInput['severity']
  description: string
  userMessage: string
}

export const connectionLabels: Record<keyof ConnectionDraft, string> = {
  severity: 'Severity',
  description: 'Description',
  userMessage: 'Message to the user',
}

/** Titles of the two connection events, and the flag that must be on for each to be created. */
export const connectionKindLabels: Record<ConnectionEventKind, { title: string; flag: FeatureKey }> = {
  EDGE_ISSUE: { title: 'Silent gateway', flag: 'EDGE_ISSUE_EVENT_CREATION' },
  OFFLINE: { title: 'Silent instrument', flag: 'INSTRUMENT_OFFLINE_EVENT_CREATION' },
}

export function connectionDraft({ severity, description, userMessage }: ConnectionTemplateInput): ConnectionDraft {
  return { severity, description, userMessage: userMessage ?? '' }
}

/** Builds the body of the request. Call it only for a draft without problems. */
export function connectionInput({ severity, description, userMessage }: ConnectionDraft): ConnectionTemplateInput {
  return { severity, description: description.trim(), userMessage: userMessage.trim() || null }
}

/** Returns mistakes in placeholders by field. They are shown while the user types. */
export function connectionSlips(
  kind: ConnectionEventKind,
  { description, userMessage }: ConnectionDraft,
): FieldProblems {
  return placeholderProblems({ description, userMessage }, connectionPlaceholders[kind])
}

/** Returns the problems of the form by field. */
export function connectionProblems(kind: ConnectionEventKind, draft: ConnectionDraft): FieldProblems {
  return {
    ...(draft.description.trim() === '' && { description: 'Enter a description.' }),
    ...connectionSlips(kind, draft),
  }
}
