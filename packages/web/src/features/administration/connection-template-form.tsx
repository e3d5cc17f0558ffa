import type { ConnectionTemplate } from '@benchwatch/contract/connections'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatEventTime } from '../../lib/dates.ts'
import { conflicts } from '../../lib/draft.ts'
import { reasonOf } from '../../lib/reason.ts'
import { BesideForm } from '../../ui/beside-form.tsx'
import { Card } from '../../ui/card.tsx'
import { confirm } from '../../ui/confirm-store.ts'
import { Notice } from '../../ui/notice.tsx'
import { RecordForm } from '../../ui/record-form.tsx'
import { showFailure, showSuccess } from '../../ui/toasts.ts'
import type { Draft } from '../../ui/use-draft.ts'
import { anyProblem, useSaving } from '../../ui/use-saving.ts'
import {
  connectionTemplatesQuery,
  useDeleteConnectionTemplate,
  usePutConnectionTemplate,
} from './administration.api.ts'
import {
  type ConnectionDraft,
  connectionDraft,
  connectionInput,
  connectionKindWords,
  connectionLabels,
  connectionProblems,
} from './connection-draft.ts'
import { ConnectionEventPreview } from './connection-event-preview.tsx'
import styles from './connection-template.module.css'
import { ConnectionTemplateFields } from './connection-template-fields.tsx'

/** The texts of one kind of event, to read and to change, beside the event that they make. */
export function ConnectionTemplateForm({
  template,
  draft,
}: {
  template: ConnectionTemplate
  draft: Draft<ConnectionDraft>
}) {
  const { kind } = template
  const { title, flag } = connectionKindWords[kind]
  const client = useQueryClient()
  const put = usePutConnectionTemplate()
  const { isSaving, problems, failure, save, forget } = useSaving()

  async function replace() {
    // A PUT replaces every field: those that others changed since are taken along, and no edit of both is lost unseen.
    const { values } = await client.fetchQuery(connectionTemplatesQuery())
    const fresh = connectionDraft(values.find((one) => one.kind === kind) ?? template)
    if (conflicts(draft.edits, connectionDraft(template), fresh).length > 0) return null
    const wanted = { ...fresh, ...draft.edits }
    const found = anyProblem(connectionProblems(kind, wanted))
    if (found !== null) return found
    const saved = await put.mutateAsync({ kind, input: connectionInput(wanted) })
    draft.saved(connectionDraft(saved))
    showSuccess({ title: `${title}: texts saved`, message: 'The next event has these words.' })
    return null
  }

  function discard() {
    draft.discard()
    forget()
  }

  const words = (fields: (keyof ConnectionDraft)[]) => fields.map((field) => connectionLabels[field])
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
            elsewhere={{ labels: words(draft.changedElsewhere), contested: words(draft.contested) }}
            onSave={() => void save(replace)}
            onDiscard={discard}
          >
            {!template.raised && (
              <div data-wide>
                <Notice tone="info">
                  No such event is made while {flag} is off. Switch it on at{' '}
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

/** Whose texts these are, and the way back to the built-in ones. */
function Origin({ template, onReset }: { template: ConnectionTemplate; onReset: () => void }) {
  const reset = useDeleteConnectionTemplate()
  if (template.builtIn) return <span className={styles.origin}>Built-in texts</span>

  async function handleReset() {
    const { title } = connectionKindWords[template.kind]
    const isSure = await confirm({
      message: `${title}: use the built-in texts again? The texts that stand here are lost. Events that were made keep theirs.`,
      confirmLabel: 'Use built-in texts',
      isDestructive: true,
    })
    if (!isSure) return
    try {
      await reset.mutateAsync(template.kind)
      onReset()
      showSuccess({ title: `${title}: built-in texts again`, message: 'The next event has these words.' })
    } catch (error) {
      showFailure({ title: 'Could not reset the texts', message: reasonOf(error) })
    }
  }

  return (
    <span className={styles.origin}>
      {originWords(template)}
      <Button variant="default" size="xs" loading={reset.isPending} onClick={() => void handleReset()}>
        Use built-in texts
      </Button>
    </span>
  )
}

/** 'Updated 5-Nov-2026 14:02 by Ada Own' */
function originWords({ updatedAt, updatedBy }: ConnectionTemplate): string {
  if (updatedAt === null) return 'Own texts'
  return `Updated ${formatEventTime(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}
