import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createElement, useEffect } from 'react'
import { ApiError } from '../../lib/http.ts'
import { onSessionEnd, sessionState } from '../../lib/session/session.ts'
import { useShortcuts } from './use-shortcuts.ts'

/**
 * Short messages in the part of the header that has no controls. Successes disappear on their own; failures and notices
 * stay long enough to be read.
 */

export interface Toast {
  title: string
  message?: string
}

const SUCCESS_MS = 4000
const FAILURE_MS = 10_000
/** The time for which a shown message offers to undo. */
const UNDO_MS = 10_000
/** Behind other messages the offer waits, but it ends before the minute in which the server takes a change back. */
const UNDO_AT_MOST_MS = 50_000
/** A change that takes longer says that it is still being sent. */
const SLOW_MS = 2500

export function showSuccess({ title, message }: Toast): void {
  if (isSignedOut()) return
  show({ title, message }, 'success')
}

export function showFailure({ title, message }: Toast): void {
  show({ title, message }, 'failure')
}

/** Reports that the console did something other than requested. */
export function showNotice({ title, message }: Toast): void {
  show({ title, message }, 'notice')
}

/** The changes whose toasts are still shown, oldest first. */
let offered: readonly { id: string; undo: () => void; subject: string | undefined }[] = []

/** The changes that have no answer yet. */
const sending = new Set<ReturnType<typeof setTimeout>>()

// Everybody sees the sign-in screen.
onSessionEnd(() => {
  offered = []
  for (const timer of sending) clearTimeout(timer)
  notifications.clean()
})

/**
 * Reports a success that the user can take back for ten seconds, by the button or by z. `subject` is the id of the one
 * thing that was changed.
 */
export function showUndo({ title, message = '' }: Toast, undo: () => void, subject?: string): void {
  if (isSignedOut()) return
  const id = `undo:${title}:${message}:${Date.now()}`
  offered = [...offered, { id, undo, subject }]
  const end = setTimeout(() => notifications.hide(id), UNDO_AT_MOST_MS)
  notifications.show({
    ...looks('success'),
    id,
    title,
    message: createElement(
      'span',
      null,
      message,
      createElement(UndoButton, { onUndo: () => takeBack({ id, undo }), onUndoLast: undoLast }),
    ),
    autoClose: UNDO_MS,
    onClose: () => {
      clearTimeout(end)
      offered = offered.filter((one) => one.id !== id)
    },
  })
}

/** Returns the answer to a change, and says meanwhile that the change of `subject` is still being sent, if that takes long. */
export async function showSending<T>(subject: string, answer: Promise<T>): Promise<T> {
  const id = `sending:${subject}`
  const timer = setTimeout(
    () =>
      notifications.show({
        ...looks('notice'),
        id,
        title: `Still sending your change: ${subject}`,
        message: 'The server has not answered yet. The result will be shown here.',
        loading: true,
        autoClose: false,
      }),
    SLOW_MS,
  )
  sending.add(timer)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
    sending.delete(timer)
    notifications.hide(id)
  }
}

/** Removes the toasts that offer to undo earlier changes of `subject`: after a later change the server refuses to. */
export function withdrawUndo(subject: string): void {
  for (const one of offered) if (one.subject === subject) notifications.hide(one.id)
}

/** True if a change was answered after its user had signed out: the sign-in screen says nothing about it. */
function isSignedOut(): boolean {
  return sessionState().status === 'anonymous'
}

/** Takes back the change that a toast reports; the key takes back the newest one (`onUndoLast`). */
function UndoButton({ onUndo, onUndoLast }: { onUndo: () => void; onUndoLast: () => void }) {
  useShortcuts({ z: onUndoLast })
  return createElement(
    Button<'button'>,
    { variant: 'default', size: 'compact-sm', ml: 8, 'aria-keyshortcuts': 'z', title: 'Undo (z)', onClick: onUndo },
    'Undo',
  )
}

function undoLast(): void {
  const last = offered.at(-1)
  if (last !== undefined) takeBack(last)
}

function takeBack({ id, undo }: { id: string; undo: () => void }): void {
  notifications.hide(id)
  undo()
}

const colours = { success: 'var(--bw-success)', failure: 'var(--bw-danger)', notice: 'var(--bw-accent)' }

/** Makes each duration differ from the one before: only another duration restarts the time of a toast that is shown. */
let restarts = 0

function show({ title, message }: { title: string; message: string | undefined }, kind: keyof typeof colours): void {
  // The same text twice is one toast, and so is a failure that only gives another reason.
  const id = kind === 'failure' ? `failure:${title}` : `${kind}:${title}:${message ?? ''}`
  const toast = {
    ...looks(kind),
    id,
    title,
    message: message ?? '',
    autoClose: (kind === 'success' ? SUCCESS_MS : FAILURE_MS) + (restarts++ % 2),
  }
  notifications.show(toast)
  // Does nothing unless it was shown already.
  notifications.update(toast)
}

function looks(kind: keyof typeof colours) {
  return { color: colours[kind], withBorder: true, closeButtonProps: { 'aria-label': 'Dismiss message' } }
}

/**
 * Shows a toast for each failed attempt to load something. Silent if a flag was just switched off, which is no
 * failure, or the session has expired, which is reported once elsewhere.
 */
export function useFailureToast(
  { isError, error, errorUpdatedAt }: { isError: boolean; error: Error | null; errorUpdatedAt: number },
  title: string,
): void {
  useEffect(() => {
    if (!isError || (error instanceof ApiError && (error.status === 403 || error.code === 'session-expired'))) return
    showFailure({ title, message: error?.message ?? '' })
    // errorUpdatedAt: the next attempt may fail with the same message.
  }, [isError, error, errorUpdatedAt, title])
}
