import { notifications } from '@mantine/notifications'

/** Short messages in the corner. Success goes by itself; a failure stays long enough to be read. */

export interface Toast {
  title: string
  message?: string
}

const SUCCESS_MS = 4000
const FAILURE_MS = 10_000

export function showSuccess({ title, message }: Toast): void {
  show({ title, message }, 'success')
}

export function showFailure({ title, message }: Toast): void {
  show({ title, message }, 'failure')
}

function show({ title, message }: { title: string; message: string | undefined }, kind: 'success' | 'failure'): void {
  const failed = kind === 'failure'
  notifications.show({
    // The same words twice in a row are one toast, not a pile.
    id: `${kind}:${title}:${message ?? ''}`,
    title,
    message: message ?? '',
    color: failed ? 'var(--bw-danger)' : 'var(--bw-success)',
    autoClose: failed ? FAILURE_MS : SUCCESS_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss message' },
  })
}
