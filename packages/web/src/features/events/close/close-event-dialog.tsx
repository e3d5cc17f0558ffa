import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Notice } from '../../../ui/text/notice.tsx'
import { useUnsent } from '../../../ui/use-unsent.ts'
import { useClaimed } from '../events.api.ts'
import { mayChangeStatus, type Viewer } from '../owner/event-owner.ts'
import { useChangedMeanwhile } from '../use-changed-meanwhile.ts'
import { useEventActions } from '../use-event-actions.ts'
import { CloseEventFields } from './close-event-fields.tsx'
import { asksDesk, canSaveClose, caseDeskFor, closeChange, closeEventForm } from './close-event-form.ts'
import { useServiceCase } from './use-service-case.ts'

/**
 * Closes an event with a reason, or replaces the reason of a closed one. The dialog stays open if the server refuses,
 * and reopens with the same input, so nothing typed is lost; only Cancel discards it.
 */
export function CloseEventDialog({
  viewer,
  onDone,
  ...props
}: {
  event: ServiceEvent
  viewer: Viewer
  onDone: () => void
}) {
  const event = useClaimed(props.event, viewer)
  const [form, setForm, forgetForm] = useUnsent(`close ${event.id}`, () => closeEventForm(event))
  const { close, isPending } = useEventActions(viewer)
  const { request, isPending: isRequesting } = useServiceCase(viewer)
  const isForDesk = asksDesk(form, event)
  const { notice, asRead } = useChangedMeanwhile(event, viewer)
  // The desk is asked about an event as it is; a close waits until the user's claim is confirmed.
  const mayClose = mayChangeStatus(isForDesk ? props.event : event, viewer)
  const [hasFailed, setFailed] = useState(false)

  async function handleSave() {
    const change = closeChange(form)
    setFailed(false)
    if (isForDesk ? await request(asRead) : change !== null && (await close(asRead, change))) finish()
    else setFailed(true)
  }

  function finish() {
    forgetForm()
    onDone()
  }

  return (
    <Dialog onClose={onDone} title={`Close event ${eventName(event)}`} centered>
      <form
        onSubmit={(submit) => {
          submit.preventDefault()
          void handleSave()
        }}
      >
        <Stack gap="md">
          {notice !== null && !isPending && <Notice tone="warning">{notice}</Notice>}
          {hasFailed && (
            <Notice tone="warning">
              The server has not confirmed this. Your input is kept, and you can try again.
            </Notice>
          )}
          <CloseEventFields form={form} desk={caseDeskFor(event)} onChange={setForm} />
          <Group justify="flex-end">
            <Button variant="default" onClick={finish}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={isPending || isRequesting}
              disabled={!mayClose || !canSaveClose(form, event)}
            >
              {isForDesk ? 'Create case' : 'Close event'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
