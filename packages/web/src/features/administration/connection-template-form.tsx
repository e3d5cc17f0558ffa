import type { ConnectionTemplate } from '@benchwatch/contract/connections'
import { connectionPlaceholders, fillPlaceholders } from '@benchwatch/contract/placeholders'
import {
  type ConnectionEventKind,
  limits,
  type Severity,
  severities,
  severityNames,
} from '@benchwatch/contract/vocabulary'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { conflicts } from '../../lib/draft.ts'
import { reasonOf } from '../../lib/folded.ts'
import type { FieldProblems } from '../../lib/http.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { hintBelow } from '../../ui/form/code-field.tsx'
import { BesideForm, RecordForm } from '../../ui/form/record-form.tsx'
import type { Draft } from '../../ui/form/use-draft.ts'
import { usePlaceholderInsert } from '../../ui/form/use-placeholder-insert.ts'
import { anyProblem, useSaving } from '../../ui/form/use-saving.ts'
import { Card } from '../../ui/layout/card.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { Fact, FactList } from '../../ui/text/fact.tsx'
import { LongText } from '../../ui/text/long-text.tsx'
import { Notice } from '../../ui/text/notice.tsx'
import { PlaceholderList } from '../../ui/text/skeleton.tsx'
import { SeverityBadge } from '../events/severity-badge.tsx'
import {
  connectionTemplatesQuery,
  useDeleteConnectionTemplate,
  usePutConnectionTemplate,
} from './administration.api.ts'
import {
  type ConnectionDraft,
  connectionDraft,
  connectionInput,
  connectionKindLabels,
  connectionLabels,
  connectionProblems,
  connectionSlips,
} from './connection-draft.ts'
import styles from './connection-template.module.css'

/** Edits the texts of one connection event, beside a preview of the event. */
export function ConnectionTemplateForm({
  template,
  draft,
}: {
  template: ConnectionTemplate
  draft: Draft<ConnectionDraft>
}) {
  const { kind } = template
  const { title, flag } = connectionKindLabels[kind]
  const client = useQueryClient()
  const put = usePutConnectionTemplate()
  const { isSaving, problems, failure, save, forget } = useSaving()

  async function replace() {
    // A PUT replaces every field, so the changes of others are kept. Fields that both changed are shown before they
    // are overwritten.
    const { values } = await client.fetchQuery(connectionTemplatesQuery())
    const fresh = connectionDraft(values.find((one) => one.kind === kind) ?? template)
    if (conflicts(draft.edits, connectionDraft(template), fresh).length > 0) return null
    const merged = { ...fresh, ...draft.edits }
    const found = anyProblem(connectionProblems(kind, merged))
    if (found !== null) return found
    const saved = await put.mutateAsync({ kind, input: connectionInput(merged) })
    draft.saved(connectionDraft(saved))
    showSuccess({ title: `${title}: texts saved`, message: 'The next event uses these texts.' })
    return null
  }

  function discard() {
    draft.discard()
    forget()
  }

  const labelsOf = (fields: (keyof ConnectionDraft)[]) => fields.map((field) => connectionLabels[field])
  return (
    <BesideForm
      form={
        <Card title={title} end={<Origin template={template} onReset={discard} />}>
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
            {!template.raised && (
              <div data-wide>
                <Notice tone="info">
                  No such events are created while {flag} is off. Turn it on under{' '}
                  <Link to="/administration/features">Flags</Link>.
                </Notice>
              </div>
            )}
            <ConnectionTemplateFields
              kind={kind}
              values={draft.values}
              problems={problems}
              onChange={(edits) => {
                draft.change(edits)
                forget()
              }}
            />
          </RecordForm>
        </Card>
      }
      preview={<ConnectionEventPreview template={template} draft={draft.values} />}
    />
  )
}

/** Says who wrote the texts, and offers to restore the built-in ones. */
function Origin({ template, onReset }: { template: ConnectionTemplate; onReset: () => void }) {
  const reset = useDeleteConnectionTemplate()
  if (template.builtIn) return <span className={styles.origin}>Built-in texts</span>

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
    <span className={styles.origin}>
      {originLabel(template)}
      <Button variant="default" size="xs" loading={reset.isPending} onClick={() => void handleReset()}>
        Use built-in texts
      </Button>
    </span>
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
      <p className={styles.about}>
        {invented
          ? `With example names, because no ${kind === 'OFFLINE' ? 'instrument' : 'gateway'} is registered yet.`
          : `With the names of a registered ${kind === 'OFFLINE' ? 'instrument' : 'gateway'}. It has no connection problem.`}
      </p>
    </Card>
  )
}

function textOf(text: string) {
  return text === '' ? null : <LongText text={text} />
}

/**
 * The fields of a connection event. Placeholders are inserted into the text that was edited last, at first the
 * description.
 */
function ConnectionTemplateFields(props: {
  kind: ConnectionEventKind
  values: ConnectionDraft
  problems: FieldProblems
  onChange: (edits: Partial<ConnectionDraft>) => void
}) {
  const { kind, values, onChange } = props
  const { register, focused, insert } = usePlaceholderInsert<'description' | 'userMessage'>({
    first: 'description',
    values,
    onChange: (name, text) => onChange({ [name]: text }),
  })
  // Mistakes in placeholders are shown while the user types, all other problems on save.
  const problems = { ...props.problems, ...connectionSlips(kind, values) }
  return (
    <>
      <div data-wide>
        <TextInput
          ref={(field) => register('description', field)}
          label={connectionLabels.description}
          required
          autoComplete="off"
          maxLength={limits.connectionDescription}
          value={values.description}
          error={problems.description}
          onFocus={() => focused('description')}
          onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        />
      </div>
      <div data-wide>
        <Textarea
          ref={(field) => register('userMessage', field)}
          label={connectionLabels.userMessage}
          description="What users of the instrument can do. Optional."
          inputWrapperOrder={hintBelow}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={limits.connectionUserMessage}
          value={values.userMessage}
          error={problems.userMessage}
          onFocus={() => focused('userMessage')}
          onChange={({ currentTarget }) => onChange({ userMessage: currentTarget.value })}
        />
      </div>
      <PlaceholderList placeholders={connectionPlaceholders[kind]} onInsert={insert} />
      <NativeSelect
        label={connectionLabels.severity}
        value={values.severity}
        error={problems.severity}
        data={severities.map((value) => ({ value, label: severityNames[value] }))}
        onChange={({ currentTarget }) => onChange({ severity: currentTarget.value as Severity })}
      />
    </>
  )
}
