import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { confirm } from './confirm.tsx'
import { showFailure, showSuccess } from './toasts.ts'

/** Deletes the object of a screen once the user is sure. Messages call it e.g. 'instrument type ULT-Freezer'. */
export function DeleteButton(props: {
  noun: string
  name: string
  /** Says what else the deletion means. */
  consequence?: string
  remove: () => Promise<unknown>
  onDeleted: () => void
}) {
  const { noun, name, consequence = '', remove, onDeleted } = props
  const [isPending, setPending] = useState(false)

  async function handleDelete() {
    const message = `Delete the ${noun} ${name}? ${consequence}`.trim()
    if (!(await confirm({ message, confirmLabel: 'Delete', isDestructive: true }))) return
    setPending(true)
    try {
      await remove()
      showSuccess({ title: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${name} deleted` })
      onDeleted()
    } catch (error) {
      showFailure({ title: `Could not delete ${noun}`, message: reasonOf(error) })
    } finally {
      setPending(false)
    }
  }

  return (
    <Button
      variant="default"
      c="var(--bw-danger)"
      loading={isPending}
      leftSection={<IconTrash size={16} stroke={1.7} aria-hidden="true" />}
      onClick={() => void handleDelete()}
    >
      Delete
    </Button>
  )
}
