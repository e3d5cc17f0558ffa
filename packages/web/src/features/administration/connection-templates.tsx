import type { ConnectionTemplate } from '@benchwatch/contract/connections'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CallAnswer } from '../../lib/http.ts'
import { FormSkeleton } from '../../ui/form/record-form.tsx'
import { useDraft, useLeaveGuard } from '../../ui/form/use-draft.ts'
import { ErrorState, Notice } from '../../ui/text/notice.tsx'
import { connectionTemplatesQuery } from './administration.api.ts'
import styles from './administration.module.css'
import { type ConnectionDraft, connectionDraft } from './connection-draft.ts'
import { ConnectionTemplateForm } from './connection-template-form.tsx'

/** Edits the texts of both connection events, each with a preview. */
export function ConnectionTemplates() {
  const templates = useQuery(connectionTemplatesQuery())
  if (templates.data !== undefined) return <Found answer={templates.data} />
  if (templates.isPending) return <FormSkeleton label="Loading texts…" fields={6} />
  return (
    <ErrorState title="Could not get the texts" onRetry={() => void templates.refetch()}>
      {templates.error.message}
    </ErrorState>
  )
}

function Found({ answer: { used, values } }: { answer: CallAnswer<'listConnectionTemplates'> }) {
  const [gateway, instrument] = values
  if (gateway === undefined || instrument === undefined) return null
  return (
    <div className={styles.page}>
      {!used && (
        <Notice tone="warning">
          These texts are not used. While INSTRUMENT_STATUS_TEMPLATE is off, events use the built-in texts. Turn it on
          under <Link to="/administration/features">Flags</Link>.
        </Notice>
      )}
      <Forms gateway={gateway} instrument={instrument} />
    </div>
  )
}

/** Holds both drafts, so that leaving asks only once. */
function Forms(props: { gateway: ConnectionTemplate; instrument: ConnectionTemplate }) {
  const gateway = useDraft<ConnectionDraft>(connectionDraft(props.gateway))
  const instrument = useDraft<ConnectionDraft>(connectionDraft(props.instrument))
  useLeaveGuard(gateway.isChanged || instrument.isChanged)
  return (
    <>
      <ConnectionTemplateForm template={props.gateway} draft={gateway} />
      <ConnectionTemplateForm template={props.instrument} draft={instrument} />
    </>
  )
}
