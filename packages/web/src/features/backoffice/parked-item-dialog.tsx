import type { ParkedItem } from '@benchwatch/contract/backoffice'
import { Button, Group, Stack, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { mayLeave, useLeaveGuard } from '../../ui/form/use-draft.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { Notice } from '../../ui/text/notice.tsx'
import { useRetryParkedItem } from './backoffice.api.ts'
import styles from './backoffice.module.css'

/** An item as it came, to be mended and taken in again. It closes when the item is resolved. */
export function ParkedItemDialog({ item, onClose }: { item: ParkedItem; onClose: () => void }) {
  const [original] = useState(() => readableJson(item.item))
  const [text, setText] = useState(original)
  const [refused, setRefused] = useState<{ code: string; reason: string } | null>(null)
  const [isAsking, setAsking] = useState(false)
  const retry = useRetryParkedItem()
  const isOpen = item.resolvedAt === null
  const problem = jsonProblem(text)
  const why = refused ?? item
  const isMended = text !== original
  useLeaveGuard(isMended && !retry.isPending, () => true)

  async function handleClose() {
    // The key that answers the question reaches the dialog below it, too.
    if (isAsking) return
    setAsking(true)
    const isSure = !isMended || (await mayLeave())
    setAsking(false)
    if (isSure) onClose()
  }

  async function handleSubmit(submit: FormEvent) {
    submit.preventDefault()
    if (retry.isPending || problem !== null) return
    const name = item.itemId ?? item.id
    try {
      const answer = await retry.mutateAsync({ id: item.id, item: isMended ? text : undefined })
      if (answer.resolvedAt === null) return setRefused(answer)
      showSuccess({ title: `Item ${name} taken in`, message: `It came from ${item.gateway}.` })
      onClose()
    } catch (error) {
      showFailure({ title: `Item ${name} waits as before`, message: reasonOf(error) })
    }
  }

  return (
    <Dialog onClose={() => void handleClose()} size={760} title={isOpen ? 'Mend a parked item' : 'Resolved item'}>
      <form noValidate onSubmit={(submit) => void handleSubmit(submit)}>
        <Stack gap="md">
          <p className={styles.quiet}>
            {item.gateway} · {item.itemId ?? 'without an id'} · received {formatEventTime(item.receivedAt)}
            {item.resolvedAt !== null && ` · resolved ${formatEventTime(item.resolvedAt)}`}
          </p>
          {isOpen && (
            <Notice key={why.reason} tone={refused === null ? 'warning' : 'danger'}>
              {refused !== null && 'Still not taken in. '}
              {why.reason} <code className={styles.code}>{why.code}</code>
            </Notice>
          )}
          <Textarea
            label="Item, as JSON"
            autosize
            minRows={8}
            maxRows={20}
            maxLength={200_000}
            spellCheck={false}
            readOnly={!isOpen}
            classNames={{ input: styles.source ?? '' }}
            value={text}
            error={problem}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={() => void handleClose()}>
              {isOpen ? 'Cancel' : 'Close'}
            </Button>
            {isOpen && (
              <Button type="submit" loading={retry.isPending} disabled={problem !== null}>
                {isMended ? 'Try again as mended' : 'Try again'}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The text of a parked item: what came may be no JSON at all. */

/** With lines of its own, so that it can be read; as it came where it is no JSON. */
export function readableJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** What keeps it from being sent; null for JSON. */
export function jsonProblem(text: string): string | null {
  if (text.trim() === '') return 'Item cannot be empty.'
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return `This is not valid JSON: ${reasonOf(error)}.`
  }
}
