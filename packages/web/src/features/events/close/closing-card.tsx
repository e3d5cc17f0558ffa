import type { ServiceCase, ServiceEvent } from '@benchwatch/contract/events/events'
import { commentableCloseReasons } from '@benchwatch/contract/vocabulary'
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { pageSettings } from '../../../lib/page-settings.ts'
import { formatEventTime } from '../../../lib/time/dates.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Dash, Fact, FactList } from '../../../ui/text/fact.tsx'
import { LongText } from '../../../ui/text/long-text.tsx'
import { Notice } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { useUnsent } from '../../../ui/use-unsent.ts'
import { mayChangeStatus, mayCorrect, type Viewer } from '../owner/event-owner.ts'
import { useChangedMeanwhile } from '../use-changed-meanwhile.ts'
import { useEventActions } from '../use-event-actions.ts'
import { CaseFields, CommentField } from './close-event-fields.tsx'
import { CASE_REASON, caseChange, caseUrlState, commentChange } from './close-event-form.ts'
import styles from './closing-card.module.css'
import { useServiceCase } from './use-service-case.ts'

type Editing = 'nothing' | 'case' | 'comment'

/**
 * Shows how an event was closed, or that its case is being created. Users who may correct it edit the comment or the
 * case fields here.
 */
export function ClosingCard({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const [editing, setEditing] = useState<Editing>('nothing')
  // When a form closes, focus returns to the button that opened it.
  const [edited, setEdited] = useState<Editing>('nothing')
  if (event.alertStatus !== '3_CLOSED') {
    return event.serviceCase ? <WaitingCase event={event} wanted={event.serviceCase} viewer={viewer} /> : null
  }
  const isCase = event.reasonClosed === CASE_REASON
  const hasComment = event.reasonClosed !== null && commentableCloseReasons.includes(event.reasonClosed)
  const isEditable = mayCorrect(event, viewer)
  const stop = () => {
    setEdited(editing)
    setEditing('nothing')
  }
  return (
    <Card title="How it was closed">
      <FactList>
        <Fact name="Reason">{event.reasonClosed}</Fact>
        {isCase && editing !== 'case' && (
          <>
            <Fact name="Case number">{event.serviceMaxCaseNumber}</Fact>
            <Fact name="Case URL">
              <CaseLink url={event.serviceMaxUrl} />
            </Fact>
            <CaseStatus event={event} />
          </>
        )}
        {hasComment && editing !== 'comment' && (
          <Fact name="Comment">
            {event.reasonClosedComment !== null && <LongText text={event.reasonClosedComment} />}
          </Fact>
        )}
      </FactList>
      {editing === 'case' && <CaseForm event={event} viewer={viewer} onDone={stop} />}
      {editing === 'comment' && <CommentForm event={event} viewer={viewer} onDone={stop} />}
      {editing === 'nothing' && isEditable && (isCase || hasComment) && (
        <Group gap="xs" mt="sm">
          {isCase && (
            <Button variant="default" autoFocus={edited === 'case'} onClick={() => setEditing('case')}>
              Edit case
            </Button>
          )}
          {hasComment && (
            <Button variant="default" autoFocus={edited === 'comment'} onClick={() => setEditing('comment')}>
              Edit comment
            </Button>
          )}
        </Group>
      )}
    </Card>
  )
}

/** Shows that the desk is creating the case of an open event, and why it does not exist yet. */
function WaitingCase(props: { event: ServiceEvent; wanted: ServiceCase; viewer: Viewer }) {
  const { event, wanted, viewer } = props
  const { cancel, isPending } = useServiceCase(viewer)
  const desk = pageSettings().caseDesk
  return (
    <Card title="Service case">
      <Text>
        Case is being created{desk === null ? '' : ` in ${desk}`}. The event is closed when it exists.{' '}
        <Text span c="dimmed">
          Requested by <bdi>{wanted.requestedByName}</bdi>,{' '}
          <ZonedTime at={wanted.requestedAt} siteZone={event.siteTimeZone}>
            {formatEventTime(wanted.requestedAt)}
          </ZonedTime>
          .
        </Text>
      </Text>
      {wanted.lastError !== null && wanted.retryAt !== null && (
        <Group mt="sm">
          <Notice tone="warning">
            {wanted.lastError} <NextAttempt at={wanted.retryAt} />
          </Notice>
        </Group>
      )}
      {mayChangeStatus(event, viewer) && (
        <Group gap="xs" mt="sm">
          <Button variant="default" loading={isPending} onClick={() => void cancel(event)}>
            Stop creating the case
          </Button>
        </Group>
      )}
    </Card>
  )
}

function NextAttempt({ at }: { at: string }) {
  const now = useNow([Date.parse(at)])
  if (Date.parse(at) <= now) return <>The next attempt follows now.</>
  return (
    <>
      Next attempt: <ZonedTime at={at}>{formatEventTime(at)}</ZonedTime>.
    </>
  )
}

/** Shows the status of the case that the desk last reported, and since when. */
function CaseStatus({ event: { serviceCase, siteTimeZone } }: { event: ServiceEvent }) {
  if (!serviceCase || serviceCase.status === null || serviceCase.statusSince === null) return null
  return (
    <Fact name="Case">
      <bdi>{serviceCase.status}</bdi>{' '}
      <Text span c="dimmed" size="sm">
        since{' '}
        <ZonedTime at={serviceCase.statusSince} siteZone={siteTimeZone}>
          {formatEventTime(serviceCase.statusSince)}
        </ZonedTime>
      </Text>
    </Fact>
  )
}

/** Links to https addresses only; anything else from older data is shown as text. */
function CaseLink({ url }: { url: string | null }) {
  if (url === null) return <Dash />
  if (caseUrlState(url) !== 'valid') return url
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {url}
    </a>
  )
}

