import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { type CloseReason, personCloseReasons } from '@benchwatch/contract/vocabulary'
import { Button, Group, Modal, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  CASE_REASON,
  canSaveClose,
  caseNumberHint,
  caseNumberState,
  caseUrlHint,
  caseUrlState,
  closeChange,
  closeEventForm,
  isCommentTooLong,
  showsCaseUrl,
} from './close-event-form.ts'
import type { Viewer } from './event-owner.ts'
import { eventName } from './event-toasts.ts'
import { useEventActions } from './use-event-actions.ts'

/**
 * Closes an event with a reason, or replaces the reason of a closed one. What is valid stands in close-event-form.ts.
 * Stays open when the server refuses, so that nothing typed is lost.
 */
export function CloseEventDialog({
  event,
  viewer,
  onDone,
}: {
  event: ServiceEvent
  viewer: Viewer
  onDone: () => void
}) {
  const [form, setForm] = useState(() => closeEventForm(event))
  const { close, isPending } = useEventActions(viewer)
  const numberState = caseNumberState(form.caseNumber)
  // A closed event may carry a reason that only the system gives; it stays visible, but can't be chosen.
  const isSystemReason = form.reason !== null && !personCloseReasons.includes(form.reason)

  async function handleSave() {
    const change = closeChange(form)
    if (change !== null && (await close(event, change))) onDone()
  }

  return (
    <Modal opened onClose={onDone} title={`Close event ${eventName(event)}`} centered>
      <form
        onSubmit={(submit) => {
          submit.preventDefault()
          void handleSave()
        }}
      >
        <Stack gap="md">
          <NativeSelect
            label="Reason"
            data-autofocus
            value={form.reason ?? ''}
            onChange={({ currentTarget }) =>
              setForm({ ...form, reason: (currentTarget.value || null) as CloseReason | null })
            }
          >
            <option value="">Select option to close</option>
            {isSystemReason && (
              <option value={form.reason ?? ''} disabled>
                {form.reason}
              </option>
            )}
            {personCloseReasons.map((reason) => (
              <option key={reason} value={reason}>
                {reason}
              </option>
            ))}
          </NativeSelect>
          {form.reason === CASE_REASON && (
            <TextInput
              label="Service case number"
              description={caseNumberHint()}
              required
              inputMode="numeric"
              autoComplete="off"
              maxLength={40}
              value={form.caseNumber}
              error={numberState === 'invalid' && `Not a case number (${caseNumberHint()})`}
              onChange={({ currentTarget }) => setForm({ ...form, caseNumber: currentTarget.value })}
            />
          )}
          {showsCaseUrl(form) && (
            <TextInput
              label="Case URL (optional)"
              type="url"
              autoComplete="off"
              value={form.caseUrl}
              error={caseUrlState(form.caseUrl) === 'invalid' && caseUrlHint()}
              onChange={({ currentTarget }) => setForm({ ...form, caseUrl: currentTarget.value })}
            />
          )}
          {form.reason !== null && form.reason !== CASE_REASON && (
            <Textarea
              label="Comment (optional)"
              rows={4}
              resize="vertical"
              value={form.comment}
              error={isCommentTooLong(form) && 'A comment has at most 2000 characters'}
              onChange={({ currentTarget }) => setForm({ ...form, comment: currentTarget.value })}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onDone}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} disabled={!canSaveClose(form, event)}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
