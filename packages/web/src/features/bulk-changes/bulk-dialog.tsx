import type { ServiceEventChange } from '@benchwatch/contract/service-events'
import type { User } from '@benchwatch/contract/users'
import { Button, Group, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { counted } from '../../lib/counted.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showSuccess } from '../../ui/toasts.ts'
import { CloseEventFields } from '../service-events/close-event-fields.tsx'
import { closeChange, emptyCloseForm } from '../service-events/close-event-form.ts'
import type { Viewer } from '../service-events/event-owner.ts'
import { useBulkRun } from './bulk-changes.api.ts'
import styles from './bulk-dialog.module.css'
import { BulkOutcome } from './bulk-outcome.tsx'
import { BulkProgressView } from './bulk-progress.tsx'
import { type BulkRequest, type BulkTask, bulkRequest, requestAgain } from './bulk-request.ts'
import { bulkTitle, changedWords, hintOf, whatWasDone } from './bulk-words.ts'
import { OwnerChoice } from './owner-choice.tsx'

interface Sent {
  request: BulkRequest
  count: number
}

/**
 * Asks what shall become of the selected events, shows how far it has come, and says which failed and why. Out of sight
 * it goes on, and comes back by itself when there is something to tell. The button that had the focus goes with each part,
 * so the next one takes it.
 */
export function BulkDialog(props: {
  task: BulkTask
  viewer: Viewer
  isHidden: boolean
  onBegin: () => void
  onHide: () => void
  onShow: () => void
  onDone: () => void
}) {
  const { kind, selected } = props.task
  const [form, setForm] = useState(emptyCloseForm)
  const [owner, setOwner] = useState<User | null>(null)
  const [sent, setSent] = useState<Sent | null>(null)
  const { run, begin } = useBulkRun((end) => {
    if (end.kind !== 'ended' || !end.isWhole || end.failed.length > 0) {
      props.onShow()
      return
    }
    const unchanged = (sent?.count ?? end.changed) - end.changed
    showSuccess({ title: changedWords(end.changed), message: whatWasDone({ kind, form, owner, unchanged }) })
    selected.clear()
    props.onDone()
  })

  function send(next: Sent) {
    setSent(next)
    props.onBegin()
    begin(next.request)
  }

  function changeWanted(): ServiceEventChange | null {
    if (kind === 'take') return { claimedBy: props.viewer.id }
    if (kind === 'assign') return owner && { claimedBy: owner.id }
    return closeChange(form)
  }

  function body(): ReactNode {
    switch (run.kind) {
      case 'asking': {
        const change = changeWanted()
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
              <p className={styles.hint}>{hintOf(kind)}</p>
              <Group justify="flex-end">
                <Button variant="default" onClick={props.onDone}>
                  Cancel
                </Button>
                <Button type="submit" data-autofocus={kind === 'take' || undefined} disabled={change === null}>
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
                Go on in the background
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
                  Try the {counted(run.failed.length, 'event')} again
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
              <p>{run.reason} The list shows what is known; a repeat changes only what has not changed yet.</p>
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
      opened={!props.isHidden}
      onClose={run.kind === 'running' ? props.onHide : props.onDone}
      title={bulkTitle(kind, selected.count)}
      size="md"
      centered
    >
      {body()}
    </Dialog>
  )
}
