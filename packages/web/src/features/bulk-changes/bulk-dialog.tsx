import type { BulkFailure, BulkProgress } from '@benchwatch/contract/events/bulk-changes'
import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import type { User } from '@benchwatch/contract/users/users'
import { Anchor, Box, Button, Fieldset, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Fieldset.layer.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { counted } from '../../lib/folded.ts'
import { eventName } from '../../lib/screen-name.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { showSuccess, showUndo } from '../../ui/overlay/toasts.ts'
import { Notice } from '../../ui/text/notice.tsx'
import { ProgressBar } from '../../ui/text/skeleton.tsx'
import { useUnsent } from '../../ui/use-unsent.ts'
import { CloseEventFields } from '../events/close/close-event-fields.tsx'
import { closeChange, emptyCloseForm } from '../events/close/close-event-form.ts'
import { assignableUsers, type Viewer } from '../events/owner/event-owner.ts'
import { usersQuery } from '../users/users.api.ts'
import { type BulkOrder, undoClaims, useBulkRun } from './bulk-changes.api.ts'
import styles from './bulk-dialog.module.css'
import {
  type BulkTask,
  bulkRequest,
  bulkTitle,
  changedLabel,
  failuresByReason,
  hintOf,
  isFewRows,
  ownLabel,
  requestAgain,
  resultMessage,
} from './bulk-request.ts'

/** Maximum number of links shown at first: ten thousand would take half a second to draw. */
const SHOWN_LINKS = 200

/**
 * Asks what to do with the selected events, then shows progress and which events failed and why. When hidden it
 * continues, and it reappears when it has a result. Each part removes the button that had the focus, so the next part
 * takes the focus.
 */
export function BulkDialog(props: {
  task: BulkTask
  viewer: Viewer
  /** True if the change begins without a question. */
  isBegun: boolean
  isHidden: boolean
  onBegin: () => void
  onHide: () => void
  onShow: () => void
  onDone: () => void
}) {
  const { kind, selected } = props.task
  const [form, setForm, forgetForm] = useUnsent(`bulk ${kind} ${selected.mode} ${selected.ids.join()}`, emptyCloseForm)
  const [owner, setOwner] = useState<User | null>(null)
  const [sent, setSent] = useState<BulkOrder | null>(null)
  const client = useQueryClient()
  const { data: users = [] } = useQuery(usersQuery())
  const isFew = isFewRows(selected)
  const claim = isFew ? bulkRequest(selected, { claimedBy: props.viewer.id }) : undefined
  const mayClaimFirst = claim !== undefined && users.some(({ id }) => id === props.viewer.id)

  /** Offers to take back a claim; those that were the user's own before stay so. */
  function offerUndo(
    end: { changed: number; failed: readonly BulkFailure[] },
    toast: { title: string; message: string },
  ) {
    const kept = new Set([...(props.task.own?.ids ?? []), ...end.failed.map(({ id }) => id)])
    const ids = selected.ids.filter((id) => !kept.has(id))
    if (kind === 'take' && isFew && end.changed > 0) showUndo(toast, () => void undoClaims(client, ids))
    else showSuccess(toast)
  }

  const { run, begin } = useBulkRun((end) => {
    forgetForm()
    if (end.kind === 'ended' && end.failed.length > 0 && kind === 'take' && isFew && end.changed > 0)
      offerUndo(end, { title: changedLabel(end.changed), message: 'You are the owner.' })
    if (end.kind !== 'ended' || !end.isWhole || end.failed.length > 0) {
      props.onShow()
      return
    }
    const unchanged = (sent?.count ?? end.changed) - end.changed
    offerUndo(end, { title: changedLabel(end.changed), message: resultMessage({ kind, form, owner, unchanged }) })
    selected.clear()
    props.onDone()
  })

  function send(next: BulkOrder) {
    setSent(next)
    props.onBegin()
    begin(next)
  }

  const beginAtOnce = useEffectEvent(() => {
    if (claim !== undefined && sent === null) send({ request: claim, count: selected.count })
  })
  const isUnasked = kind === 'take' && props.isBegun
  useEffect(() => {
    if (isUnasked) beginAtOnce()
  }, [isUnasked])

  function changeOfForm(): ServiceEventChange | null {
    if (kind === 'take') return { claimedBy: props.viewer.id }
    if (kind === 'assign') return owner && { claimedBy: owner.id }
    return closeChange(form)
  }

  function body(): ReactNode {
    switch (run.kind) {
      case 'asking': {
        const change = changeOfForm()
        return (
          <form
            onSubmit={(submit) => {
              submit.preventDefault()
              if (change !== null) send({ request: bulkRequest(selected, change), count: selected.count })
            }}
          >
            <Stack gap="md">
              {run.refusal !== null && <Notice tone="danger">{run.refusal}</Notice>}
              {kind === 'assign' && <OwnerChoice viewer={props.viewer} chosen={owner} onChoose={setOwner} />}
              {kind === 'close' && <CloseEventFields form={form} onChange={setForm} />}
              <Text size="xs" c="dimmed">
                {kind === 'close' && <strong>{ownLabel(props.task)} </strong>}
                {hintOf(kind)}
              </Text>
              <Group justify="flex-end" gap={8}>
                <Button
                  variant="default"
                  onClick={() => {
                    forgetForm()
                    props.onDone()
                  }}
                >
                  Cancel
                </Button>
                {kind === 'close' && mayClaimFirst && ownLabel(props.task) !== null && (
                  <Button
                    disabled={change === null}
                    onClick={() =>
                      change && send({ request: bulkRequest(selected, change), claim, count: selected.count })
                    }
                  >
                    Assign to me and close
                  </Button>
                )}
                <Button
                  type="submit"
                  data-autofocus={kind === 'take' || undefined}
                  disabled={change === null || (kind === 'close' && props.task.own?.count === 0)}
                >
                  {bulkTitle(kind, selected.count)}
                </Button>
              </Group>
            </Stack>
          </form>
        )
      }
      case 'running':
        return (
          <Stack gap="md">
            <BulkProgressView count={sent?.count ?? selected.count} {...run} />
            <Group justify="flex-end">
              <Button variant="default" onClick={props.onHide} autoFocus>
                Continue in background
              </Button>
            </Group>
          </Stack>
        )
      case 'ended':
        return (
          <Stack gap="md">
            <BulkOutcome {...run} />
            <Group justify="flex-end">
              {run.failed.length > 0 && sent !== null && (
                <Button
                  variant="default"
                  onClick={() => send({ request: requestAgain(run.failed, sent.request), count: run.failed.length })}
                >
                  Retry {counted(run.failed.length, 'event')}
                </Button>
              )}
              <Button onClick={props.onDone} autoFocus>
                Done
              </Button>
            </Group>
          </Stack>
        )
      case 'lost':
        return (
          <Stack gap="md">
            <Notice tone="warning">
              <strong>Some events may have changed.</strong>
              <p>{run.reason} The list shows the current state. Trying again changes only the remaining events.</p>
            </Notice>
            <Group justify="flex-end">
              <Button variant="default" onClick={props.onDone}>
                Done
              </Button>
              <Button onClick={() => sent && send(sent)} autoFocus>
                Try again
              </Button>
            </Group>
          </Stack>
        )
    }
  }

  return (
    <Dialog
      opened={!props.isHidden || (run.kind === 'asking' && run.refusal !== null)}
      onClose={run.kind === 'running' ? props.onHide : props.onDone}
      title={bulkTitle(kind, selected.count)}
      size="md"
      centered
    >
      {body()}
    </Dialog>
  )
}

/** Shows a progress bar once a job reports, and how many events failed so far. */
function BulkProgressView(props: { count: number; progress: BulkProgress | null; isOutOfReach: boolean }) {
  const { progress } = props
  const total = progress?.total ?? props.count
  const failed = progress?.failed.length ?? 0
  return (
    <Stack gap={10}>
      <ResultLine failed={failed}>
        {progress === null
          ? `Changing ${counted(total, 'event')}…`
          : `${progress.done.toLocaleString('en')} of ${counted(total, 'event')}`}
      </ResultLine>
      <ProgressBar label="Progress" value={progress?.done ?? null} max={total} />
      {props.isOutOfReach && (
        <Text size="xs" c="dimmed" role="status">
          The server can’t be reached. The change continues there; trying again…
        </Text>
      )}
    </Stack>
  )
}

/** A result so far, and how many events failed. */
function ResultLine({ failed, children }: { failed: number; children: ReactNode }) {
  return (
    <Group justify="space-between" align="baseline" gap={12} component="p" fz="md" m={0} role="status">
      <span>{children}</span>
      {failed > 0 && (
        <Text span inherit fw={540} c="var(--bw-danger)">
          {failed.toLocaleString('en')} not changed
        </Text>
      )}
    </Group>
  )
}

/** Lists all users but the signed-in one, searchable by name. */
function OwnerChoice(props: { viewer: Viewer; chosen: User | null; onChoose: (user: User) => void }) {
  const users = useQuery(usersQuery())
  const [search, setSearch] = useState('')
  const shown = assignableUsers(users.data ?? [], { claimedBy: props.viewer.id }, search)
  return (
    <Fieldset variant="unstyled" legend="New owner">
      <TextInput
        aria-label="Search by name"
        placeholder="Search by name"
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        onKeyDown={(key) => {
          // Enter must not submit before a choice is made.
          if (key.key === 'Enter') key.preventDefault()
        }}
      />
      <div className={styles.list}>
        {shown.map((user) => (
          <label key={user.id} className={styles.row}>
            <input
              type="radio"
              name="owner"
              checked={props.chosen?.id === user.id}
              onChange={() => props.onChoose(user)}
            />
            <Text component="bdi" truncate flex="none" maw="60%">
              {user.name}
            </Text>
            {user.email !== null && (
              <Text span truncate size="xs" c="dimmed" ta="end" flex={1}>
                {user.email}
              </Text>
            )}
          </label>
        ))}
        {shown.length === 0 && (
          <Text c="dimmed" p="8px 12px">
            {emptyLabel(users)}
          </Text>
        )}
      </div>
      {users.isError && (
        <Button variant="default" size="compact-sm" mt={8} onClick={() => void users.refetch()}>
          Try again
        </Button>
      )}
    </Fieldset>
  )
}

function emptyLabel({ isPending, isError }: { isPending: boolean; isError: boolean }): string {
  if (isPending) return 'Loading…'
  return isError ? 'Could not get users' : 'No users found'
}

/** Shows how many events changed, and which did not and why, with links. */
function BulkOutcome(props: { changed: number; failed: readonly BulkFailure[]; isWhole: boolean }) {
  const { failed } = props
  return (
    <Stack gap={10}>
      {!props.isWhole && (
        <Notice tone="warning">The change was stopped early. The remaining events are unchanged.</Notice>
      )}
      <ResultLine failed={failed.length}>
        <strong>{changedLabel(props.changed)}</strong>
      </ResultLine>
      {failed.length > 0 && (
        <Paper
          component="section"
          withBorder
          radius={8}
          p="10px 12px"
          mah={260}
          style={{ overflowY: 'auto' }}
          aria-label="Events that were not changed"
        >
          {failuresByReason(failed).map(({ reason, events }) => (
            <Box key={reason} mb={12}>
              <Text style={{ overflowWrap: 'anywhere' }}>{reason}</Text>
              <EventLinks events={events} />
            </Box>
          ))}
        </Paper>
      )}
    </Stack>
  )
}

function EventLinks({ events }: { events: readonly BulkFailure[] }) {
  const [showsAll, setShowsAll] = useState(events.length <= SHOWN_LINKS)
  return (
    <Group component="ul" gap="4px 14px" mt={4} p={0} fz="sm" style={{ listStyle: 'none' }}>
      {(showsAll ? events : events.slice(0, SHOWN_LINKS)).map(({ id, eventId }) => (
        <li key={id}>
          {/* Opens in a new tab: this list exists nowhere else. */}
          <a href={`/events/${eventId}`} target="_blank" rel="noreferrer">
            {eventName({ eventId })}
          </a>
        </li>
      ))}
      {!showsAll && (
        <li>
          <Anchor component="button" type="button" fz="sm" onClick={() => setShowsAll(true)}>
            and {(events.length - SHOWN_LINKS).toLocaleString('en')} more
          </Anchor>
        </li>
      )}
    </Group>
  )
}