interface FormProps {
  event: ServiceEvent
  viewer: Viewer
  onDone: () => void
}

function CaseForm({ event, viewer, onDone }: FormProps) {
  const [form, setForm, forgetForm] = useUnsent(`case ${event.id}`, {
    caseNumber: event.serviceMaxCaseNumber ?? '',
    caseUrl: event.serviceMaxUrl ?? '',
  })
  const { caseNumber, caseUrl } = form
  const { correctCase, isPending } = useEventActions(viewer)
  const { notice, asRead } = useChangedMeanwhile(event, viewer)
  const change = caseChange(caseNumber, caseUrl, event)

  function finish() {
    forgetForm()
    onDone()
  }

  return (
    <form
      className={styles.form}
      onSubmit={(submit) => {
        submit.preventDefault()
        if (change !== null) void correctCase(asRead, change).then((isDone) => isDone && finish())
      }}
    >
      {notice !== null && <Notice tone="warning">{notice}</Notice>}
      <CaseFields
        caseNumber={caseNumber}
        caseUrl={caseUrl}
        autoFocus
        onCaseNumber={(number) => setForm({ ...form, caseNumber: number })}
        onCaseUrl={(url) => setForm({ ...form, caseUrl: url })}
      />
      <FormButtons canSave={change !== null} isPending={isPending} onCancel={finish} />
    </form>
  )
}

function CommentForm({ event, viewer, onDone }: FormProps) {
  const [comment, setComment, forgetComment] = useUnsent(`comment ${event.id}`, event.reasonClosedComment ?? '')
  const { correctComment, isPending } = useEventActions(viewer)
  const { notice, asRead } = useChangedMeanwhile(event, viewer)
  const change = commentChange(comment, event)

  function finish() {
    forgetComment()
    onDone()
  }

  return (
    <form
      className={styles.form}
      onSubmit={(submit) => {
        submit.preventDefault()
        if (change !== null) void correctComment(asRead, change).then((isDone) => isDone && finish())
      }}
    >
      {notice !== null && (
        <Notice tone="warning">
          {notice} The comment now reads: “{event.reasonClosedComment ?? ''}”.
        </Notice>
      )}
      <CommentField label="Comment" comment={comment} autoFocus onChange={setComment} />
      <FormButtons canSave={change !== null} isPending={isPending} onCancel={finish} />
    </form>
  )
}

function FormButtons(props: { canSave: boolean; isPending: boolean; onCancel: () => void }) {
  return (
    <Group gap="xs" justify="flex-end">
      <Button variant="default" onClick={props.onCancel}>
        Cancel
      </Button>
      <Button type="submit" disabled={!props.canSave} loading={props.isPending}>
        Save
      </Button>
    </Group>
  )
}
